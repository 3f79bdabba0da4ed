"""An agent behind HTTP. Each reply comes with what the page needs to put thumbs under it."""

import json
import os
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from canvass_surveys import CanvassClient, CanvassError

canvass = CanvassClient(os.environ["CANVASS_URL"], os.environ["CANVASS_SECRET_KEY"], deadline=2.0)


def model(text: str) -> str:
    """The model, stubbed: call yours here."""
    return f"You said: {text}"


def binding(user: str, session: str, trace: str, message: str):
    """What the page's `bind` takes; none when this person may not be asked."""
    try:
        minted = canvass.mint_tokens(
            survey_slug="reply", respondent_id=user, session_id=session, trace_id=trace, observation_id=message
        )
        return minted["bindings"].get("reply")
    except CanvassError as error:
        print(error, flush=True)  # A reply without thumbs is better than none.
        return None


class Agent(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        user = asked["user"]  # Take it from your login, not from the page.
        message, trace = str(uuid.uuid4()), uuid.uuid4().hex  # The trace's id: from your tracing.
        reply = {
            "id": message,
            "text": model(asked["text"]),
            "binding": binding(user, asked["session"], trace, message),
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Agent)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
