"""Reading answers: what an agent recommends, and what it objects to, from text or JSON."""

from mystery_shopper.suites.recbench.answers.model import Answer, Form, Named
from mystery_shopper.suites.recbench.answers.reading import answer_of_titles, read_answer

__all__ = ["Answer", "Form", "Named", "answer_of_titles", "read_answer"]
