"""How English asks, rules out, takes for granted and goes on: patterns for each sign.

None of them speaks of any catalogue. `@` at the head of a pattern: only where a clause begins.
"""

from __future__ import annotations

from mystery_shopper.suites.tau_rec.asks.signs import Sign
from mystery_shopper.suites.tau_rec.asks.tokens import TITLE

WISH = """
(requirement|requirements|preference|preferences|constraint|constraints|wish|wishes|details)
(criterion|criteria|condition|conditions|must have|must haves|needs|wants|specifications|specs)
(specification|specifics|stipulation|stipulations|deal breaker|deal breakers|dealbreaker)
(dealbreakers|demands|desires|expectations|limitations|restrictions|essentials|dislikes|no gos)
(particulars|red lines|parameters|non negotiables|characteristics|conditions|likes and dislikes)
"""

LOOSE_WISH = """
(detail|information|info|guidance|hint|hints|clue|clues|demand|request|requests|expectation)
(limitation|restriction|desire|factor|factors|filters|pointers|consideration|considerations)
(context|input|aspect|aspects|rules|qualities|features|attributes|thoughts|instructions|remarks)
(comments|facts|instruction|boxes to tick|things i should know|points)
"""

QUANTIFIERS = frozenset(
    "any other further more additional extra remaining some your all what which full exact complete "
    "precise own specific particular special few final last main key basic several these".split()
)
"""Before a WISH these make it a generic request; any of `PLAIN` may stand between."""

FURTHER = frozenset("other further more additional extra remaining all few".split())
"""Those that leave no doubt: the request goes beyond what was named."""

PLAIN = frozenset("of the other such important essential strict hard absolute real and or".split())

ASK = """
@(please|kindly|just|so|then|now|do|simply|ok|and|but|or) (tell|give|name|specify|indicate|state)
@(please|kindly|just|so|then|now|do|simply|ok|and|but|or) (choose|pick|select|share|describe|list)
@(please|kindly|just|so|then|now|do|simply|ok|and|but|or) (provide|supply|send|enter|type|confirm)
@(please|kindly|just|do|simply|and|but|or|so) (clarify|answer|reply|complete|fill|decide|settle|say)
@(please|kindly|do|and|so) (write|note|mention|add|check|inform|advise|verify|put|let|respond|explain)
@(please|kindly) (be|elaborate|correct|respond|narrow|expand|use|help|consider|state|circle|tick|mark)
@(tell|name|specify|indicate|state|choose|pick|select|share|describe|provide|supply|enter|confirm)
@(clarify|complete|fill|circle|tick|elaborate|define|narrow down|settle|advise|decide|verify)
@(list|type|write|answer|reply|respond|mention|give|send) (me|us|with|your|the|in|a|all|which|what|whether|one)
@(say|check) (the word|which|whether|if|so|what|where|how|when|my|these|this|that)
@(remind|enlighten|inform|help|advise|humour) (me|us)
@let (me|us) (know|have|hear)
(tell|give|remind|enlighten|inform|help|advise) (me|us)
let (me|us) (know|have|hear)
(please|pls|kindly) (tell|specify|indicate|name|let|give|say|confirm|choose|pick|state|fill|provide)
please
@(i|we) (still|just|only|also|now|really|simply|first|would|do|) (need|require) (to know|to hear|to have|to be told|your|one thing|a few|some|two|three|four|five|the following|: )
@(i|we) (still|just|only|also|now|really|first|) (need|require|lack|miss|want) (the|a|an|your|:|from you|)
i (am|was) (still|just|only|) (missing|lacking|wondering|curious|unsure|keen to know|eager to know|unclear|in the dark|uncertain|not sure|not certain|not clear|waiting for|short of)
(i|we) (would|should) (like|love|need|appreciate|be curious) (to know|to hear|to learn|to ask|to check|to confirm|knowing|hearing|your|a|an|some|any|more|it if)
(i|we) (would|should|must|have to|will have to|need to|want to|wish to|had better|do) (like to|also|just|still|first|) (ask|know|hear|enquire|inquire|check with you|settle with you|find out)
i (am|feel) (obliged|bound|supposed|meant) to ask
(would|might|could|will) (really|also|certainly|greatly|) (help|be helpful|be useful|assist) (me|us|) (a lot|greatly|) (to know|if|to have|to hear|knowing)
(useful|helpful|good|great|handy|nice|best|easier|better|quicker|grand|lovely|a help) (to know|if you could|if you would|if you told|if i knew|to hear)
(if|once|when|until|unless) (only|) (i|we) (just|only|also|) (knew|know|had|have) (a|an|the|your|which|what|whether|if|where|when|how|from|about|)
(if|once|when|as soon as) you (could|would|can|will|) (just|only|also|kindly|) (tell|told|let|give|gave|name|named|specify|specified|say|said|share|indicate|indicated|choose|pick|confirm|decide|have decided) (me|us|)
(i|we) (wonder|wondered|was wondering|am wondering)
i (do not|still do not|have yet to|have no idea|can not|could not|can not quite|did not|have not) (yet|quite|quite|really|) (know|understand|catch|grasp|hear|see|make out|work out|figure out|tell|got|decide|get|been told|caught|worked out)
(i|we) have (no|yet no|still no|no idea|nothing on|nothing about|nothing for|yet to hear|yet to learn|got no|not got)
you (have not|did not|have never|never|do not|forgot to|have yet to|left out|omitted|skipped) (yet|really|actually|) (said|say|told|tell|mention|mentioned|specified|specify|given|give|indicated|stated|state|name|named|)
you (can|may|could|might|are free to|are welcome to) (also|simply|just|) (tell|choose|pick|specify|name|select|let|indicate|go for|answer)
(missing|unanswered|unfilled|outstanding|to be confirmed|to be decided|tbd|tbc) (:|is|are|from|on|in|)
(what|all|the only thing|only thing|the one thing|one thing|the last thing|the thing|things|the only things|everything) (that|) (i|we) (still|now|really|only|) (lack|need|miss|am missing|have to know|do not know|want to know|can not|am after|am lacking|need to know|have left to ask|would like to know|is missing)
(one|two|three|four|five|a few|some|a couple of|1|2|3|4|5|the|just|only|last|next|first|final|another|more) (more|quick|last|final|little|small|short|things|simple|other|) (question|questions|query|queries|qs|q|things|blanks|gaps|boxes|points|matters) (for you|left|remain|remains|remaining|first|to go|still|is|are|) :
(question|questions|q|qs|query|queries) (for you|)
(that|which|it) (only|just|) leaves (us|me|) (only|with|)
(leaves|left) (only|just) (the|your)
(what|which) remains
(remains|remain) to be
remaining :
(left|still|yet) to (settle|decide|clarify|ask|establish|sort out|pin down|fill in|be filled|be settled|be decided|determine|discuss)
still (missing|open|to come|needed|need|required|unknown|unclear|wanted|blank|to do|to fill)
(last|final|missing|only|remaining|next|one|first) (missing|remaining|open|) (piece|bit|thing|point|item|detail|question|gap|blank|matter|unknown|hurdle|ingredient|box) (of the (puzzle|jigsaw|picture)|left|open|on my (list|sheet|form)|) (is|:|are|concerns|would be)
(one|two|three|four|five|a few|a couple of|some|just|1|2|3|4|5) (more|last|final|quick|small|little|other|brief) (thing|things|point|points|matter|matters|detail|details)
@still (do not|can not) (know|have|see|tell)
@(not|still not|am not) (sure|certain|clear) (yet|) (which|what|whether|if|about|on|how|when|where)
(permit|allow) me to (ask|enquire|inquire)
to (ask|enquire|inquire) (you|about|as to|after|of|for|which|what|whether|where|when|how|the)
i am (needing|requiring|wanting)
(i|we) take it
(say|tell me|let me know|know|choose|decide|pick|take your pick) which
@without (a|an|your|some|at least)
@whether you
(need|want|wish|love|like|have|got|ought|keen|eager) to (hear|know|learn|ask|be told|find out|establish|discover|determine|settle)
(find|finding) out (is|whether|which|what|if|where|how|when|about)
(hint|idea|clue|word|pointer|indication|note) (about|on|as to|of|regarding)
(now|so|next|then|and) , (about|on|to|for|regarding|what about)
(i|we) (could|can) (do with|use) (a|an|some|your|more|one|the)
(gap|gaps|blank|blanks|question|questions|thing|things|point|points|item|items|detail|details|box|boxes|matter|matters|unknowns|uncertainty|mystery) (still |)(remain|remains|is left|are left|left|missing|open|to fill|to settle)
(can not|could not|unable to|hard to|difficult to|impossible to|can hardly) (go on|go ahead|proceed|start|search|choose|continue|begin|recommend|narrow it down|decide|pick|do much|do anything|get far|help) * (without|until|unless|before)
what is your
(need|needed|required|wanted|missing|unknown|open|outstanding|lacking|todo|to do|please specify|please indicate|choose|options) :
my (only|next|last|first|one|final|second|third|other|remaining|) (question|query|request) (is|:|concerns|would be|to you|)
(it|everything|all|that|this|much|my choice|the choice) (all|) (depends|hinges) on (the|your|which|what|whether|where|when|how)
(say|give) the word
(awaiting|waiting for|i await|waiting on) your
(your|the) (choice|call|pick|decision) (is|:|yours|)
(choose|pick|select) (from|between|among|one|any)
feel free to (tell|mention|name|specify|share|add|choose|pick|say|indicate)
do not (hesitate|be shy|forget) to (tell|mention|name|specify|share|add|say|let|state)
(delighted|glad|happy|obliged|grateful|pleased|thankful|love|like|keen|eager) (to hear|if you|to know|to learn|to be told)
(obliged|grateful|thankful) for
(would|do|could|can) you mind (telling|saying|sharing|confirming|naming|specifying)
(what|how) about
care to (tell|share|say|name|specify)
any (idea|preference|thoughts|wish|view|strong feelings|opinion|feelings|favourite|objection|objections) (about|on|as to|regarding|for|to|of|)
(next|next up|now|up next|then|first|first up|first off|lastly|finally) :
(on to|over to|moving on to|turning to|now for|now to|next comes|next is|next up is|leaving us with|let us talk about|let us settle|let us discuss|let us turn to|let us start with|let us begin with|let us move on to|start with|let us pin down|let us fix|let us decide)
(i|we) (am|are) (asking|enquiring) (about|for|which|what|whether|because)
(i|we) ask (about|for|which|what|whether|you)
(may|can|could|might) (i|we) (just|also|kindly|quickly|) (confirm|check|verify|double check|assume|take it|conclude)
(to|must|need to|want to|would like to|let me|let us|just|i) (confirm|double check|verify) (:|that|you|whether|if|,|)
(check|confirm|verify) (my|the following|these|that|whether|if)
(i|we) (am|are|was) (asking|inquiring)
unless (you|i|told|otherwise|that|this|it)
if (you|there|it|the|any|your|either) * (matter|matters|have|prefer|care|mind|would rather|would prefer|do not mind|are open to|is important|are happy|is fine|are fine|is ok|want|like|would like)
correct me if (i am|that is|it is|this is|) (wrong|mistaken|not right|)
wanted to (ask|know|check|confirm)
the question (is|remains|now is|then is)
"""

AFTER = """
(is|are|remains|remain) (still|all|both|yet|the only thing|all that is|what is|what i am|the thing|the one thing|things|also|now|) (missing|open|unknown|outstanding|needed|required|unclear|to be decided|undecided|blank|empty|unanswered|unspecified|not clear|lacking|to be settled|tbd|a mystery to me|a blank|to be confirmed|left|up for grabs|wanting|unsettled|absent)
(would|could|will|might) (really|also|certainly|greatly|) (help|be helpful|be useful|be great|be handy|be good to know|be nice to know|be a great help|be welcome|be nice|be appreciated|do|do nicely|be enough|speed things up|suffice|do nicely|make it easier)
(is|are) something (i|we) (can not|could not|do not|still|need|have to|would)
(would|will|could|can) (save|spare|speed|go a long way)
(is|are) (all|what|the only thing|the one thing|everything|the only things|the last thing) (that|) (i|we) (still|now|) (need|lack|miss|am missing|do not know|require|am after|am lacking|want)
(helps|help) (me|us|) (a lot|)
has not been (settled|decided|mentioned|specified|given|chosen|fixed|named)
have not been (settled|decided|mentioned|specified|given|chosen|fixed|named)
(you have not|you did not|you never) (mentioned|mention|said|say|specified|specify|told me|tell me|given|give|stated)
(i|we) (still|) (do not|can not|could not) (yet|) (know|tell|work out|see)
(i|we) (am|are) (still|) (missing|lacking|unsure about|unsure of|unclear about|waiting for)
(i|we) (still|) (lack|need)
"""

NEGATED = """
(no|without|not) (need|reason|cause|point) (to|in|for) (you to|) (tell|telling|mention|mentioning|specify|specifying|repeat|repeating|name|naming|say|saying|give|giving|discuss|ask|asking|worry|state|know|go into|go over|explain|restate|confirm|choose|pick|decide|bother|fix|talk|settle|get into|spell|answer|)
no need (for|of)
(record|records|entry|entries|catalogue|database|listing|page|blurb|data|index|tool|metadata) (does not|do not|did not|will not|could not) (say|tell|state|list|give|mention|show|record|specify|reveal|know)
(need|needs) not (to|) (tell|mention|specify|repeat|name|say|give|discuss|ask|worry|state|know|explain|restate|confirm|choose|pick|decide|bother|trouble|concern|fill|answer|provide)
(do|does|will|would|should|shall|can|am|are|is) not (really|actually|even|further|) (need|have|require|want|going) (to|your|the|a|any|you to) (be told|tell|know|ask|hear|mention|specify|choose|bother|trouble|repeat|say|discuss|give|name|worry|)
(you|we|i) (do not|need not|will not|would not) (have to|need to|need) (tell|mention|specify|repeat|name|say|give|discuss|ask|worry|state|explain|restate|confirm|choose|pick|decide|)
(will|shall|would|am|do|did|can|should|need|could|going) not (be|to|even|going to|now|again|) (ask|asking|enquire|bother you|bother|trouble you|trouble|pester you|press you|inquire|quiz you|query|question|raise|nag|go into|bring up)
(do not|never|please do not) (tell|mention|repeat|worry|bother|trouble|tell me|mind about|bother with|bother about|fret)
@(never mind|forget|forget about|leave aside|leaving aside|setting aside|put aside|skip|skipping|ignore|ignoring|drop|leaving|regardless of|irrespective of)
(regardless of|irrespective of|whatever|whichever|no matter|never mind|leaving aside|setting aside)
(let us|let me|i will|we will|we can|i can|i shall|i would|i am) (just |simply |)(skip|skipping|ignore|ignoring|drop|dropping|forget|leave|leaving|set aside|leave aside|leave out)
(do not|not) (think|believe|suppose) (i|we|you) (really |even |)(need|have|require|must|should|ought)
(not|hardly) (necessary|needed|required) (to|for)
(no|without) (further|more|other|) (questions|question|queries) (about|on|regarding|as to|concerning|from|for|)
without (asking|knowing|you telling|telling|needing|having|being told)
(no longer|hardly|scarcely) (need|needs|require|requires|have to ask|needed|required)
(rather than|instead of) (asking|ask|quizzing|bothering)
(stop|avoid|refrain from|spare you|save you|skipped|skip|resist|not) asking
(spare|save) you the
goes without saying
(does not|do not|did not) (matter|interest me|concern me) (to me|here|for now|)
have no (further|more|other) questions
(already|have|had) asked
"""

KNOWN = """
@(i|we) (have|had|already have|now have|think i have) (already|now|only|just|) (got|noted|your|the|recorded|both|all|written down|taken down|down|jotted|registered|understood)
@(i|we) (already|now|do|) (know|knew|understand|understood|noted|see|saw)
@(i|we) (already|now|do) (have|got)
(i|we) already (have|know|got)
(i|we) (have|had) (already|now|) (got|noted|both|jotted down|recorded|written down)
(so far|thus far|already) (i|we) (have|know|only have|have only)
(you|you have) (already|just|also|previously|kindly|did|clearly|only|) (said|told|mentioned|gave|given|wanted|wrote|asked for|asked|specified|stated|requested|indicated|chose|picked|named|told|settled|made clear|supplied|provided|answered|confirmed|mention|described) (me|us|that|)
(what|which) you (have|) (already|) (told|said|gave|given|mentioned|wrote) (me|us|)
(with|given|thanks for|thank you for|from|by|using|based on|on the basis of|per|as per|according to) (the|your|that|those) * (you gave|you have given|you mentioned|you told|already given|you supplied|you named|in hand|noted|in place|fixed|settled)
(noted|got it|understood|clear) :
(thanks|thank you|cheers) (for|)
(we have|i have) (done|covered|dealt with|settled|agreed|sorted|established|agreed on|fixed|ticked off|been through|locked in)
(that|this) (settles|covers|takes care of|fixes|answers|sorts|makes)
(so far|thus far|already)
as for what i have
with those
(works|work) for you
"""

SETTLED = """
(noted|settled|understood|recorded)
(is|are|was|were) (all|both|already|now|duly|safely|also|) (noted|settled|fixed|clear|known|decided|recorded|agreed|understood|taken care of|sorted|established|in my notes|in the bag|on my list|filled in|a given|locked in|in place|written down|down|covered|given|done|ticked|crystal clear|no problem|obvious|on file|specified)
(got it|understood|noted|gotcha|roger|done|will do|of course|duly noted)
it is (then|,|.|)
it (shall|will) be
(i|we) (have|already have|know|already know|can see|have got|understand|understood|remember|will leave|have noted|can work out|can guess|can infer|can tell|can read) (already|open|to|from|it|that|alone|)
(you|you have) (already|just|kindly|also|) (told|gave|given|mentioned|said|specified|supplied|named|provided|stated|asked for|wanted|answered|settled)
(does|do) not (matter|count|worry|bother) (to you|you)
(can|may|will) (stay|wait|remain|be skipped|be left|be)
(aside|apart)
(stays|remains|stay|remain) (as it is|as is|open|the same|unchanged)
"""

EXCEPT = """
(apart|aside) from
(besides|except|excepting|excluding|beyond|outside of|outside|barring|bar|save for|leaving out)
except for
(on top of|in addition to|over and above|further to|not counting)
(other than) (the|your|that|this)
"""

GROUND = """
(since|because|seeing that|seeing as|given that|considering|considering that|now that|knowing that|knowing|in that case|inasmuch as|provided that|so that)
as (you|i|we|it|this|that|they) (are|were|said|want|wanted|have|had|asked|mentioned|like|told|is|was|requested|specified|love|enjoy)
given (your|the|a|an|how|what)
(based|judging|going|working) (on|from|by)
in (view|light) of
@to (find|get|suggest|recommend|choose|pick|give|select|match|offer|locate|spot|see|narrow|start|begin|help|make|do|search|serve|hunt) (you|us|me|a|an|the|your|my|for|)
(with|for) (that|this|the|your|a|an|such) * in (mind|hand)
@(for|in) (a|an|your|the|this|that|such a) (good|great|fine|perfect|nice|proper|decent)
@(there is|there are) (a|an|lots|plenty|many|so|hundreds|dozens|loads|too)
"""

PLAN = """
@(i|we) (will|can|could|shall|would|should|am going|might|may|intend|plan|propose|promise) (then|also|now|only|) (narrow|find|search|start|pick|get|suggest|recommend|look|go|have|hunt|dig|filter|propose|give|return|see|cut|make|begin|come|take|check|run|hand|show|bring|serve|fetch|offer|proceed|continue|try|choose|select|consult|list|open|work|assume|guess|stick|redo|report|leave|cast|weigh|rule|skip|match|pull|put|present|send|sort|stop|tell|keep|apply)
@(i|we) will be
so (that|) (i|we) (can|may|could|will|know)
(and|then|so) (i|we) (will|can|could|shall|am going)
@(there|it|that|this) (is|was|are|will|would) (then|also|only|) (no|narrow|let|allow|save|make|cut|be)
"""

ITEM = """
(have|had|did) you (already|ever|perhaps|by any chance|by chance|possibly|also|even|recently|actually|maybe|) (seen|read|watched|heard|tried|come across|encountered|been to|finished|started|see|like|enjoy|love|finish|watch|happen to|read)
(has|have|did) (he|she|they|anyone|your friend|your niece|your partner) (already|ever|) (seen|read|watched|see|read|watch|like|enjoy)
(which|what) (of these|of those|ones|of them|films|books|film|book|titles) (have|did|had) you
(what|which) (have|did) you (last|recently|just|) (read|seen|watched|see|watch|like|enjoy|think|love|make)
(what|which) (do|did|does|is) (you|it) (like|love|enjoy|think|make|find|appreciate|mean) (about|of|most|best|in)
(may|can|could|might|shall|should) (i|we) (perhaps|just|then|also|humbly|) (propose|recommend|suggest|offer|interest you|tempt you|press|put forward|present|nominate|recommend you|submit|introduce|point you|steer you|draw your)
(does|do|did|would|will|could|might) (that|this|it|these|this one|either|any of these|one of these|any|they) * (sound|appeal|suit|interest|tempt|work|do|tickle|fit|please|strike|look|take your fancy|fit the bill|hit the spot|float)
(would|do|will|did) you (like|want|accept|take|fancy|prefer|enjoy|go for|consider|approve of|be happy with|be interested in) (this|that|it|these|one of these|the first|the second|either of these|any of these|to try this|to see this|to read this|to go with this|to watch this|to watch it|to read it|to try it)
(is|are|was|were) (this|that|it|one of these|any of these|these|either of these) (one|) (a|an|to your|what you|more like|something|the one|good|acceptable|suitable|of interest|up your|close|too|any good|your cup|anything like|perfect|it)
(happy|satisfied|pleased|content|ok|fine|comfortable) with (this|that|it|my|the suggestion|the choice|the pick|one of these)
(what|how) (do|did) you (think|say|feel|reckon|find) (about|of|to|) (this|that|it|the|)
(thoughts|verdict|deal|tempted|interested|sold|convinced|agreed|intrigued)
how (does|do|would|about) (that|this|it|{title})
how many
how often
how (much|long) (do|does|have|has|will|would|should|can|could|must|may|time|is)
(do|did) you know (of|about|it|this)
(can|could|may|might) i (interest|tempt) you
(who|whom|why)
(what|which) (is|was|are) (it|wrong|so) (about|with|good|special|that)
what (made|makes|draws|drew|attracts|attracted|got|appeals|brought|put) you
(when|where) (do|did|will|would|are|is|can) (you|she|he|they|i|your|the party) (need|want|plan|live|based|going|located|have|leave|birthday|get|writing|from|buy|shop)
(is|are) (it|this|that|they) (for|a gift|a present|your)
who is your
how (is|are|was|were) (you|your|the|things|that|this)
""".replace("{title}", TITLE)

PROCESS = """
(shall|should|may|can|could|must|might|do you want|would you like|want|would you prefer|are you happy for|would you rather|do you wish|like) (i|we|me to|us to|for me to|me) (just|now|then|also|quickly|perhaps|simply|go ahead and|) (go on|go ahead|continue|proceed|show|list|tell you|look up|look it|check|sort|rank|order|send|explain|recommend|commit|book|reserve|start|begin|repeat|translate|compare|describe|wait|try again|give you|present|move on|carry on|keep going|keep searching|keep looking|read out|read you|summarise|share|search again|retry|run the|hand over|finalise|order it|write|stop|leave it|find out|look for another|suggest another|propose another|pick another|try another|search for another|look further|dig|email|remind|save|remember|add it|put it|count|consult)
to (just |quickly |)(check|look up|verify|search|consult|look at|go through|browse|scan|see) (the|its|their|which|all|in|my|each|every)
(let me|i will|i am going to|allow me to|i shall|i would) (just|now|quickly|first|) (check|look up|look|search|see|consult|browse|scan|verify in|have a look|query)
ready (to|for)
(can|could|may) you (wait|hold on|bear with|give me a (moment|minute|second))
(give me|just|one|wait) (a|one|) (moment|minute|second|sec)
(hold|bear|hang) (on|with|tight)
"""

RHETORIC = """
(who|what|where) (does|could|would|can|is) (not|possibly|ever|) (not|resist|say no|love|want|like|know|begin|argue|ask for|beat|think|blame)
who (does|would|could|can) not
what (could|can|would) be (nicer|better|finer|more|lovelier|sweeter|cosier)
(is not|are not) * (wonderful|great|lovely|marvellous|fantastic|amazing|glorious|brilliant|delightful|fun|funny|splendid|terrific|beautiful|fascinating)
(do not you|do you not) (just|simply|) (love|adore)
who (knew|knows|needs|cares|said|says)
(what|where) would (we|life|the world|cinema|literature) be
(is not|are not|was not) (it|that|this|they) (a|an|just|so|such|lovely|funny|wonderful|great|strange|odd|nice|always|something)
did you know
(guess|know) (what|why|where)
why not
and why not
what better
(is there|what is) (anything|there) (better|not to love|not to like|more|nicer|finer) (than|)
(how|what) (could|can) (i|anyone|one|we) (resist|not|refuse|possibly|forget|say no)
(how|what) (cool|lovely|nice|great|exciting|sweet|wonderful) (is that|is this|)
(remember|you know) (when|how|that)
(could|can|would) there be (a|an|any|anything)
what can (i|one) say
(need|must) (i|one) say more
and what (a|an)
"""

TOPIC = """
@(as for|as to|as regards|regarding|concerning|about|when it comes to|on the subject of|speaking of|talking of|with regard to|with respect to|in terms of|on the|on the question of|then there is|there is also|there is still|and then the|now the|now|next|also|re|of|for|in|under) (the|your|)
"""

IF = """
@(if|should|in case|supposing|assuming|provided) (you|there|it|the|any|your|that|either)
"""

HEDGE = """
(i|we) (have|will|would|shall|am|had|) (just|simply|only|also|provisionally|therefore|) (assume|assumed|assuming|presume|presumed|presuming|suppose|supposed|guess|guessed|guessing|gather|gathered|infer|inferred|suspect|suspected|believe|took it|take it|taken it|imagine|going with|gone with|put down|put you down|take|conclude|concluded|understand)
(my|the) (assumption|assumptions|guess|hunch|understanding|impression) (is|are|was|:|so far|)
(presumably|supposedly|apparently|i take it)
"""

RECAP = """
(sounds|sound|seems|looks|appears) (like|as if|as though|to me|that|to be|you)
(to clarify|to be clear|just to be sure|just to be clear|to make sure|just to make sure|to be sure|just checking|double checking|if i understand (you|) (correctly|right|rightly)|if i understood|if i have understood|to recap|to sum up|in short|in summary|so) (,|:|that is|)
you (want|would like|are after|are looking for|need|prefer|did say|did want|do want|must mean|mean)
"""

CHECK = """
(is|was|are) (that|this|it|all that|all this|all of that|everything|these|both|they) (all|both|about|still|) (right|correct|so|accurate|ok|true|the case|what you want|what you meant|what you mean|what you said|as you wish|fine)
(have|did|do) i (got|get|have|understood|understand|read|hear|heard|remember|note|noted) (that|it|this|you|all that|everything|them) (all|) (right|correctly|rightly|well|straight|correct|down right|)
(am|was) i (right|correct|mistaken|wrong|on the right track|reading you right)
(do|does|did) (both|these|they|this|that|all|it|either|those|all of these|all three|all four|any of these|each) (still|all|both|) (hold|apply|stand|right|correct|match what you|true|look right|look correct|sound right|sound correct|need|stay)
is the (first|second|third|last|other|former|latter) (one |point |assumption |part |)(right|correct|true|ok|fine)
(can|could|would|will) you (please|kindly|just|) (confirm|verify|double check) (that|this|it|these|both|them|)
please (confirm|verify) (that|this|it|these|both|)
(would|do|will) you (mind|accept) (that|this|it)
(would|will|might|could|is) (that|this|it) (still |)(be |)(ok|fine|all right|acceptable|a problem|possible|agreeable|good enough|too much)
(i have|have i) (got|understood|noted) (this|that|it|everything) (right|correctly)
@(right|correct|yes|ok|agreed|yeah|yep|true|confirmed|no|accurate|still true|fair)
(looks|sounds|all) (right|correct)
any (corrections|correction|objections|objection|mistakes|errors)
(if not|if so) , (which|what|tell|let)
did i (miss|mishear|misread)
"""

INVITE = """
correct me
(if|in case) * (wrong|mistaken|incorrect|not right|disagree|otherwise|not so|off|not true|differ|object)
(shout|holler|shout out|yell|speak up|stop me|say so|protest|object|tell me|let me know|say|just say) (if|unless|when|otherwise)
(shout|holler|yell|protest|speak up|speak now)
unless
tell me otherwise
let me know if not
(change|correct|amend|fix|strike out|edit|overrule|adjust) (it|that|this|them|any|anything|me|either|whatever)
if not
"""

POINTER = """
(which|what|whichever) (one|ones|of (the|these|those|them)|would|do|is|suits|works|should|shall|it|you|applies|apply|to|matters|matter|are|,|)
(any|either|one|each|all|both|some|most|none) of (these|those|them|the two|the above|which)
(a|any|your|some|strong|particular|no) (preference|preferences|choice|thoughts|favourite|pick|wish|wishes|ideas|view|limit|limits|constraint)
(does it|do they|do these|does that) (really |)matter
(where|which) (do|would) you (stand|lean)
(what|which) (do|would|will|did) you (prefer|like|choose|fancy|pick|say|mean|have in mind|want|need)
(what|how) (shall|should) (it|i|we) (be|put|write)
(fill|filled) (in|out|it|this)
(blank|gap|box)
"""

PRONOUN = """
(it|them|that|these|those|this|one|either|both|neither|yours|matter|matters)
"""

GENERIC = """
(anything|everything|whatever) (else|more|further|missing|special|specific|important)
something (else|missing|special|specific|important) (you|that|i|we)
(which|what) other (things|aspects|matters|points|factors|boxes|considerations|elements)
(anything|something|everything|whatever) in particular
(anything|something|everything|whatever) (that|) (i|we) (have|) (missed|forgot|forgotten|overlooked)
(anything|something|everything|whatever) (that|) (i|we) (should|ought to|must|need to) (know|consider|watch|bear|keep|avoid|have|take)
(anything|something|everything|whatever) (that|) you (want|need|require|insist|would like|would rather|particularly|absolutely|can tell|wish|feel|hate|dislike|must|expect|really|definitely|especially|do not want|can not stand|would prefer)
(anything|something|everything) (that|) (matters|counts|to add|at all|to avoid|i left out|to go on)
what else
(tell|told|say|telling|share|know) (me|us|) (just|) (a bit|a little|a little bit|some|something|) more
(a bit|a little|some|slightly|many|few) more (detail|info|information|context|to go on|specific|about what|about your)
(be|being) (a bit|a little|slightly|somewhat|) (more|) (specific|precise|explicit|detailed)
(elaborate|expand) (on|a bit|a little|further|please|)
(can|could|would|will|please|kindly) (you|) (please|kindly|) narrow (it|this|that|things|your)
help me narrow (it|things|this|that)
what (matters|counts|is important|would make|makes|do you care|is essential|are the essentials|is on your|comes to mind|would suit|would be ideal|would you rather)
(is|was|would) (that|this|it) (be|) (all|everything|the lot|the whole list|the full list|your full list|a complete list|complete|it)
(does|do) (that|this) cover (everything|it|all)
have i (got|covered|missed|forgotten|overlooked|left|understood) (everything|anything|something|out|it all)
did i (miss|forget|overlook|leave) (anything|something|out)
fill me in
(more|something|enough|little|much) to go on
(in|with|give) (as|) (much|more) (detail|details|information) 
the more (you|details|detail)
(your|the) (wish list|wishlist|shopping list)
please (go on|continue|say more|be specific)
pray (continue|go on|elaborate)
"""

OPENING = """
(describe|outline|sketch|detail|picture) (the|your|a|me|what|exactly|in) * (you|{item}|want|need|mind|detail)
(tell|give) me (about|all about|everything about|of) (the|your|what|a) (very|) ({item}|ideal|perfect|dream|you|want|need|wish|kind of request|request)
what (can|could|would|will) you (tell|like to tell|say|share) (me|us|) (more|)
what (are|is) (you|we) (really|actually|) (looking for|after|hoping for|searching for|in the mood for|seeking|wanting|hunting for|in search of|craving)
what (do|would|did) you (have in mind|need|wish for|look for|require|expect|desire|want from|expect from)
what (would|do) you (like|want|wish|love|fancy|care|prefer) to (read|watch|see|find|have|buy|get)
what (do|would|did) you (fancy|want|like) (today|tonight|this evening|from|exactly|then|instead|next)
what exactly (do|would|are|is)
what (should|must|shall|ought|do|can|may|could) i (to|) (be looking for|look for|know|bear in mind|keep in mind|search for|find|take into account|consider|go by|note|need to know|aim for|focus on|be searching for|be aware of|look out for|avoid|go on|try|offer)
(how|what) (can|may|could|might|should) i (help|assist|serve|do for|be of|best)
how may i be
what (have|did) i (missed|miss|forgotten|forget|overlooked|overlook|left out|leave out)
(and|anything|what|is there anything|what about) (beyond|besides|apart from|other than|except) (that|this|those|these)
what (was|is|were) missing
(and|what) otherwise
what brings you
(your|the|an) (ideal|perfect|dream) {item}
(tell|let|telling) (me |us |)(know |)(exactly |)what you (would like|want|need|are after|are looking for|have in mind|fancy|prefer|wish|would prefer|feel like|like|would love)
what (sort|kind) of (thing|recommendation|request) (do|are|would|should)
"""

SERVICE = """
(anything|something) else (that|) (i|we) (can|could|may|might) (do|help|assist|offer)
(help|assist) (you|) with (anything|something)
do (anything|something) else
(anything|something) else (today|tonight) (i|we)
(look|search|hunt|try|go|looking|searching|propose|suggest|find|recommend|offer|pick|choose|see|show you|watch|read|want|prefer|like) (for|) (anything|something) (else|different|more|further|special)
(anything|something) else (by|from|in the|entirely|like|of)
(anything|something) more (like|recent|modern|like this|light|serious|challenging|cheerful)
(anything|something|what) else (have|did|has|he|she|they|do|does|you have|you enjoyed|you liked|you loved|that you have) (you|) (read|seen|watched|enjoyed|liked|loved|written|made|direct|directed|write|like|enjoy|love)
(would|do|should|shall|want|can|could|may|will) (you|i|we) (like|want|wish|need|care for|share|offer|find|look up|get|give you) (to hear|to have|to know|to see|me to give you|) (some|any|a few|the|a bit|a little|) (more|further|additional|other|background)
(for|find|found|here are|with|without|have|see|show|give you|gives|offers) (some|the|any|a few|a|) (more|further|additional|other) (details|detail|info|information|context)
(more|further|additional) (details|detail|info|information) (about|on|of|for) (it|this|that|the)
(tell|say) you (a bit|a little|some|) more
nothing else
(is|was|would) (that|this|it) (be |)all right
(no|without|thanks for the|thank you for the|thanks for all the|thank you for all the) (other|further|more|additional|extra|)
what else (can|could|shall|should|may|might) i (do|offer|suggest|recommend|help|show|propose|say|tell)
(any|some) other {item}
more (about|on) (it|this one|this {item}|the {other})
(any|some|your) (thoughts|comments|remarks) (on|about) (this|that|it|the)
(meets|match|matches|meet|fits|fit|matching|fitting|meeting|satisfies|satisfy|fulfils|ticks|from|with|against|on|to) (all|all of|both|) (your|the|of your|these|those) (exact|other|remaining|main|)
(found|checking|reading|fetching|looking up) (the|their|its|some|) (full|)
"""

EXAMPLE = """
(for|eg|for) (instance|example)
(such as|like|eg|ie|say|including|namely|perhaps|maybe|notably)
"""

PATTERNS: dict[Sign, str] = {
    Sign.WISH: WISH,
    Sign.LOOSE_WISH: LOOSE_WISH,
    Sign.OPENING: OPENING,
    Sign.RECAP: RECAP,
    Sign.PRONOUN: PRONOUN,
    Sign.ASK: ASK,
    Sign.AFTER: AFTER,
    Sign.NEGATED: NEGATED,
    Sign.KNOWN: KNOWN,
    Sign.SETTLED: SETTLED,
    Sign.EXCEPT: EXCEPT,
    Sign.GROUND: GROUND,
    Sign.PLAN: PLAN,
    Sign.ITEM: ITEM,
    Sign.PROCESS: PROCESS,
    Sign.RHETORIC: RHETORIC,
    Sign.TOPIC: TOPIC,
    Sign.IF: IF,
    Sign.HEDGE: HEDGE,
    Sign.CHECK: CHECK,
    Sign.INVITE: INVITE,
    Sign.POINTER: POINTER,
    Sign.GENERIC: GENERIC,
    Sign.SERVICE: SERVICE,
    Sign.EXAMPLE: EXAMPLE,
}
