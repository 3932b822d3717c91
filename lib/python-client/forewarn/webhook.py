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
    """A call that is not Forewarn's, is too old, was changed on the way, or cannot be checked because the secret is missing."""


class Notification(NamedTuple):
    """What was sent. `id` is the same on every attempt of one notification, so that you can ignore what you have seen."""

    kind: str
    id: str
    fields: Dict[str, Any]


def open_webhook(
    headers: Mapping[str, str], body: Union[bytes, str], secret: Optional[str], now: Optional[float] = None
) -> Notification:
    """Verifies a webhook with the site's signing secret (`whsec_…`) and reads it. `body`: as it came, before anything parsed
    it. `now`: seconds since 1970, if not the system's time. Raises WebhookRefused."""
    given = {name.lower(): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else body

    def header(name: str) -> str:
        if name not in given:
            raise WebhookRefused(f"The header {name} is missing.")
        return given[name]

    key = _key_of(secret)
    message_id = header("webhook-id")
    _verify(key, message_id, header("webhook-timestamp"), header("webhook-signature"), content, now)
    is_json = header("content-type").startswith("application/json")
    try:
        fields = json.loads(content) if is_json else _fields_of_form(content)
    except ValueError:
        raise WebhookRefused("The body cannot be read.") from None
    action = _KINDS.get(str(fields.get("action")))
    kind = action or ("postback" if "txid" in fields and "alert_type" not in fields else "new_alert")
    return Notification(kind, message_id, fields)


# In bytes, as Standard Webhooks asks: a shorter key is a secret that was not set, or not copied completely.
_SHORTEST_KEY = 24


def _key_of(secret: Optional[str]) -> bytes:
    text = secret.strip() if isinstance(secret, str) else ""
    try:
        key = base64.b64decode(text[len("whsec_") :] if text.startswith("whsec_") else text, validate=True)
    except (binascii.Error, ValueError):
        raise WebhookRefused("The signing secret is not base64.") from None
    if len(key) < _SHORTEST_KEY:
        raise WebhookRefused("The signing secret is missing or too short: use the site's secret, whsec_….")
    return key


def _verify(key: bytes, message_id: str, seconds: str, signatures: str, body: bytes, now: Optional[float]) -> None:
    at = time.time() if now is None else now
    if not (seconds.isascii() and seconds.isdigit()) or abs(at - int(seconds)) > _TOLERANCE:
        raise WebhookRefused("The timestamp is more than five minutes away.")
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
