"""An agent behind HTTP in twenty lines: python http_agent.py, then --agent http://127.0.0.1:8017

It serves both suites: in tau_rec a tool takes the recommendation, in recbench its words are it.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(request: dict) -> dict:
    """Search once, then recommend the first result: {"say": …} speaks, {"calls": …} calls tools."""
    last = request["messages"][-1]
    decides = "recommend" in [tool["name"] for tool in request["tools"]]
    if last["role"] == "user":
        wanted = {} if decides else {"keywords": last["text"]}
        return {"calls": [{"name": "search", "arguments": wanted}]}
    found = json.loads(last["text"]).get("items", [])
    if decides:
        choice = found[0]["item_id"] if found else None
        return {"calls": [{"name": "recommend", "arguments": {"item_id": choice}}]}
    named = [{"title": item["title"], "id": item["item_id"]} for item in found[:1]]
    return {"say": json.dumps({"recommendations": named})}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(answer(request)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # Many customers may call at once.


if __name__ == "__main__":
    Server(("127.0.0.1", 8017), Handler).serve_forever()
