import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPythonClient } from '#lib/openapi/python-package.ts';
import { pythonType } from '#lib/openapi/python-types.ts';
import { receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('\n!!! SKIPPED: the Python client. python3 is missing.\n\n');

const folder = mkdtempSync(join(tmpdir(), 'forewarn-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that has only the package, and reads its output as JSON. */
const printedBy = async (program: string, environment: Record<string, string> = {}): Promise<unknown> => {
  const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', ...environment };
  const { stdout } = await run('python3', ['-W', 'error', '-c', program], { env });
  return JSON.parse(stdout);
};

it.each([
  [{ type: 'string' }, 'str'],
  [{ type: ['integer', 'null'] }, 'Union[int, None]'],
  [{ enum: ['a', 1, true, null] }, 'Union[Literal["a"], Literal[1], Literal[True], None]'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Alert' } }, 'list[Alert]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'dict[str, float]'],
  [{ anyOf: [{ const: 'x' }, { type: 'boolean' }] }, 'Union[Literal["x"], bool]'],
  [{}, 'Any'],
])('%j is %s in Python', (schema, type) => expect(pythonType(schema)).toBe(type));

describe.skipIf(!hasPython)('the Python client', () => {
  let service: TestStack;
  beforeAll(async () => {
    [service] = await Promise.all([startStack(), buildPythonClient(process.cwd(), folder)]);
  });
  afterAll(() => service.stop());

  const user = () => {
    const { username, password } = service.credentials.merchant;
    return { URL: service.url, USERNAME: username, PASSWORD: password };
  };

  it('calls with an API key', async () => {
    const body = { name: 'Shop', permissions: ['settings:read'] };
    const made = await service.call('/api/v3/api-keys/create', { token: await service.tokenOf('merchant'), body });
    const program = `
import json, os
from forewarn import Client, ForewarnError
client = Client(os.environ["URL"], api_key=os.environ["KEY"])
try:
    client.call("POST /api/v3/users/list", body={})
except ForewarnError as refusal:
    print(json.dumps([client.call("POST /api/v3/site/list", body={})["totalResult"], refusal.code]))
`;
    const environment = { URL: service.url, KEY: String(made.body['key']) };
    expect(await printedBy(program, environment)).toEqual([3, 'permission_missing']);
  });

  it('signs in, calls, and raises refusals by their code', async () => {
    const program = `
import json, os
from forewarn import Client, ForewarnError
client = Client(os.environ["URL"], user=(os.environ["USERNAME"], os.environ["PASSWORD"]))
total = client.call("POST /api/v3/site/list", body={"size": 1})["totalResult"]
try:
    client.call("POST /api/v3/site/{sid}/details", path={"sid": 999999})
except ForewarnError as refusal:
    print(json.dumps({"total": total, "words": str(refusal), **vars(refusal)}))
`;
    expect(await printedBy(program, user())).toMatchObject({
      ...{ total: 3, status: 404, code: 'site_not_found', doc: '/errors/site_not_found' },
      words: expect.stringContaining('sid: you have no such site.'),
      request_id: expect.any(String),
    });
  });

  it('signs the calls of a site', async () => {
    const { sid, rcode } = service.credentials.payment_site;
    const { seconds } = (await (await fetch(`${service.url}/_local/clock`)).json()) as { seconds: number };
    const program = `
import json, os
from forewarn import Client, ForewarnError
client = Client(os.environ["URL"], rcode=os.environ["RCODE"], now=lambda: float(os.environ["SECONDS"]))
body = {"tx_action": "PAYMENT", "card_type": "VISA", "card_no": "4242424242424242", "card_ccv": "123", "card_exp_month": "12",
    "card_exp_year": "2030", "firstname": "Jürgen", "lastname": "Example", "email": "j@shop.example", "currency": "USD",
    "item_name": ["Grüner Tee"], "item_amount_unit": ["12.00"], "postback_url": os.environ["URL"] + "/_local/sink/client"}
paid = client.call("POST /api/v1/index.php/{id}/singletx", path={"id": os.environ["SID"]}, body=body)
read = client.call("GET /api/v1/index.php/{id}/getstatus", path={"id": paid["txid"]})
# A body with a hash is signed by that alone.
try:
    hashed = {**body, "hash": "0" * 32, "timestamp": os.environ["SECONDS"]}
    client.call("POST /api/v1/index.php/{id}/singletx", path={"id": os.environ["SID"]}, body=hashed)
except ForewarnError as refusal:
    print(json.dumps([paid["status"], read["status"], refusal.code]))
`;
    const environment = { URL: service.url, SID: String(sid), RCODE: rcode, SECONDS: String(seconds) };
    expect(await printedBy(program, environment)).toEqual(['OK', 'OK', 'hash_wrong']);
  });

  it('signs in again after its token expired, only if it knows the user', async () => {
    const program = `
import json, os
from forewarn import Client, ForewarnError
given = (os.environ["USERNAME"], os.environ["PASSWORD"])
known = Client(os.environ["URL"], token="a.b.c", user=given).call("POST /api/v3/site/list", body={})
try:
    Client(os.environ["URL"], token="a.b.c").call("POST /api/v3/site/list", body={})
except ForewarnError as refusal:
    print(json.dumps([known["totalResult"], refusal.code]))
`;
    expect(await printedBy(program, user())).toEqual([3, 'unauthenticated']);
  });

  it('opens a webhook of the service, and refuses one that was changed, is old or lacks its signature', async () => {
    const alertId = await receive(service);
    const sent = service.sinks.got('demo').find(({ body }) => body.includes(String(alertId)));
    const program = `
import json, os
from datetime import datetime
from forewarn import WebhookRefused, open_webhook
sent = json.loads(os.environ["SENT"])
now = datetime.strptime(sent["time"], "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()
def why(body, at, headers):
    try:
        return open_webhook(headers, body, os.environ["SECRET"], now=at).kind
    except WebhookRefused as refused:
        return str(refused)
headers, body = sent["headers"], sent["body"]
opened = open_webhook(headers, body.encode(), os.environ["SECRET"], now=now)
unsigned = {name: value for name, value in headers.items() if name != "webhook-signature"}
print(json.dumps([opened.kind, opened.id, opened.fields["alert_id"], opened.fields["txdetails"][0]["alert_transaction"],
    why(body + "&amount=1", now, headers), why(body, now + 301, headers), why(body, now, unsigned)]))
`;
    const environment = { SENT: JSON.stringify(sent), SECRET: service.credentials.site.signing_secret };
    expect(await printedBy(program, environment)).toEqual([
      ...['new_alert', `ntf_${alertId}`, String(alertId), null],
      'No signature fits.',
      'The timestamp is more than five minutes away.',
      'The header webhook-signature is missing.',
    ]);
  });

  it('has a stub for every call, and in it no type that is nowhere', async () => {
    const program = `
import ast, builtins, json, os, sys, typing
from forewarn import schema
folder = os.environ["PYTHONPATH"] + "/forewarn/"
stub = ast.parse(open(folder + "client.pyi").read())
client = next(one for one in stub.body if isinstance(one, ast.ClassDef) and one.name == "Client")
calls = [one for one in client.body if isinstance(one, ast.FunctionDef) and one.name == "call"]
checkers = {"NotRequired"} if sys.version_info < (3, 11) else set()
known = set(dir(builtins)) | set(dir(schema)) | checkers
stubbed = known | set(dir(typing))
used = {one.id for call in calls for one in ast.walk(call) if isinstance(one, ast.Name)}
tree = ast.parse(open(folder + "schema.py").read())
texts = [one.value for field in ast.walk(tree) if isinstance(field, ast.Dict) for one in field.values]
inside = {one.id for text in texts for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name)}
names = [call.args.args[1].annotation.slice.value for call in calls]
print(json.dumps({"names": names, "unknown": sorted((used - stubbed) | (inside - known))}))
`;
    const { names, unknown } = Object(await printedBy(program));
    expect(unknown).toEqual([]);
    expect(names).toContain('POST /api/v3/site/{sid}/details');
    expect(names.length).toBeGreaterThan(100);
  });

  it('reads every page of a list, and sends only the number of a 3-D Secure result', async () => {
    const program = `
import json, os
from forewarn import Client, three_d_secure_of
client = Client(os.environ["URL"], user=(os.environ["USERNAME"], os.environ["PASSWORD"]))
sids = [site["sid"] for site in client.each("POST /api/v3/site/list", body={"size": 2})]
try:
    three_d_secure_of('{"eci": "05"}')
except ValueError as refused:
    print(json.dumps([len(set(sids)), three_d_secure_of('{"authentication_id": 7, "eci": "05"}'), str(refused)]))
`;
    expect(await printedBy(program, user())).toEqual([
      3,
      { threeDSecure: '{"authentication_id": 7}' },
      'The result has no authentication_id.',
    ]);
  });

  it('carries the version of the service', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readFileSync(join(folder, 'pyproject.toml'), 'utf8')).toContain(`version = "${version}"`);
  });
});
