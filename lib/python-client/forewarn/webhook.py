"""Webhooks of a Forewarn service: verified, and read whether they came as a form or as JSON."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union
from urllib.parse import parse_qs

_TOLERANCE = 300
_KINDS = {
    "statusupdate": "status_update",
    "alert_deadline": "alert_deadline",
    "enrollment_request_status_update": "enrollment_update",
}


class WebhookRefused(Exception):
    """A call that is not Forewarn's, is too old, or was changed on the way."""


class Notification(NamedTuple):
    """What was sent. `id` is the same on every attempt of one notification, so that you can ignore what you have seen."""

    kind: str
    id: str
    fields: Dict[str, Any]


def open_webhook(
    headers: Mapping[str, str], body: Union[bytes, str], secret: str, now: Optional[float] = None
) -> Notification:
    """Verifies a webhook with the site's signing secret (`whsec_…`) and reads it. `body`: as it came, before anything parsed
    it. `now`: seconds since 1970, if not the system's time. Raises WebhookRefused."""
    given = {name.lower(): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else body

    def header(name: str) -> str:
        if name not in given:
            raise WebhookRefused(f"The header {name} is missing.")
        return given[name]

    message_id = header("webhook-id")
    _verify(message_id, header("webhook-timestamp"), header("webhook-signature"), content, secret, now)
    is_json = header("content-type").startswith("application/json")
    fields = json.loads(content) if is_json else _fields_of_form(content)
    action = _KINDS.get(str(fields.get("action")))
    kind = action or ("postback" if "txid" in fields and "alert_type" not in fields else "new_alert")
    return Notification(kind, message_id, fields)


def _verify(message_id: str, seconds: str, signatures: str, body: bytes, secret: str, now: Optional[float]) -> None:
    at = time.time() if now is None else now
    if not (seconds.isascii() and seconds.isdigit()) or abs(at - int(seconds)) > _TOLERANCE:
        raise WebhookRefused("The timestamp is more than five minutes away.")
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        raise WebhookRefused("The secret is not base64.") from None
    mac = hmac.new(key, f"{message_id}.{seconds}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    # While a secret is rotated there are two signatures; one that is yours will do.
    if not any(hmac.compare_digest(one.encode(), expected) for one in signatures.split(" ")):
        raise WebhookRefused("No signature fits.")


def _fields_of_form(body: bytes) -> Dict[str, Any]:
    fields: Dict[str, Any] = {}
    for name, values in parse_qs(body.decode(), keep_blank_values=True).items():
        fields[name[:-2] if name.endswith("[]") else name] = values if name.endswith("[]") else values[0]
    if fields.get("txdetails"):
        fields["txdetails"] = json.loads(fields["txdetails"])
    return fields
