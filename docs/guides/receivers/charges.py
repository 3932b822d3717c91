"""A service that lets Forewarn find and refund charges, in Python, without dependencies. Replace `charges` by your processor.

    SIGNING_SECRET=whsec_… PORT=8080 python3 charges.py
"""
import base64
import hashlib
import hmac
import json
import os
import time
from datetime import datetime, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ.get("SIGNING_SECRET", "").removeprefix("whsec_"))
if not key:
    raise SystemExit("SIGNING_SECRET must be the secret of the connection, whsec_…")

# Your processor's charges, and your refunds by idempotency key. Keep the refunds in your database.
charges = [
    {
        "reference": "ch_1", "type": "sale", "date": datetime.now(timezone.utc).isoformat().replace("+00:00", "Z"),
        "amount": "45.20", "currency": "USD", "card": {"first6": "411111", "last4": "1111", "brand": "visa"},
        "auth_code": "123ABC", "captured": "45.20", "refunded": "0.00", "charged_back": False, "settled": True,
        "subscription": None,
    }
]
refunds = {}


def is_genuine(headers, body):
    """Checks that Forewarn sent a call: it is signed with your secret, over exactly these bytes, within five minutes."""
    seconds = headers.get("webhook-timestamp", "")
    if not seconds.isdigit() or abs(time.time() - int(seconds)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{seconds}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split(" "))


def search(sent):
    if "reference" in sent:
        return {"charges": [one for one in charges if one["reference"] == sent["reference"]]}
    return {"charges": [one for one in charges if one["card"]["last4"] == sent["card"]["last4"]
                        and sent["amount"] in (None, one["amount"])]}


def list_charges(sent):
    """Optional, for imports of your history. With many charges, return a page and the cursor of the next one."""
    return {"charges": [one for one in charges if sent["from"] <= one["date"] < sent["to"]], "next_cursor": None}


def refund(sent):
    earlier = refunds.get(sent["idempotency_key"])
    if earlier:
        return earlier
    charge = next((one for one in charges if one["reference"] == sent["reference"]), None)
    if charge is None:
        return None
    if Decimal(sent["amount"]) > Decimal(charge["captured"]) - Decimal(charge["refunded"]):
        return {"status": "failed", "failure": "more than is left of the charge"}
    # Refund at your processor here, with the same idempotency key. Return `pending` if it is not done yet.
    charge["refunded"] = str(Decimal(charge["refunded"]) + Decimal(sent["amount"]))
    done = {"status": "succeeded", "refund_reference": f"re_{len(refunds) + 1}", "failure": None}
    refunds[sent["idempotency_key"]] = done
    return done


routes = {"/search": search, "/charges": list_charges, "/refund": refund,
          "/refund-state": lambda sent: refunds.get(sent["idempotency_key"])}


class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(401, {})
        found = routes[self.path](json.loads(body)) if self.path in routes else None
        self.answer(404 if found is None else 200, found or {})

    def answer(self, status, fields):
        text = json.dumps(fields).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Service)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
