"""A receiver of Forewarn's callbacks in Python 3, without dependencies:

    SIGNING_SECRET=whsec_… PORT=8080 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

KEY = base64.b64decode(os.environ.get("SIGNING_SECRET", "").removeprefix("whsec_"))
if not KEY:
    raise SystemExit("SIGNING_SECRET must be the signing secret of your site, whsec_…")
# Your bearer token, if you have set one on the site.
TOKEN = os.environ.get("TOKEN")

# Every attempt at one notification has the same webhook-id. Keep these in your database.
seen = set()


def is_genuine(headers, body):
    """Whether a request comes from Forewarn: signed with your secret, over these very bytes, within five minutes."""
    message_id, seconds = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not message_id or not (seconds.isascii() and seconds.isdigit()) or abs(time.time() - int(seconds)) > 300:
        return False
    mac = hmac.new(KEY, f"{message_id}.{seconds}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(mac).decode()
    # While you rotate the secret there are two signatures, separated by a space. One that is yours will do.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


def fields_of(content_type, body):
    if content_type.startswith("application/json"):
        return json.loads(body)
    fields = dict(parse_qsl(body.decode(), keep_blank_values=True))
    if "txdetails" in fields:
        fields["txdetails"] = json.loads(fields["txdetails"])
    return fields


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        self.send_response(self.receive(body))
        self.end_headers()

    def receive(self, body):
        if TOKEN and self.headers.get("authorization") != f"Bearer {TOKEN}":
            return 401
        if not is_genuine(self.headers, body):
            return 401
        if self.headers["webhook-id"] in seen:
            return 204
        fields = fields_of(self.headers.get("content-type", ""), body)
        # Store it, answer, and work on it afterwards: you have 15 seconds.
        name = fields.get("action", "new_alert")
        subject = fields.get("alert_id", fields.get("request_id"))
        print(name, subject, fields.get("alert_type", fields.get("status", "")), flush=True)
        seen.add(self.headers["webhook-id"])
        return 204

    def log_message(self, *_):
        """Quiet: the line that `receive` prints is enough."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
