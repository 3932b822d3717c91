import json
import os
import re
from concurrent.futures import ThreadPoolExecutor

from forewarn import Client, ForewarnConnectionError, ForewarnError


def snake(text):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), text)


def run(case):
    user = case.get("user")
    client = Client(
        case["url"], token=case.get("token"), user=user and (user["username"], user["password"]), rcode=case.get("rcode"),
        attempts=case.get("attempts", 4), pause=0.001, timeout=case.get("timeout", 30),
    )
    given = {"path": case.get("path"), "body": case.get("body"), "headers": case.get("headers"), "idempotency_key": case.get("key")}

    def call(_):
        if "method" in case:
            group, method = map(snake, case["method"])
            return getattr(getattr(client, group), method)(**given)
        return client.call(case["name"], **given)

    try:
        with ThreadPoolExecutor(8) as pool:
            return {"ok": list(pool.map(call, range(case.get("times", 1))))[0]}
    except ForewarnConnectionError:
        return {"connection": True}
    except ForewarnError as refusal:
        names = {"status": "status", "code": "code", "details": "details", "doc": "doc", "requestId": "request_id"}
        return {"refused": {name: getattr(refusal, own) for name, own in names.items()}}


print(json.dumps([run(case) for case in json.loads(os.environ["CASES"])]))
