import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '#core/kernel/crypto.ts';
import { Timestamp } from '#core/kernel/schema/schema.ts';
import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { type BodyFormat, defineOperation } from '#core/platform/operation/operation.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';

const declared = defineOperation('core/echo', {
  summary: 'Answers what it got',
  method: 'POST',
  path: '/echo/{id}',
  auth: 'bearer',
  params: v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/, 'must be digits')) }),
  body: v.object({
    text: v.string('must be text'),
    list: v.optional(v.array(v.string())),
    entries: v.optional(v.array(v.record(v.string(), v.string()))),
  }),
  formats: ['json', 'form'] as readonly BodyFormat[],
  reply: v.object({
    id: v.string(),
    text: v.string(),
    list: v.optional(v.array(v.string())),
    entries: v.optional(v.array(v.record(v.string(), v.string()))),
  }),
  errors: ['alert_not_found'],
  grants: {},
});
const echo = endpoint(declared, async ({ params, body }) => ({ ...params, ...body, undeclared: 'x' }));
const asMerchant = { scope: 'merchant', mid: '7', subject: 'm' };
const ask = (change: Parameters<typeof gatewayEvent>[0] = {}, handler: typeof echo = echo) =>
  call(handler, gatewayEvent({ path: '/echo/5', pathParameters: { id: '5' }, authorizer: asMerchant, ...change }));
const json = (value: unknown) => ({ body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
const refused = (details: string) => ({
  status: 400,
  body: { msg: 'The request is not valid', details, code: 'request_invalid', doc: '/errors/request_invalid' },
});

describe('an endpoint', () => {
  it('answers what its reply declares and nothing else', async () => {
    expect(await ask(json({ text: 'a', unknown: 1 }))).toMatchObject({ status: 200, body: { id: '5', text: 'a' } });
    expect((await ask(json({ text: 'a' }))).body).not.toHaveProperty('undeclared');
  });

  it('names fields that it does not know, and refuses them where that is asked for', async () => {
    const sent = { ...json({ text: 'a', txet: 'b', entries: [{ any: 'c' }] }) };
    expect((await ask(sent)).body).toMatchObject({ text: 'a', warnings: ['txet: is not a field of this call'] });
    expect((await ask(json({ text: 'a' }))).body).not.toHaveProperty('warnings');
    const headers = { ...sent.headers, Prefer: 'return=minimal, handling=strict' };
    expect(await ask({ ...sent, headers })).toMatchObject(refused('txet: is not a field of this call'));
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, 1]));
    const { warnings } = (await ask(json({ text: 'a', ...many }))).body as { warnings: string[] };
    expect(warnings).toHaveLength(20);
    const odd = await ask(json({ text: 'a', '4242424242424242 12/30 123': 1 }));
    expect(JSON.stringify(odd.body)).not.toContain('4242424242424242');
  });

  it('logs the caller, the address and the resource, and nothing that may be a secret', async () => {
    const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const silent = endpoint(declared, async () => ({ id: '5', text: 'a' }));
    const logged = async (change: Parameters<typeof gatewayEvent>[0]) => {
      await ask(change, silent);
      return JSON.parse(String(lines.mock.lastCall?.[0]));
    };
    expect(await logged({ ...json({ text: 'a', sid: 12, alert_id: '1077051069219257' }) })).toMatchObject({
      ...{ operation: 'core/echo', subject: 'm', mid: '7', sourceIp: '127.0.0.1' },
      ...{ ids: { id: 5 }, bodyIds: { sid: 12, alert_id: 1_077_051_069_219_257 } },
    });
    const card = { pathParameters: { id: '4242424242424242' } };
    const secret = await logged({
      ...json({ text: 'a', username: ' Ann@Shop.example', txid: '4000000000000002' }),
      ...card,
    });
    expect(secret).toMatchObject({ ids: {}, usernameDigest: sha256('ann@shop.example').slice(0, 16) });
    expect(secret).not.toHaveProperty('bodyIds');
    const odd = await logged({ body: '{"text":"a","mid":{"toString":1},"sid":[5]}', headers: json({}).headers });
    expect(odd.status).toBe(200);
    expect(odd).not.toHaveProperty('bodyIds');
    lines.mockRestore();
  });

  it('answers with headers of one reply’s own, which stand before those of its operation', async () => {
    const cookie = endpoint(
      declared,
      async ({ params, body }) => new WithHeaders({ ...params, ...body }, { 'set-cookie': 'a=1', 'x-kind': 'own' }),
      { headers: { 'x-kind': 'usual', 'x-frame': 'none' } },
    );
    const { status, headers, body } = await ask(json({ text: 'a' }), cookie);
    expect([status, body]).toEqual([200, { id: '5', text: 'a' }]);
    expect(headers).toMatchObject({ 'set-cookie': 'a=1', 'x-kind': 'own', 'x-frame': 'none' });
  });

  it('sends bytes as the gateway takes them, with the type that one reply has', async () => {
    const { body: _, ...bodiless } = declared;
    const file = { ...bodiless, reply: v.instance(Uint8Array), replyType: 'application/octet-stream' };
    const picture = new WithHeaders(new Uint8Array([0, 255]), { 'content-type': 'image/png' });
    const { status, headers, body } = await ask(
      {},
      endpoint(file, async () => picture),
    );
    expect([status, headers['content-type'], body]).toEqual([200, 'image/png', Buffer.from([0, 255])]);
  });

  it('takes a form as well where that is declared, with lists', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const reply = await ask({ body: 'text=a%20b&list[]=1&list[]=2', headers });
    expect(reply).toMatchObject({ status: 200, body: { text: 'a b', list: ['1', '2'] } });
  });

  it('takes a form’s numbered entries for a list of objects, in the order of their numbers', async () => {
    const body = new URLSearchParams({
      text: 'a',
      'entries[10][name]': 'last',
      'entries[0][name]': 'first',
      'entries[0][kind]': 'x',
      'entries[2][name]': 'second',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask({ body: body.toString(), headers })).body).toMatchObject({
      entries: [{ name: 'first', kind: 'x' }, { name: 'second' }, { name: 'last' }],
    });
  });

  it('takes a form’s numbered values for a list, in the order of their numbers', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const listOf = async (body: string) => (await ask({ body: `text=a&${body}`, headers })).body;
    expect(await listOf('list[10]=last&list[0]=first&list[2]=second')).toMatchObject({
      list: ['first', 'second', 'last'],
    });
    expect(await listOf('list%5B0%5D=only')).toMatchObject({ list: ['only'] });
    expect(await ask({ body: 'text=a&__proto__[0]=x&constructor[0]=y', headers })).toMatchObject({ status: 200 });
  });

  it.each(['list[]=a&list[0]=b', 'list[0]=b&list[]=a&list[]=c', 'list=a&list[0]=b', 'entries[]=a&entries[0][name]=b'])(
    'refuses a form with %s, as the order would be a guess',
    async (body) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const [name] = body.split(/[[=]/);
      expect(await ask({ body: `text=a&${body}`, headers })).toMatchObject(
        refused(`${name}: number all its entries, as in ${name}[0], or none of them.`),
      );
    },
  );

  it('gives every answer the request id of the gateway', async () => {
    expect((await ask(json({ text: 'a' }))).headers['x-request-id']).toBe('request-1');
    expect((await ask(json({}))).headers['x-request-id']).toBe('request-1');
  });

  it('tells browsers in every answer to come by TLS and to guess no media type', async () => {
    for (const body of [json({ text: 'a' }), json({})]) {
      expect((await ask(body)).headers).toMatchObject({
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('names some of very many wrong entries, and how many more there are', async () => {
    const { body } = await ask(json({ text: 'a', list: Array.from({ length: 1000 }, () => 1) }));
    const { details } = body as { details: string };
    expect(details.split('; ')).toHaveLength(51);
    expect(details).toMatch(/^list\.0: must be .*; list\.49: .*; and 950 more$/);
  });

  it('names each wrong field and why', async () => {
    expect(await ask({ ...json({ text: 5, list: 'x' }), pathParameters: { id: 'x' } })).toMatchObject(
      refused('id: must be digits'),
    );
    const { body } = await ask(json({ text: 5 }));
    expect(body).toEqual(refused('text: must be text').body);
  });

  it('says one thing of a field, and something of every field', async () => {
    const dated = endpoint({ ...declared, body: v.object({ from: Timestamp, to: Timestamp }) }, async () => {
      throw new Error('unreachable');
    });
    const words = 'must be an ISO 8601 date and time with zone, such as 2026-05-02T10:00:00Z';
    const reply = await call(
      dated,
      gatewayEvent({
        path: '/echo/5',
        pathParameters: { id: '5' },
        authorizer: asMerchant,
        ...json({ from: 'now', to: 'then' }),
      }),
    );
    expect(reply).toMatchObject(refused(`from: ${words}; to: ${words}`));
  });

  it('refuses a form with more fields than the parser reads', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = (count: number) =>
      ['text=a', ...Array.from({ length: count - 1 }, (_, n) => `more${n}=x`)].join('&');
    expect(await ask({ body: fields(1001), headers })).toMatchObject(refused('body: has more than 1000 fields.'));
    expect((await ask({ body: fields(1000), headers })).status).toBe(200);
  });

  it.each([[[]], [5], [null], [true]])('refuses a body of %j, which is no object', async (value) => {
    expect(await ask(json(value))).toMatchObject(refused('body: must be an object.'));
  });

  it('never repeats what was sent, even where a schema has no words of its own', async () => {
    expect(await ask(json('my-secret-password'))).toMatchObject(refused('body: must be an object.'));
    expect(await ask(json({ text: 'a', list: 'my-secret-password' }))).toMatchObject(refused('list: must be Array'));
  });

  it.each([
    ['no JSON', '{"text":', 'body: is not valid JSON, or nests more than 32 levels deep.'],
    [
      'a forbidden key',
      '{"__proto__":{"text":"a"},"text":"b"}',
      'body: is not valid JSON, or nests more than 32 levels deep.',
    ],
    ['33 levels', `{"text":${'['.repeat(32)}${']'.repeat(32)}}`, 'body: nests more than 32 levels deep.'],
    [
      '50000 levels',
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      'body: is not valid JSON, or nests more than 32 levels deep.',
    ],
  ])('refuses %s', async (_name, body, details) => {
    expect(await ask({ body, headers: { 'content-type': 'application/json' } })).toMatchObject(refused(details));
  });

  it('refuses what is not UTF-8', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x7d]).toString('base64');
    const reply = await ask({ body, isBase64Encoded: true, headers: { 'content-type': 'application/json' } });
    expect(reply).toMatchObject(refused('body: must be UTF-8.'));
  });

  it('sees the digits of a number as they were written, which a double would round', async () => {
    const numbers = { ...declared, body: v.object({ text: v.string('must be text') }) };
    const shown = endpoint(numbers, async ({ params, body }) => ({ ...params, ...body }));
    for (const digits of ['6212345678901234561', '1e1', '12345678901234567.89']) {
      const headers = { 'content-type': 'application/json' };
      expect(await ask({ body: `{"text":${digits}}`, headers }, shown)).toMatchObject({ body: { text: digits } });
    }
  });

  it.each([
    ['text=caf%E9', 'text: must be UTF-8, percent-encoded.'],
    ['text=caf%E8&list[]=1', 'text: must be UTF-8, percent-encoded.'],
    ['text=a&list[]=%ff%fe', 'list[]: must be UTF-8, percent-encoded.'],
    ['text=%ED%A0%80', 'text: must be UTF-8, percent-encoded.'],
    ['t%E9xt=a', 'body: must be UTF-8, percent-encoded.'],
  ])('refuses a form with bytes that are not UTF-8: %s', async (body, details) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask({ body, headers })).toMatchObject(refused(details));
  });

  it.each([
    ['text=caf%C3%A9+100%+%zz', 'café 100% %zz'],
    ['&text=a=b&', 'a=b'],
    ['text', ''],
  ])('reads the form %s', async (body, text) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask({ body, headers })).toMatchObject({ status: 200, body: { text } });
  });

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json;charset="utf-16"',
    'application/x-www-form-urlencoded; charset=windows-1252',
  ])('refuses a body that is said to be %s', async (type) => {
    const reply = await ask({ body: '{"text":"a"}', headers: { 'content-type': type } });
    expect(reply).toMatchObject({ status: 415, body: { details: expect.stringContaining('UTF-8') } });
  });

  it.each(['application/json; charset=UTF-8', 'application/json;charset="utf8"', 'application/json; charset=us-ascii'])(
    'takes a body that is said to be %s',
    async (type) => {
      const reply = await ask({ body: '{"text":"a"}', headers: { 'content-type': type } });
      expect(reply).toMatchObject({ status: 200 });
    },
  );

  it('refuses a body that is compressed, and says what it takes', async () => {
    for (const encoding of ['gzip', 'br', 'identity, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const reply = await ask({ body: '{"text":"a"}', headers });
      expect(reply).toMatchObject({ status: 415, headers: { 'accept-encoding': 'identity' } });
    }
    const headers = { 'content-type': 'application/json', 'Content-Encoding': 'identity' };
    expect(await ask({ body: '{"text":"a"}', headers })).toMatchObject({ status: 200 });
  });

  it('refuses another content type with 415 and says which it takes', async () => {
    const reply = await ask({ body: 'text', headers: { 'content-type': 'text/plain' } });
    expect(reply).toMatchObject({ status: 415, body: { details: expect.stringContaining('application/json') } });
    expect(await ask({ body: '{"text":"a"}', headers: {} })).toMatchObject({ status: 415 });
  });

  it('takes 256 KiB and refuses a byte more with 413', async () => {
    const fill = (bytes: number) => `{"text":"${'a'.repeat(bytes - 11)}"}`;
    const headers = { 'content-type': 'application/json' };
    expect(await ask({ body: fill(262_144), headers })).toMatchObject({ status: 200 });
    expect(await ask({ body: fill(262_145), headers })).toMatchObject({ status: 413 });
  });

  it('treats an absent body as an empty object', async () => {
    expect(await ask({ body: null, headers: {} })).toMatchObject(refused('text: is required'));
  });

  it('leaves a form without fields a form', async () => {
    const typed = endpoint({ ...declared, body: v.object({}) }, async ({ headers }) => ({
      id: '5',
      text: headers['content-type'] ?? '',
    }));
    const form = 'application/x-www-form-urlencoded';
    const reply = await ask({ body: '', headers: { 'content-type': form } }, typed as typeof echo);
    expect(reply).toMatchObject({ status: 200, body: { text: form } });
  });

  it('asks for a token, and for an administrator where that is declared', async () => {
    expect(await ask({ ...json({ text: 'a' }), authorizer: null })).toMatchObject({ status: 401 });
    const admin = endpoint({ ...declared, auth: 'admin' }, async () => ({ id: '', text: '' }));
    expect(await ask(json({ text: 'a' }), admin)).toMatchObject({ status: 403 });
    expect(await ask({ ...json({ text: 'a' }), authorizer: { scope: 'admin', subject: 'root' } }, admin)).toMatchObject(
      { status: 200 },
    );
  });

  it('sends the public text of a refusal and logs its cause', async () => {
    const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const failing = endpoint(declared, async () => {
      throw new Refusal('alert_not_found', 'Look at alert_id.', { cause: new Error('row 12 is gone') });
    });
    const reply = await ask(json({ text: 'a' }), failing);
    const logged = lines.mock.calls.join('');
    lines.mockRestore();
    expect(reply).toMatchObject({ status: 404, body: { msg: 'No such alert', details: 'Look at alert_id.' } });
    expect(JSON.stringify(reply)).not.toContain('row 12');
    expect(logged).toContain('row 12 is gone');
    expect(logged).toContain('request-1');
  });

  it('says nothing of what went wrong inside, and logs it without secrets', async () => {
    const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const failing = endpoint(declared, async () => {
      throw new Error('no table for card 4242424242424242 and rcode=abcdefgh');
    });
    const reply = await ask(json({ text: 'a' }), failing);
    const logged = lines.mock.calls.join('');
    lines.mockRestore();
    expect(reply).toMatchObject({ status: 500, body: { msg: 'Something went wrong on our side', details: '' } });
    expect(logged).toContain('no table for card 424242******4242');
    expect(logged).not.toContain('abcdefgh');
  });

  it('answers 500 when its own reply does not fit the declaration', async () => {
    const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const wrong = endpoint(declared, async () => JSON.parse('{"id":1}'));
    expect(await ask(json({ text: 'a' }), wrong)).toMatchObject({ status: 500 });
    lines.mockRestore();
  });

  it('checks a signature over the exact bytes before anything else of the body', async () => {
    const seen: string[] = [];
    const signed = endpoint({ ...declared, auth: 'provider' }, async () => ({ id: '', text: '' }), {
      authenticate: async ({ rawBody }) => {
        seen.push(rawBody);
        throw new Refusal('signature_invalid');
      },
    });
    expect(await ask({ body: '{ "text" :', headers: { 'content-type': 'application/json' } }, signed)).toMatchObject({
      status: 401,
    });
    expect(seen).toEqual(['{ "text" :']);
  });

  it('has a byte order mark signed, and reads the body behind it', async () => {
    const seen: string[] = [];
    const signed = endpoint(declared, async ({ params, body }) => ({ ...params, ...body }), {
      authenticate: async ({ rawBody }) => void seen.push(rawBody),
    });
    const body = '\ufeff{"text":"a"}';
    const reply = await ask({ body, headers: { 'content-type': 'application/json' } }, signed);
    expect(seen).toEqual([body]);
    expect(reply).toMatchObject({ status: 200, body: { text: 'a' } });
  });
});
