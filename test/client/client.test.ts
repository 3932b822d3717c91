import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '#lib/openapi/client-package.ts';
import { clientTypes, toType } from '#lib/openapi/client-types.ts';
import { receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'forewarn-client-'));
const shop = join(folder, 'shop');

/** Installs only the package: from the packed file, without a registry. */
const install = async (): Promise<void> => {
  await buildClient(process.cwd(), join(folder, 'package'));
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(folder, 'package'),
  });
  mkdirSync(shop);
  writeFileSync(join(shop, 'package.json'), '{"name":"shop","private":true,"type":"module"}');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...quiet, join(folder, stdout.trim())], { cwd: shop });
};

/** Reads as JSON what a program of the shop prints. */
const printedBy = async (program: string, environment: Record<string, string>): Promise<unknown> => {
  writeFileSync(join(shop, 'program.js'), program);
  const { stdout } = await run(process.execPath, ['program.js'], {
    cwd: shop,
    env: { PATH: process.env['PATH'], ...environment },
  });
  return JSON.parse(stdout);
};

let service: TestStack;
beforeAll(async () => {
  [service] = await Promise.all([startStack(), install()]);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the installed client', () => {
  it('signs in, calls, and throws refusals by their code', async () => {
    const program = `
      import { createClient, ForewarnError } from 'forewarn-client';
      const client = createClient({ url: process.env.URL, user: { username: process.env.USERNAME, password: process.env.PASSWORD } });
      const { totalResult } = await client.call('POST /api/v3/site/list', { body: { size: 1 } });
      const refused = await client.call('POST /api/v3/site/{sid}/details', { path: { sid: 999999 } }).catch((error) => error);
      console.log(JSON.stringify({ totalResult, isOurs: refused instanceof ForewarnError, ...refused }));`;
    const { username, password } = service.credentials.merchant;
    expect(await printedBy(program, { URL: service.url, USERNAME: username, PASSWORD: password })).toMatchObject({
      totalResult: 3,
      isOurs: true,
      status: 404,
      code: 'site_not_found',
      requestId: expect.any(String),
    });
  });

  it('calls with an API key', async () => {
    const token = await service.tokenOf('merchant');
    const body = { name: 'Shop', permissions: ['settings:read'] };
    const made = await service.call('/api/v3/api-keys/create', { token, body });
    const program = `
      import { createClient } from 'forewarn-client';
      const client = createClient({ url: process.env.URL, apiKey: process.env.KEY });
      const { totalResult } = await client.call('POST /api/v3/site/list', { body: {} });
      const refused = await client.call('POST /api/v3/users/list', { body: {} }).catch((error) => error);
      console.log(JSON.stringify({ totalResult, code: refused.code }));`;
    expect(await printedBy(program, { URL: service.url, KEY: String(made.body['key']) })).toEqual({
      totalResult: 3,
      code: 'permission_missing',
    });
  });

  it('opens a webhook of the service, form or JSON, and refuses one that was changed or is old', async () => {
    const alertId = await receive(service);
    const sent = service.sinks.got('demo').find(({ body }) => body.includes(String(alertId)));
    const program = `
      import { openWebhook } from 'forewarn-client';
      const { headers, body, time } = JSON.parse(process.env.SENT);
      const open = (changed, now) => openWebhook({ headers, body: changed }, { secret: process.env.SECRET, now });
      const now = Date.parse(time);
      const { kind, id, fields } = await open(body, now);
      const why = (error) => error.name + ': ' + error.message;
      console.log(JSON.stringify({
        kind, id, alert: fields.alert_id,
        changed: await open(body + '&amount=1', now).catch(why),
        old: await open(body, now + 301_000).catch(why),
      }));`;
    const environment = { SENT: JSON.stringify(sent), SECRET: service.credentials.site.signing_secret };
    expect(await printedBy(program, environment)).toEqual({
      kind: 'new_alert',
      id: `ntf_${alertId}`,
      alert: String(alertId),
      changed: 'WebhookRefused: No signature fits.',
      old: 'WebhookRefused: The timestamp is more than five minutes away.',
    });
  });

  it('signs the calls of a site and keeps its rcode to itself', async () => {
    const { sid, rcode } = service.credentials.payment_site;
    const { seconds } = (await (await fetch(`${service.url}/_local/clock`)).json()) as { seconds: number };
    const program = `
      import { createClient } from 'forewarn-client';
      const sent = [];
      const client = createClient({
        url: process.env.URL, rcode: process.env.RCODE, now: () => Number(process.env.SECONDS) * 1000,
        fetch: (url, init) => { sent.push([...new Headers(init.headers).keys()]); return fetch(url, init); },
      });
      const body = {
        tx_action: 'PAYMENT', card_type: 'VISA', card_no: '4242424242424242', card_ccv: '123', card_exp_month: '12',
        card_exp_year: '2030', firstname: 'Jürgen', lastname: 'Example', email: 'j@shop.example', currency: 'USD',
        item_name: ['Grüner Tee'], item_amount_unit: ['12.00'], postback_url: process.env.URL + '/_local/sink/client',
      };
      const pay = (more) => client.call('POST /api/v1/index.php/{id}/singletx', {
        path: { id: process.env.SID }, body: { ...body, ...more },
      });
      const { status, txid } = await pay({});
      const read = await client.call('GET /api/v1/index.php/{id}/getstatus', { path: { id: txid } });
      const hasRcode = sent.flat().includes('rcode');
      // A body with a hash is signed by that alone.
      const hashed = await pay({ hash: '0'.repeat(32), timestamp: process.env.SECONDS }).catch(({ code }) => code);
      console.log(JSON.stringify({ status, read: read.status, hasRcode, hashed }));`;
    const environment = { URL: service.url, SID: String(sid), RCODE: rcode, SECONDS: String(seconds) };
    expect(await printedBy(program, environment)).toEqual({
      ...{ status: 'OK', read: 'OK', hasRcode: false },
      hashed: 'hash_wrong',
    });
  });

  it('is typed: what an operation does not take, or answers otherwise, does not compile', async () => {
    writeFileSync(
      join(shop, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2023', 'dom'],
          types: [],
          strict: true,
          noEmit: true,
        },
        include: ['typed.ts'],
      }),
    );
    const program = (extra: string) => `
      import { createClient, type Notification } from 'forewarn-client';
      const client = createClient({ url: 'http://127.0.0.1:3000' });
      const { totalResult } = await client.call('POST /api/v3/site/list', { body: { size: 1 } });
      export const total: number = totalResult;
      export const nameOf = (one: Notification) => (one.kind === 'new_alert' ? one.fields.descriptor : one.id);
      ${extra}`;
    const compile = async (extra: string) => {
      writeFileSync(join(shop, 'typed.ts'), program(extra));
      const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
      return run(tsc, ['-p', shop]).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      );
    };
    expect(await compile('')).toBe('');
    expect(await compile('export const text: string = totalResult;')).toContain('typed.ts');
    expect(await compile(`await client.call('POST /api/v3/site/nowhere');`)).toContain('typed.ts');
    expect(await compile(`await client.call('POST /api/v3/site/list', { body: { size: true } });`)).toContain(
      'typed.ts',
    );
  });
});

it('reads every page of a list, and sends only the number of a 3-D Secure result', async () => {
  const { username, password } = service.credentials.merchant;
  const program = `
    import { createClient, threeDSecureOf } from 'forewarn-client';
    const { URL: url, USERNAME: username, PASSWORD: password } = process.env;
    const client = createClient({ url, user: { username, password } });
    const sids = new Set();
    for await (const { sid } of client.each('POST /api/v3/site/list', { body: { size: 2 } })) sids.add(sid);
    let refused;
    try { threeDSecureOf('{"eci": "05"}'); } catch ({ message }) { refused = message; }
    console.log(JSON.stringify([sids.size, threeDSecureOf('{"authentication_id": 7, "eci": "05"}'), refused]));`;
  expect(await printedBy(program, { URL: service.url, USERNAME: username, PASSWORD: password })).toEqual([
    3,
    { threeDSecure: '{"authentication_id":7}' },
    'The result has no authentication_id.',
  ]);
});

describe('types from schemas', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, '(string | null)'],
    [{ enum: ['a', 'b'] }, '("a" | "b")'],
    [{ const: 7 }, '7'],
    [{ type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }, '(number | null)[]'],
    [{ $ref: '#/components/schemas/Order' }, "Schemas['Order']"],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Record<string, boolean>'],
    [
      { type: 'object', required: ['a'], properties: { a: {}, b: { type: 'string' } } },
      '{\n"a": unknown;\n"b"?: string;\n}',
    ],
  ])('%j', (schema, type) => expect(toType(schema)).toBe(type));

  it('escape the end of a comment in a description', () => {
    const schemas = { A: { type: 'object', properties: { a: { type: 'string', description: 'x */ y' } } } };
    expect(clientTypes({ components: { schemas } })).toContain('/** x *\\/ y */ "a"?: string;');
  });
});
