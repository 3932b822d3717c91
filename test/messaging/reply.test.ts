import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '#core/platform/post/sender.ts';
import { updateIn } from '#messaging/webhooks/attempt/attempt.ts';
import { isUnreadable, updateInReply } from '#messaging/webhooks/attempt/reply.ts';
import { encodeForm } from '#messaging/webhooks/delivery/form-payload.ts';

const update = { alert_id: '1024', status: 'RESOLVED', reason_code: '100.001' };

describe('the reply to a new alert', () => {
  const replied = (response: string, change: Partial<Attempt> = {}) =>
    updateIn('new_alert', {
      ...{ status: 200, latencyMilliseconds: 5, error: null, response, responseTruncated: false },
      ...change,
    });

  it.each(['', 'OK', '[accepted]', '{"status":"ok"}', 'thanks for the alert'])(
    'is an acknowledgement if it names no reason code: %j',
    (text) => expect(replied(text)).toBeNull(),
  );

  it('is reported as unreadable if it is compressed in a way that cannot be decoded', () =>
    expect(replied('', { undecoded: 'compress', responseTruncated: true })).toEqual({
      unreadable: expect.stringContaining('compress'),
    }));

  it('is reported as unreadable if it names a reason code outside of an update, or was cut off', () => {
    expect(replied('reason_code 100.001')).toEqual({ unreadable: expect.stringContaining('neither a JSON object') });
    const text = `${JSON.stringify(update)} `.slice(0, -3);
    expect(replied(text, { responseTruncated: true })).toEqual({ unreadable: expect.stringContaining('16 KiB') });
    expect(replied(JSON.stringify(update), { status: 500 })).toBeNull();
    expect(replied(JSON.stringify(update))).toEqual({ update });
  });
});

describe('a reply that carries an update', () => {
  const asForm = 'alert_id=1024&status=RESOLVED&reason_code=100.001';

  it.each([JSON.stringify(update), asForm, ` ${JSON.stringify(update)}\n`, `\n${asForm}\r\n`, `\uFEFF${asForm}`])(
    'is read as JSON or as a form: %j',
    (text) => expect(updateInReply(text)).toEqual(update),
  );

  const json = JSON.stringify(update);
  it.each<[string, string]>([
    ['a list of one', `[${json}]`],
    ['JSON encoded twice', JSON.stringify(json)],
    ['a list of JSON encoded twice', JSON.stringify([json])],
    ['an object of a resource', `{"data":${json},"ok":true}`],
    ['an automation tool', `[{"json":${json},"pairedItem":{"item":0}}]`],
    ['a proxy', JSON.stringify({ statusCode: 200, headers: {}, body: json })],
    [
      'a proxy in base64',
      JSON.stringify({ statusCode: 200, isBase64Encoded: true, body: Buffer.from(json).toString('base64') }),
    ],
    ['a proxy with a form', JSON.stringify({ statusCode: 200, body: asForm })],
    ['base64 alone, as proxies send bodies that they take for binary', `${Buffer.from(json).toString('base64')}\n`],
    ['base64 of a list, for addresses', Buffer.from(`[ ${json} ]`).toString('base64url')],
    ['an object with base64', JSON.stringify({ body: Buffer.from(`{\n "data": ${json}}`).toString('base64') })],
    ['names in Pascal case', '{"AlertId":"1024","Status":"RESOLVED","ReasonCode":"100.001"}'],
    ['names in camel case', '{"alertId":"1024","status":"RESOLVED","reasonCode":"100.001"}'],
    ['names with hyphens', '{"alert-id":"1024","status":"RESOLVED","reason-code":"100.001"}'],
    ['a form with a question mark', `?${asForm}`],
    ['a form written as HTML', asForm.replaceAll('&', '&amp;')],
  ])('is read from %s', (_, text) => {
    expect(updateInReply(text)).toEqual(update);
    expect(isUnreadable(text)).toBe(true);
  });

  it('keeps all other fields for the rules to judge', () => {
    const whole = {
      ...update,
      alert_outcome_amount: '10.00',
      merchant_notes: 'käse & brot',
      tx_details: [{ userid: '7' }],
    };
    expect(updateInReply(JSON.stringify(whole))).toEqual(whole);
    expect(updateInReply(encodeForm(whole))).toEqual(whole);
  });

  it('need not name the alert: the notification did', () => {
    expect(updateInReply('{"status":"WIP","reason_code":"999.002"}')).toEqual({
      status: 'WIP',
      reason_code: '999.002',
    });
  });

  it.each(['tx_details', 'txdetails'])('may have %s as JSON text, as brackets or as a list of either', (name) => {
    const details = [{ duplicate_alertid: '77', userid: 'u1' }, { duplicate_alertid: '78' }];
    const head = 'status=DECLINED&reason_code=940.001';
    const spellings: string[][][] = [
      [[name, JSON.stringify(details)]],
      details.map((entry) => [`${name}[]`, JSON.stringify(entry)]),
      details.flatMap((entry, at) => Object.entries(entry).map(([key, value]) => [`${name}[${at}][${key}]`, value])),
      [
        [`${name}[9][duplicate_alertid]`, '78'],
        [`${name}[2][duplicate_alertid]`, '77'],
        [`${name}[2][userid]`, 'u1'],
      ],
    ];
    for (const pairs of spellings) {
      expect(
        updateInReply(
          `${head}&${new URLSearchParams(pairs.map(([key = '', value = '']): [string, string] => [key, value]))}`,
        ),
      ).toMatchObject({ [name]: details });
    }
  });

  it('may have tx_details as JSON text inside JSON', () => {
    const carried = { ...update, txdetails: '[{"duplicate_alertid":"77"}]' };
    expect(updateInReply(JSON.stringify(carried))).toEqual({
      ...update,
      txdetails: [{ duplicate_alertid: '77' }],
    });
  });

  it('leaves details that are no JSON for the rules to judge', () => {
    expect(updateInReply(`${new URLSearchParams({ ...update, tx_details: '{broken' })}`)).toEqual({
      ...update,
      tx_details: '{broken',
    });
  });

  it('keeps digits that a JSON number would lose', () => {
    const text =
      '{"status":"RESOLVED","reason_code":"940.001","tx_details":[{"duplicate_alertid":12345678901234567890}]}';
    expect(updateInReply(text)).toMatchObject({ tx_details: [{ duplicate_alertid: '12345678901234567890' }] });
  });
});

describe('a reply that carries none', () => {
  it.each([
    '',
    'OK',
    'null',
    'true',
    '[]',
    '{}',
    '"status"',
    '{"status":"ok"}',
    '{"reason_code":"100.001"}',
    '{"status":"","reason_code":"100.001"}',
    '{"status":null,"reason_code":"100.001"}',
    '{"status":{"a":1},"reason_code":"100.001"}',
    '[{"status":"RESOLVED","reason_code":"100.001"},{"status":"WIP","reason_code":"999.002"}]',
    '{"__proto__":{"status":"RESOLVED","reason_code":"100.001"}}',
    '{"status":"RESOLVED","reason_code":"100.001"',
    '<html><body>status=RESOLVED&reason_code=100.001</body></html>',
    'status=RESOLVED',
    'status=&reason_code=100.001',
    'status[]=RESOLVED&reason_code=100.001',
  ])('is ignored: %s', (text) => {
    expect(updateInReply(text)).toBeNull();
  });

  it.each([
    '{"status":"RESOLVED","reason_code":"100.001"',
    '<html><body>status=RESOLVED&reason_code=100.001</body></html>',
    "{'status': 'RESOLVED', 'reason_code': '100.001'}",
    '{"reason_code":"100.001"}',
    '{"data":{"reasonCode":"100.001"}}',
    '[{"status":"RESOLVED","reason_code":"100.001"},{"status":"WIP","reason_code":"999.002"}]',
    '{"message":"reason code 100.001"}',
    '{"status":"RESOLVED","reason":"100.001"}',
    'status: DECLINED, code: 902.002',
    '{"outcome":{"status":"WIP","code":"999.002"}}',
    '<br />Warning: Undefined variable{"status":"RESOLVED","reason_code":"100.001"}',
  ])('was meant as an update and cannot be read: %s', (text) => expect(isUnreadable(text)).toBe(true));

  it.each([
    '',
    'OK',
    '<html>Thanks</html>',
    '{"reason_code":null}',
    '{"rdr_reason_code":"10.4"}',
    '{"status":"ok"}',
    '{"status":"RESOLVED","amount":"12.500"}',
  ])('is an acknowledgement: %s', (text) => expect(isUnreadable(text)).toBe(false));
});

describe('a hostile reply', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const around = (details: string) => `{"status":"RESOLVED","reason_code":"100.001","tx_details":${details}}`;

  it('is an update down to 32 levels, and none below', () => {
    expect(updateInReply(around(nested(31)))).not.toBeNull();
    expect(updateInReply(around(nested(32)))).toBeNull();
    expect(updateInReply(around(JSON.stringify(nested(31))))).not.toBeNull();
    expect(updateInReply(around(JSON.stringify(nested(32))))).toBeNull();
  });

  it('may nest 200,000 levels deep without doing harm', () => {
    expect(updateInReply(around(nested(200_000)))).toBeNull();
    expect(updateInReply(`status=a&reason_code=b&tx_details=${nested(200_000)}`)).toMatchObject({ status: 'a' });
    expect(updateInReply(`status=a&reason_code=b&tx_details${'[a]'.repeat(200_000)}=c`)).toBeNull();
  });

  it('cannot reach a prototype or ask for a list of a billion entries', () => {
    const text = 'status=a&reason_code=b&__proto__[polluted]=1&x[__proto__][polluted]=1&tx_details[4000000000]=z';
    const found = updateInReply(text);
    expect(found).toMatchObject({ tx_details: ['z'] });
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  it('never makes it throw', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.webQueryParameters(),
      fc.stringMatching(/^(?:[a-c[\]=&{}":,0-9]|status|reason_code)*$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = updateInReply(text);
        expect(found === null || typeof found === 'object').toBe(true);
      }),
    );
  });
});
