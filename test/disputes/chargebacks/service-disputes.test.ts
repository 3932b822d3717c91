import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { readServiceDispute } from '#payments/processors/http/http-disputes.ts';
import { disputeIdOf } from '#payments/processors/ports/dispute.ts';
import { useAccounts } from '#test/payments/transactions/accounts.ts';
import { type FakeMerchantService, startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { type DisputedMerchant, lookAt, newDisputedMerchant } from './merchant.ts';

/** Disputes that a merchant's own service reports: found by the daily look or named by a signed webhook, each read by itself. */

useOperations();
const accounts = useAccounts();
let service: FakeMerchantService;
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  service = await startFakeMerchantService();
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  await service[Symbol.asyncDispose]();
});

const noon = Date.parse('2026-05-02T12:00:00.000Z');
let merchant: DisputedMerchant;
let connection = '';
beforeEach(async () => {
  setClock(() => noon);
  service.disputes.list = new Map();
  service.disputes.fails = undefined;
  merchant = await newDisputedMerchant();
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const credentials = { base_url: service.url, secret: service.secret };
  const { body } = await ask('connections/set-connections', {
    as: merchant.shop.as,
    params: { mid: merchant.shop.mid },
    body: { connections: [{ kind: 'http', label: 'Ours', credentials }] },
  });
  connection = (body as { connections: { id: string }[] }).connections[0]?.id ?? '';
});

type Json = Record<string, unknown>;
const raise = (reference: string, change: Json = {}): void => {
  const { reference: charge } = service.charge({ minor: 6400, at: noon - 40 * milliseconds.day });
  const opened_at = new Date(noon - milliseconds.hour).toISOString();
  const dispute = {
    reference,
    charge,
    status: 'open',
    amount: '64.00',
    currency: 'USD',
    opened_at,
    reason_code: '13.1',
  };
  service.disputes.list?.set(reference, { ...dispute, ...change });
};
const look = async () => {
  const failed = await lookAt({ lookId: `${merchant.shop.mid}.${connection}` });
  const noted = accounts.noted.splice(0);
  return [...failed, ...(noted.length > 0 ? await lookAt(...noted) : [])];
};
const listed = async (): Promise<Json[]> => {
  const { body } = await ask('chargebacks/list-chargebacks', { as: merchant.shop.as, body: { order: 'ASC' } });
  return (body as { list: Json[] }).list;
};
const send = ({ headers, rawBody }: ReturnType<FakeMerchantService['webhook']>) =>
  ask('connections/receive-connection-webhook', {
    as: 'nobody',
    params: { mid: merchant.shop.mid, id: connection },
    headers,
    rawBody,
  });

describe('disputes of the merchant’s own service', () => {
  it('are found by the daily look, on all pages, and followed until they end', async () => {
    for (const reference of ['d1', 'd2', 'd3']) raise(reference);
    expect(await look()).toEqual([]);
    expect((await listed()).map(({ dispute_reference: one }) => one).sort()).toEqual(['d1', 'd2', 'd3']);
    raise('d2', { status: 'WON' });
    setClock(() => noon + milliseconds.day);
    const second = (await listed()).find(({ dispute_reference: one }) => one === 'd2');
    await lookAt({ chargebackId: String(second?.['chargeback_id']) });
    expect((await listed()).find(({ dispute_reference: one }) => one === 'd2')).toMatchObject({
      ...{ status: 'won', processor: 'http', connection, reason_code: '13.1' },
    });
  });

  it.each([
    ['without the call', 404],
    ['that is not allowed', 405],
  ] as const)('are none of a service %s', async (_, status) => {
    if (status === 404) service.disputes.list = null;
    else service.fail(405, /disputes/, 1);
    expect(await look()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['the second page', 3, 1, 404],
    ['the second page', 3, 1, 405],
    ['the tenth page', 25, 9, 404],
    ['the newer half of a period with too many pages', 25, 10, 404],
    ['the rest of a period with too many pages', 25, 11, 405],
  ] as const)(
    'are asked for again when the service has answered and %s (of %i, after %i calls) fails with %i',
    async (_, size, after, status) => {
      const references = Array.from({ length: size }, (__, index) => `d${index}`);
      for (const [index, reference] of references.entries())
        raise(reference, { opened_at: new Date(noon - (index + 1) * milliseconds.day).toISOString() });
      const row = keys.disputeLook(merchant.shop.mid, connection);
      const before = (await getItem(row))?.['look'] as Json;
      service.disputes.fails = { after, status };
      await look();
      await look();
      expect((await getItem(row))?.['look']).toMatchObject({ since: before['since'] });
      service.disputes.fails = undefined;
      for (const days of [1, 2]) {
        setClock(() => noon + days * milliseconds.day);
        await look();
      }
      expect((await listed()).map(({ dispute_reference: one }) => one).sort()).toEqual(references.sort());
    },
  );

  it('show since when the connection has failed, until it answers again', async () => {
    const { as, mid } = merchant.shop;
    const row = keys.disputeLook(mid, connection);
    const since = async () => {
      const { body } = await ask('connections/connection-details', { as, params: { mid } });
      return (body as { connections: { failing_since: string | null }[] }).connections[0]?.failing_since;
    };
    const lookOnDay = async (day: number, fails: boolean) => {
      setClock(() => noon + day * milliseconds.day);
      service.disputes.fails = fails ? { after: 0, status: 503 } : undefined;
      await look();
      return since();
    };
    const first = new Date(noon + milliseconds.day).toISOString();
    raise('d1');
    expect(await since()).toBeNull();
    expect([await lookOnDay(0, false), await lookOnDay(1, true), await lookOnDay(2, true)]).toEqual([
      null,
      first,
      first,
    ]);
    // Release 1.1.0 looks with success, and keeps what it does not know.
    const item = await getItem(row);
    const kept = item?.['look'] as Json;
    await putItem({
      ...item,
      look: { ...kept, nextAt: new Date(noon + 3.5 * milliseconds.day).toISOString() },
    } as never);
    expect(await since()).toBeNull();
    const fourth = new Date(noon + 4 * milliseconds.day).toISOString();
    expect([await lookOnDay(4, true), await lookOnDay(5, false)]).toEqual([fourth, null]);
    expect((await getItem(row))?.['look']).not.toHaveProperty('failing');
  });

  it('are named by a webhook that the service has signed, and by no other', async () => {
    raise('d1');
    const foreign = `whsec_${Buffer.from('z'.repeat(32)).toString('base64')}`;
    expect(await send(service.webhook('d1', foreign))).toMatchObject({ status: 401 });
    const { headers, rawBody } = service.webhook('d1');
    expect(await send({ headers, rawBody: rawBody.replace('d1', 'd2') })).toMatchObject({ status: 401 });
    const old = { headers, rawBody };
    setClock(() => noon + 6 * milliseconds.minute);
    expect(await send(old)).toMatchObject({ status: 401 });
    expect(accounts.noted).toEqual([]);
    expect(await send(service.webhook('d1'))).toMatchObject({ status: 200, body: '[accepted]' });
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    expect(await listed()).toMatchObject([{ dispute_reference: 'd1', status: 'open', stage: 'chargeback' }]);
  });

  it('that cannot be read leave the others readable, are named with field and reason, and are asked for again', async () => {
    raise('d1');
    raise('d2', { amount: '12,50' });
    raise('d3', { opened_at: 'yesterday' });
    expect(await look()).toEqual([]);
    expect((await listed()).map(({ dispute_reference: one }) => one)).toEqual(['d1']);
    const { body } = await ask('connections/test-connection', {
      as: merchant.shop.as,
      params: { mid: merchant.shop.mid, id: connection },
    });
    expect(JSON.stringify(body)).toMatch(
      /2 of the disputes could not be read: dispute d2: amount .*dispute d3: opened_at/,
    );
    raise('d2');
    raise('d3');
    setClock(() => noon + milliseconds.day);
    expect(await look()).toEqual([]);
    expect((await listed()).map(({ dispute_reference: one }) => one).sort()).toEqual(['d1', 'd2', 'd3']);
    const item = await getItem(keys.disputeLook(merchant.shop.mid, connection));
    expect(item?.['look']).toMatchObject({ since: new Date(noon + milliseconds.day).toISOString() });
  });

  const rowOfLook = async () => (await getItem(keys.disputeLook(merchant.shop.mid, connection)))?.['look'] as Json;
  const notice = (reference: string) =>
    disputeIdOf({ mid: merchant.shop.mid, processor: 'http', connection, reference });
  const sweep = async (reference: string, days: number) => {
    setClock(() => noon + days * milliseconds.day);
    return lookAt({ noticeId: notice(reference) });
  };

  it.each([
    ['amount', { amount: '12,50' }],
    ['time', { opened_at: 'yesterday' }],
    ['currency', { currency: 'XXZ' }],
    ['charge', { charge: '' }],
  ])(
    'that cannot be read for the %s are asked for by name for a week, and then raise an alarm once',
    async (_, wrong) => {
      raise('d1', wrong);
      const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      const alarms = () => written.mock.calls.filter(([line]) => String(line).includes('dispute_never_read')).length;
      expect(await look()).toEqual([]);
      expect(await rowOfLook()).toMatchObject({ since: new Date(noon).toISOString() });
      for (const days of [0.5, 1, 6.5]) expect(await sweep('d1', days)).toEqual([]);
      expect(alarms()).toBe(0);
      expect(await sweep('d1', 7)).toEqual([]);
      expect(alarms()).toBe(1);
      expect(await getItem(keys.disputeNotice(notice('d1')))).toBeUndefined();
      written.mockRestore();
    },
  );

  it('that cannot be read in an earlier part of a long look are asked for by name as well', async () => {
    for (let n = 0; n < 25; n += 1)
      raise(`d${n}`, { opened_at: new Date(noon - (n + 1) * milliseconds.day).toISOString() });
    raise('d2', { amount: '12,50', opened_at: new Date(noon - 3 * milliseconds.day).toISOString() });
    await look();
    await look();
    expect(await rowOfLook()).toMatchObject({ since: new Date(noon).toISOString() });
    raise('d2', { opened_at: new Date(noon - 3 * milliseconds.day).toISOString() });
    expect(await sweep('d2', 5)).toEqual([]);
    expect(await listed()).toHaveLength(25);
  });

  it('that have no reference hold the look back for a week, and then raise an alarm', async () => {
    raise('d1', { reference: null });
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const sinces: unknown[] = [];
    for (let days = 0; days < 8; days += 1) {
      setClock(() => noon + days * milliseconds.day);
      await look();
      sinces.push((await rowOfLook())['since']);
    }
    expect(new Set(sinces.slice(0, 7)).size).toBe(1);
    expect(sinces[7]).toBe(new Date(noon + 7 * milliseconds.day).toISOString());
    expect(written.mock.calls.flat().join('\n')).toContain('dispute_never_read');
    written.mockRestore();
  });
});

const sent = {
  reference: 'd1',
  charge: 'c1',
  status: 'open',
  amount: '10.00',
  currency: 'usd',
  opened_at: '2026-05-01',
};

describe('a dispute of the merchant’s own service', () => {
  it.each([
    [{}, { stage: 'chargeback', status: 'open', isTaken: true, openedAt: '2026-05-01T00:00:00.000Z' }],
    [
      { amount: 10, reference: 17 },
      { reference: '17', money: { minor: 1000n, currency: 'USD' } },
    ],
    [
      { stage: 'Inquiry', status: 'Needs response' },
      { stage: 'inquiry', status: 'open', isTaken: false },
    ],
    [
      { status: 'won', network: 'American Express' },
      { status: 'won', isTaken: false, network: 'amex' },
    ],
    [
      { status: 'lost', money_taken: false },
      { status: 'lost', isTaken: false },
    ],
    [{ stage: 'Pre-Arbitration' }, { stage: 'arbitration', status: 'open', isTaken: true }],
    [{ stage: 'retrieval' }, { stage: 'inquiry', isTaken: false }],
    [
      { stage: '', due_by: '', reason_code: '', money_taken: '' },
      { stage: 'chargeback', dueBy: null, isTaken: true },
    ],
    [{ due_by: '2026-05-09' }, { dueBy: '2026-05-09T23:59:59.000Z' }],
    [{ amount: '10.000', currency: 'JPY' }, { money: { minor: 10n, currency: 'JPY' } }],
    [{ status: 'refunded-by-network' }, { status: 'refunded_by_network', isTaken: true }],
    [{ status: 'escalated' }, { status: 'open', isTaken: false, unmapped: 'escalated' }],
    [{ amount: '500', currency: 'JPY', due_by: '2026-05-09 12:00' }, { dueBy: '2026-05-09T12:00:00.000Z' }],
    [
      { reason_code: null, network: undefined, due_by: null },
      { reasonCode: '', network: '', dueBy: null },
    ],
  ])('is read with %j', (change, expected) => {
    expect(readServiceDispute({ ...sent, ...change })).toMatchObject(expected);
  });

  it.each([
    ['reference', { reference: '' }, 'reference is empty'],
    ['charge', { charge: undefined }, 'charge is missing'],
    ['status', { status: undefined }, 'status is missing'],
    ['stage', { stage: 'appeal' }, 'stage must be one of'],
    ['amount', { amount: '1e3' }, 'amount must be a decimal'],
    ['currency', { currency: 'XXZ' }, 'currency of ISO 4217'],
    ['opened_at', { opened_at: '2026-02-30' }, 'opened_at'],
    ['due_by', { due_by: 'soon' }, 'due_by must be ISO 8601'],
  ])('is refused for its %s', (_, change, words) => {
    expect(readServiceDispute({ ...sent, ...change })).toContain(words);
  });
});
