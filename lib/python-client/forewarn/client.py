"""Calls a Forewarn service. Which operations there are, and what they take and answer: client.pyi, made from the API document."""

import hashlib
import hmac
import http.client
import json
import platform
import random
import re
import threading
import time
import uuid
from functools import partial
from urllib import error, parse, request

from ._operations import IDEMPOTENT, METHODS, SIGNABLE, VERSION

_TOKEN_PATH = "/api/v2/index.php/gettoken"
# What only reads by its name, though it is called by POST as it has fields; see the guide "Errors and idempotency".
_ONLY_READS = re.compile(r"(?:/list|/details|/search|/status|/pulse|gettoken)$")


# The longest that retry-after is followed, in seconds.
_LONGEST_WAIT = 30.0
_AGENT = f"forewarn-python/{VERSION} python/{platform.python_version()}"


class ForewarnConnectionError(Exception):
    """No answer came, or one that cannot be read. Whether the service did what was asked is not known."""


class ForewarnError(Exception):
    """A refusal. `code` is for programs: it never changes, the words may. `request_id`: to give to the operator."""

    def __init__(self, status, body, request_id):
        self.status = status
        self.code = body.get("code") or body.get("error_code")
        self.details = body.get("details")
        self.doc = body.get("doc")
        self.request_id = request_id
        words = body.get("msg") or body.get("error_msg") or f"Status {status}"
        super().__init__(": ".join(str(one) for one in (words, self.details) if one))


class _Group:
    """The operations under one heading of the API reference, each as a method."""

    def __init__(self, client, names):
        for method, name in names.items():
            setattr(self, method, partial(client.call, name))


class _NoRedirects(request.HTTPRedirectHandler):
    """The service sends nobody elsewhere; a token must not follow."""

    def redirect_request(self, *_):
        return None


class Client:
    """A client of one service, as a program (`api_key`), a user (`user`: name and password) or a site (`rcode`, which signs its calls).

    `attempts`: how often a call that may be repeated is tried in all; `pause`: seconds before the second attempt, each
    further one twice as long; `timeout`: seconds for each attempt; `now`: seconds since 1970 for signatures, as the local service
    has a clock of its own.
    """

    def __init__(self, url, *, token=None, user=None, rcode=None, attempts=4, pause=0.25, timeout=30.0, now=time.time, api_key=None):
        self._base = url.rstrip("/")
        self._token, self._user, self._rcode = api_key or token, user, rcode
        self._attempts, self._pause, self._timeout, self._now = attempts, pause, timeout, now
        self._opener = request.build_opener(_NoRedirects())
        self._signing_in = threading.Lock()
        for group, names in METHODS.items():
            setattr(self, group, _Group(self, names))

    def call(self, name, *, path=None, query=None, body=None, idempotency_key=None, headers=None):
        """Calls an operation, named by its method and path. Raises ForewarnError if it is refused.

        `idempotency_key`: names the call, so that the service does it once; by default a new one for each call. Pass your own to
        repeat a call later.
        """
        method, template = name.split(" ", 1)
        if method == "POST" and idempotency_key is None:
            own = [value for header, value in (headers or {}).items() if header.lower() == "idempotency-key"]
            idempotency_key = own[0] if own else str(uuid.uuid4())
        headers = {header: value for header, value in (headers or {}).items() if header.lower() != "idempotency-key"}
        if self._token is None and template != _TOKEN_PATH:
            self._sign_in(None)
        used = self._token
        given = (method, template, path, query, body, idempotency_key, headers)
        try:
            return self._persistently(*given)
        except ForewarnError as refusal:
            if refusal.status != 401 or self._user is None or template == _TOKEN_PATH:
                raise
        # Nothing was done: the token had run out.
        self._sign_in(used)
        return self._persistently(*given)

    def each(self, name, *, path=None, body=None):
        """Calls a list operation and yields its items, page by page. `body`: filters, and the `size` of a page."""
        asked = dict(body or {})
        while True:
            page = self.call(name, path=path, body=asked)
            yield from page["list"]
            if page.get("next_cursor") is None:
                return
            asked["cursor"] = page["next_cursor"]

    def _sign_in(self, old):
        """Threads that need a token at the same time wait for one sign-in. `old`: the token that the service refused."""
        if self._user is None:
            return
        with self._signing_in:
            if self._token != old:
                return
            self._token = None
            username, password = self._user
            body = {"username": username, "password": password}
            self._token = self._persistently("POST", _TOKEN_PATH, None, None, body, None, None)["access_token"]

    def _persistently(self, method, template, path, query, body, key, headers):
        """Tries again what a broken connection or a fault that passes has stopped, where that can do no harm."""
        may_repeat = method == "GET" or _ONLY_READS.search(template) or f"{method} {template}" in IDEMPOTENT
        tries = 1
        while True:
            is_last = not may_repeat or tries >= self._attempts
            usual = _spread(self._pause * 2 ** (tries - 1))
            try:
                return self._attempt(method, template, path, query, body, key, headers)
            except error.HTTPError as answer:
                if is_last or not _is_passing(answer):
                    raise _refusal(answer) from None
                wait = _seconds(answer.headers.get("retry-after"), usual)
            except (OSError, http.client.HTTPException, ValueError) as cause:
                if is_last:
                    raise ForewarnConnectionError(f"The service gave no answer that can be read: {cause}") from cause
                wait = usual
            time.sleep(wait)
            tries += 1

    def _attempt(self, method, template, path, query, body, key, headers):
        filled = re.sub(r"\{(\w+)\}", lambda found: parse.quote(str((path or {})[found[1]]), safe=""), template)
        url = self._base + filled + ("?" + parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        sent = {
            "user-agent": _AGENT,
            "authorization": f"Bearer {self._token}" if self._token else None,
            **self._proof(f"{method} {template}", body, data or b""),
            "idempotency-key": key,
            "content-type": None if body is None else "application/json",
            **(headers or {}),
        }
        given = {header: value for header, value in sent.items() if value is not None}
        call = request.Request(url, data=data, headers=given, method=method)
        with self._opener.open(call, timeout=self._timeout) as answer:
            return _read(answer.headers.get("content-type", ""), answer.read())

    def _proof(self, name, body, data):
        """A signature where the operation takes one, so that the rcode stays here; elsewhere the rcode.

        A body that is signed by its own `hash` is not signed again: the hash names an order without a `tid`, and another
        signature would make another order of it.
        """
        is_hashed = isinstance(body, dict) and "hash" in body
        if self._rcode is None or is_hashed or name not in SIGNABLE:
            return {"rcode": self._rcode}
        seconds = int(self._now())
        signature = hmac.new(self._rcode.encode(), f"{seconds}.".encode() + data, hashlib.sha256).hexdigest()
        return {"x-signature": f"t={seconds},v1={signature}"}


def three_d_secure_of(result):
    """The field `threeDSecure` of a payment, from the result that the page's SDK returned.

    Only the authentication's number is used; the service looks up the rest. Raises ValueError if the result has no number.
    """
    number = json.loads(result).get("authentication_id")
    if not isinstance(number, int):
        raise ValueError("The result has no authentication_id.")
    return {"threeDSecure": json.dumps({"authentication_id": number})}


def _is_passing(answer):
    """A conflict that passes has retry-after: the first attempt with the same key is in progress."""
    return answer.code == 429 or answer.code >= 500 or (answer.code == 409 and answer.headers.get("retry-after") is not None)


def _read(content_type, content):
    return json.loads(content) if content_type.startswith("application/json") else {"text": content.decode()}


def _refusal(answer):
    with answer:
        try:
            body = _read(answer.headers.get("content-type", ""), answer.read())
        except (OSError, http.client.HTTPException, ValueError) as cause:
            return ForewarnConnectionError(f"The service gave no answer that can be read: {cause}")
    return ForewarnError(answer.code, body, answer.headers.get("x-request-id"))


def _spread(seconds):
    """From half of a pause to all of it, so that callers that failed together do not return together."""
    return seconds * random.uniform(0.5, 1)


def _seconds(text, usual):
    return min(float(text), _LONGEST_WAIT) + _spread(0.25) if text is not None and text.isdigit() else usual
