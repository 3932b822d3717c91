import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { getItems } from '#core/platform/table/table.ts';
import { quarantineEntity } from '#disputes/alerts/quarantine/quarantine-row.ts';
import { informKey } from '#disputes/alerts/search/inform-row.ts';
import { ask, beforePuts, expectDeclared, useOperations } from '#test/support/operations.ts';
import { bodyA, bodyB, bodyRdr } from './samples.ts';
import { alertAt, fresh, seedClaims, seedSite, sendBody } from './seed.ts';

useOperations();
afterEach(() => setClock());

type Entry = { id: string; provider: string; state: string; problems: string; times: number; alert_id: number | null };
const listOpen = async (provider: string): Promise<Entry[]> =>
  ((await ask('alerts/list-quarantine', { body: { state: 'OPEN', provider } })).body as { list: Entry[] }).list;
const readEntry = (id: string) => ask('alerts/quarantine-details', { params: { id } });
const resubmit = (id: string, body: object) => ask('alerts/resubmit-quarantined', { params: { id }, body });
const strange = (): Record<string, unknown> => bodyA({ alertId: `Q${fresh()}`, type: 'UNHEARD_OF' });
const signed = (rawBody: string, secret = 'provider-a'): Record<string, string> => {
  const seconds = Math.floor(nowMilliseconds() / 1000);
  return {
    'x-signature': `t=${seconds},v1=${hmacSha256(`the ${secret} secret of this test`, `${seconds}.${rawBody}`)}`,
  };
};

/** Sends what cannot be read, and answers its entry. */
const quarantined = async (sent: object): Promise<Entry> => {
  expect(await sendBody('provider_a', sent)).toMatchObject({ status: 400 });
  const [entry] = await listOpen('provider_a');
  if (!entry) throw new Error('Nothing is in the quarantine');
  return entry;
};

it('an entry that becomes an alert stays resubmitted if a person dismisses it meanwhile', async () => {
  const sent = strange();
  const entry = await quarantined(sent);
  let isDismissed = false;
  beforePuts(async ({ Item }) => {
    if (isDismissed || Item?.['entity'] !== quarantineEntity) return;
    isDismissed = true;
    expect(await resubmit(entry.id, { dismiss: 'A test of theirs' })).toMatchObject({ status: 200 });
  });
  const answer = await resubmit(entry.id, { message: { ...sent, type: 'CONFIRMED_FRAUD' } });
  expect(isDismissed).toBe(true);
  expect(answer).toMatchObject({ status: 200, body: { state: 'RESUBMITTED', reason: null } });
  const { alert_id } = answer.body as Entry;
  expect(await alertAt(alert_id ?? 0)).toMatchObject({ providerAlert: { caseId: sent['alertId'] } });
  expect((await readEntry(entry.id)).body).toMatchObject({ state: 'RESUBMITTED', alert_id });
});

describe('what a provider signs and we cannot read', () => {
  it('is refused with 400, stored once however often it is repeated, and raises one alarm', async () => {
    const sent = strange();
    const entry = await quarantined(sent);
    expect(entry).toMatchObject({ provider: 'provider_a', times: 1, problems: expect.stringContaining('type: ') });
    await sendBody('provider_a', sent);
    expect((await listOpen('provider_a')).filter(({ id }) => id === entry.id)).toMatchObject([{ times: 2 }]);
    const all = (await ask('alerts/list-quarantine', { body: { size: 1, offset: 0 } })).body as { list: Entry[] };
    expect(all.list).toHaveLength(1);
    const rung = vi
      .mocked(process.stdout.write)
      .mock.calls.filter(([line]) => String(line).includes('MessagesQuarantined'));
    expect(rung).toHaveLength(1);
    expect((await readEntry(entry.id)).body).toMatchObject({ text: JSON.stringify(sent), times: 2 });
  });

  it.each<['provider_a' | 'provider_b' | 'rdr', (amount: string) => object, string]>([
    ['provider_a', (value) => bodyA({ amount: { value, currencyCode: 'USD' } }), '99999999999999.99'],
    ['provider_a', (value) => bodyA({ amount: { value, currencyCode: 'JPY' } }), '9999999999999999'],
    [
      'provider_b',
      (transactionAmount) => bodyB({ caseId: `Q${fresh()}`, transactionAmount, transactionCurrency: 'KWD' }),
      '9999999999999.999',
    ],
    [
      'rdr',
      (caseAmount) => bodyRdr({ decisionId: `Q${fresh()}`, caseAmount, caseCurrency: 'USD' }),
      '99999999999999.00',
    ],
  ])('includes an amount of more than 15 digits from %s', async (provider, body, amount) => {
    expect(await sendBody(provider, body(amount))).toMatchObject({ status: 400 });
    const [entry] = await listOpen(provider);
    expect(entry?.problems).toMatch(/mount.*15 digits|must be a decimal/);
    // A digit less is an amount.
    expect(await sendBody(provider, body(amount.slice(1)))).toMatchObject({ status: 200 });
  });

  it('is counted, on every page', async () => {
    await quarantined(strange());
    const whole = (await ask('alerts/list-quarantine', { body: { size: 500 } })).body as { list: Entry[] };
    const totalResult = whole.list.length;
    expect(totalResult).toBeGreaterThan(1);
    for (const body of [{ size: 1 }, { size: 1, offset: totalResult - 1 }, { size: 1, offset: 50 }]) {
      expect((await ask('alerts/list-quarantine', { body })).body).toMatchObject({ totalResult });
    }
    const open = whole.list.filter(({ state }) => state === 'OPEN').length;
    expect((await ask('alerts/list-quarantine', { body: { state: 'OPEN', size: 1 } })).body).toMatchObject({
      totalResult: open,
    });
  });

  it('is kept without card numbers, also where it is no JSON', async () => {
    const rawBody = '{"alertId": "half", "card": "4242424242424242 12/30 123",';
    expect(await ask('alerts/receive-provider-a', { as: 'nobody', rawBody, headers: signed(rawBody) })).toMatchObject({
      status: 400,
    });
    const [entry] = await listOpen('provider_a');
    const { text } = (await readEntry(entry?.id ?? '')).body as { text: string };
    expect(text).toContain('"alertId": "half"');
    expect(text).not.toContain('4242424242424242');
  });

  const message = (alertId: string) => JSON.stringify(bodyA({ alertId, issuer: 'Crédit Agricole' }));
  const sendBytes = (bytes: Buffer, headers: Record<string, string>) => {
    const seconds = Math.floor(nowMilliseconds() / 1000);
    const mac = hmacSha256('the provider-a secret of this test', Buffer.concat([Buffer.from(`${seconds}.`), bytes]));
    const signature = { 'x-signature': `t=${seconds},v1=${mac}` };
    const sent = { rawBytes: bytes, headers: { ...signature, ...headers } };
    return ask('alerts/receive-provider-a', { as: 'nobody', ...sent });
  };
  it.each<[string, (text: string) => Buffer, Record<string, string>]>([
    ['Latin-1 that is not named', (text) => Buffer.from(text, 'latin1'), {}],
    ['Latin-1', (text) => Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=ISO-8859-1' }],
    [
      'UTF-16',
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      { 'content-type': 'application/json; charset="utf-16"' },
    ],
    ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le'), {}],
    ['gzip', (text) => gzipSync(text), { 'content-encoding': 'gzip' }],
    ['gzip of Latin-1', (text) => gzipSync(Buffer.from(text, 'latin1')), { 'content-encoding': 'GZIP' }],
    ['br', (text) => brotliCompressSync(text), { 'content-encoding': 'br' }],
    ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`), {}],
  ])('is none in %s, which is decoded', async (_, encode, headers) => {
    const alertId = `Q${fresh()}`;
    const { status, body } = await sendBytes(encode(message(alertId)), headers);
    expect(status).toBe(200);
    const { alert_id } = body as { alert_id: number };
    expect(await alertAt(alert_id)).toMatchObject({
      providerAlert: { caseId: alertId, issuerName: 'Crédit Agricole' },
    });
  });

  it.each<[string, Buffer, Record<string, string>]>([
    ['an unknown Content-Encoding', Buffer.from(message('Q-lz')), { 'content-encoding': 'lz4' }],
    ['what is not in its Content-Encoding', Buffer.from(message('Q-no')), { 'content-encoding': 'gzip' }],
    [
      'more than a body may have once it is decompressed',
      gzipSync(Buffer.alloc(5_000_000, 32)),
      { 'content-encoding': 'gzip' },
    ],
    ['a charset in which it is no JSON', Buffer.from(message('Q-cs'), 'utf16le').subarray(1), {}],
    ['another content type', Buffer.from(message('Q-ct')), { 'content-type': 'text/xml' }],
  ])('includes %s', async (_, bytes, headers) => {
    const before = (await listOpen('provider_a')).length;
    expect((await sendBytes(bytes, headers)).status).toBeGreaterThanOrEqual(400);
    expect(await listOpen('provider_a')).toHaveLength(before + 1);
    const forged = await sendBytes(bytes, { ...headers, 'x-signature': 't=1,v1=00' });
    expect(forged.status).toBe(401);
    expect(await listOpen('provider_a')).toHaveLength(before + 1);
  });

  it('is not kept where the signature is wrong', async () => {
    const before = (await listOpen('provider_a')).length;
    const rawBody = JSON.stringify(strange());
    const headers = signed(rawBody, 'rdr');
    expect(await ask('alerts/receive-provider-a', { as: 'nobody', rawBody, headers })).toMatchObject({ status: 401 });
    expect(await listOpen('provider_a')).toHaveLength(before);
  });

  it('returns 500 if it cannot be stored, so that the provider sends it again', async () => {
    const table = mockClient(DynamoDBDocumentClient);
    table.callsFake(() => ({}));
    table.on(PutCommand).rejects(new Error('No connection'));
    const answer = await sendBody('provider_a', strange()).finally(() => table.restore());
    expect(answer).toMatchObject({ status: 500 });
  });
});

describe('an entry of the quarantine', () => {
  const slower = { code: 'changed_meanwhile' };

  it('becomes an alert once it is corrected, and only one', async () => {
    const sent = strange();
    const { id } = await quarantined(sent);
    expect(await resubmit(id, { message: sent })).toMatchObject({ status: 400 });
    expect((await readEntry(id)).body).toMatchObject({ state: 'OPEN' });
    const message = { ...sent, type: 'CUSTOMER_DISPUTE' };
    const { body } = await resubmit(id, { message });
    expect(body).toMatchObject({ state: 'RESUBMITTED', settled_by: 'root', alert_id: expect.any(Number) });
    const { alert_id } = body as { alert_id: number };
    expect(await alertAt(alert_id)).toMatchObject({ providerAlert: { caseId: sent['alertId'], type: 'DISPUTE' } });
    expect((await resubmit(id, { message })).body).toEqual(body);
    expect((await sendBody('provider_a', message)).body).toMatchObject({ alert_id });
  });

  it('may be dismissed with a reason; either one or the other', async () => {
    const { id } = await quarantined(strange());
    expect(await resubmit(id, {})).toMatchObject({ status: 400 });
    expect(await resubmit(id, { message: {}, dismiss: 'x' })).toMatchObject({ status: 400 });
    expect((await resubmit(id, { dismiss: 'A trial' })).body).toMatchObject({ state: 'DISMISSED', reason: 'A trial' });
    expect((await listOpen('provider_a')).some((entry) => entry.id === id)).toBe(false);
  });

  it('is settled by one of those who settle it at once', async () => {
    const { id } = await quarantined(strange());
    const answers = await Promise.all(['one', 'two', 'three'].map((dismiss) => resubmit(id, { dismiss })));
    const { reason } = (await readEntry(id)).body as { reason: string };
    const settled = answers.filter(({ status }) => status === 200);
    expect(settled).not.toEqual([]);
    for (const { body } of settled) expect(body).toMatchObject({ state: 'DISMISSED', reason });
    for (const { status, body } of answers) if (status !== 200) expect(body).toMatchObject(slower);
  });

  it('keeps the first of two concurrent decisions, and the second returns a conflict', async () => {
    const { id } = await quarantined(strange());
    beforePuts(async ({ Item }) => {
      if (Item?.['entity'] !== quarantineEntity) return;
      beforePuts();
      expect((await resubmit(id, { dismiss: 'The faster' })).status).toBe(200);
    });
    expect(await resubmit(id, { dismiss: 'The slower' })).toMatchObject({ status: 409, body: slower });
    expect((await readEntry(id)).body).toMatchObject({ state: 'DISMISSED', reason: 'The faster' });
  });

  it('that withdraws a case is kept for a case that has not arrived, and names the alert of one that has', async () => {
    const site = await seedSite();
    await seedClaims('provider_b', 'EXACT', `SHOP ${site.sid}`, site);
    const refused = async (caseid: string) => {
      expect(await sendBody('provider_b', { status: 'REVOKED', caseid })).toMatchObject({ status: 400 });
      return (await listOpen('provider_b'))[0]?.id ?? '';
    };
    const [later, known] = [`R${fresh()}`, `R${fresh()}`];
    const message = { status: 'REVOKED', caseId: later };
    expect(await resubmit(await refused(later), { message })).toMatchObject({
      status: 200,
      body: { state: 'RESUBMITTED', alert_id: null },
    });
    const ofCase = async (caseId: string) => {
      const { body } = await sendBody('provider_b', bodyB({ caseId, descriptor: `SHOP ${site.sid}` }));
      return (body as { alert_id: number }).alert_id;
    };
    expect(await alertAt(await ofCase(later))).toMatchObject({ status: 'REVOKED' });
    const alert_id = await ofCase(known);
    expect(await resubmit(await refused(known), { message: { status: 'REVOKED', caseId: known } })).toMatchObject({
      status: 200,
      body: { alert_id },
    });
  });

  it('that changes an informational alert has it found by its new amount alone', async () => {
    const site = await seedSite();
    const descriptor = `SHOP ${site.sid}`;
    await seedClaims('provider_b', 'EXACT', descriptor, site);
    const sent = bodyB({ caseId: `I${fresh()}`, caseType: 'FRAUD_NOTICE', descriptor, transactionAmount: '25.00' });
    const { body } = await sendBody('provider_b', sent);
    const { alert_id } = body as { alert_id: number };
    const changed = { ...sent, transactionAmount: '31.50' };
    expect(await sendBody('provider_b', { ...changed, descriptor: '' })).toMatchObject({ status: 400 });
    const [entry] = await listOpen('provider_b');
    expect((await resubmit(entry?.id ?? '', { message: changed })).body).toMatchObject({ alert_id });
    const rows = [informKey(alert_id, 'amount:25'), informKey(alert_id, 'amount:31.5')];
    expect(await getItems(rows)).toMatchObject([undefined, { summary: { transaction_amount: '31.50' } }]);
  });

  it('is the operators’ alone, and must be there', async () => {
    for (const operation of ['alerts/list-quarantine', 'alerts/quarantine-details', 'alerts/resubmit-quarantined']) {
      const call = { as: { mid: 7 }, params: { id: '0'.repeat(32) }, body: {} };
      expect(await ask(operation, call)).toMatchObject({ status: 403 });
    }
    expect(await readEntry('0'.repeat(32))).toMatchObject({ status: 404 });
    expect(await resubmit('0'.repeat(32), { dismiss: 'x' })).toMatchObject({ status: 404 });
  });
});

describe('what providers spell otherwise', () => {
  it.each([
    ['a day for a time', { transactionTimestamp: '2026-04-30' }, { transactionAt: '2026-04-30T00:00:00.000Z' }],
    [
      'a time without a zone',
      { transactionTimestamp: '2026-04-30 08:15:00' },
      { transactionAt: '2026-04-30T08:15:00.000Z' },
    ],
    ['an ARN of 22 digits', { arn: '2469216107000062260641' }, { arn: '', asSent: { arn: '2469216107000062260641' } }],
    ['a number for the mcc', { mcc: 5732 }, { mcc: '5732' }],
    [
      'a currency in small letters',
      { amount: { value: '10.50', currencyCode: 'usd' } },
      { amount: '10.50', currency: 'USD', asSent: { 'amount.currencyCode': 'usd' } },
    ],
    ['a number for the amount', { amount: { value: 10.5, currencyCode: 'USD' } }, { amount: '10.50' }],
    [
      'a long issuer',
      { issuer: 'B'.repeat(300) },
      { issuerName: 'B'.repeat(200), asSent: { issuer: 'B'.repeat(300) } },
    ],
    ['control characters', { issuer: 'First\u0007Bank', age: '1\n2' }, { issuerName: 'First Bank', age: '1 2' }],
    ['a number for the last four digits', { cardLast4: 42 }, { card: '411111xxxxxx0042' }],
  ])('is read: %s', async (_, sent, read) => {
    const { status, body } = await sendBody('provider_a', bodyA({ alertId: `L${fresh()}`, ...sent }));
    expect(status).toBe(200);
    const { providerAlert } = await alertAt((body as { alert_id: number }).alert_id);
    expect(providerAlert).toMatchObject(read);
  });

  it('is read of provider_b too, and what is as it should be is not kept twice', async () => {
    const sent = bodyB({ caseId: `L${fresh()}`, transactionCurrency: 'usd', tier: 1, transactionDate: '2026-04-30' });
    const { body } = await sendBody('provider_b', sent);
    const { providerAlert } = await alertAt((body as { alert_id: number }).alert_id);
    expect(providerAlert).toMatchObject({ currency: 'USD', tier: '1', asSent: { transactionCurrency: 'usd' } });
    const plain = await sendBody('provider_b', bodyB({ caseId: `L${fresh()}` }));
    expect((await alertAt((plain.body as { alert_id: number }).alert_id)).providerAlert).not.toHaveProperty('asSent');
  });
});

it.each(['alerts/list-quarantine', 'alerts/quarantine-details', 'alerts/resubmit-quarantined'])(
  '%s does what it declares',
  (name) => expectDeclared(name),
);
