"""An agent behind HTTP in twenty lines: python http_agent.py, then --agent http://127.0.0.1:8017"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(request: dict) -> dict:
    """Search once, then recommend the first result: {"say": …} speaks, {"calls": …} calls tools."""
    last = request["messages"][-1]
    if last["role"] == "user":
        return {"calls": [{"name": "search", "arguments": {}}]}
    found = json.loads(last["text"]).get("items", [])
    choice = found[0]["item_id"] if found else None
    return {"calls": [{"name": "recommend", "arguments": {"item_id": choice}}]}


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
