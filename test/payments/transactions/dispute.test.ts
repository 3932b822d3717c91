import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, queryItems, transact } from '#core/platform/table/table.ts';
import { fromHoldItem } from '#disputes/alerts/hold-row.ts';
import { linkDispute, settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { dueMessage } from '#jobs/due-routing.ts';
import { handler } from '#jobs/settle/handler.ts';
import { rateWrites } from '#payments/pricing/rates/rate-row.ts';
import { brokenRules, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { reserveInLedger } from '#payments/transactions/ledger/ledger-changes.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  callsDuring,
  fresh,
  makeRcode,
  seedClaims,
  seedSite,
  send,
  take,
} from '#test/disputes/alerts/seed.ts';
import { sqsEvent } from '#test/messaging/support.ts';
import { seedPayment, seedPaymentSite } from '#test/payments/cardsearch/seed.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';

useOperations();

const start = Date.parse('2026-05-02T10:00:00.000Z');
/** The site that gets the alerts, and one of the same merchant that takes payments. */
let alertSite: Site;
let site: Site;
let descriptor: string;
beforeEach(async () => {
  setClock(() => start);
  alertSite = await seedSite({ alert: settings() });
  ({ site } = await seedPaymentSite({ mid: alertSite.mid }));
  descriptor = `SHOP ${alertSite.sid}`;
  for (const name of ['provider_a', 'provider_b', 'rdr']) await seedClaims(name, 'EXACT', descriptor, alertSite);
});
afterEach(() => setClock());

const takeA = async (change: Record<string, unknown> = {}) =>
  (
    await take('provider_a', {
      alertId: `A${fresh()}`,
      merchantDescriptor: descriptor,
      arn: '',
      authCode: '',
      ...change,
    })
  ).alert_id;
const resolve = async (alertId: number, as: Site = alertSite) => {
  const body = { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.003' };
  expect(await ask('alerts/update-alert', { as: 'nobody', body, headers: { rcode: makeRcode(as.sid) } })).toMatchObject(
    {
      status: 200,
    },
  );
};
const ledgerAt = async (txid: number): Promise<Ledger> => {
  const ledger = fromLedgerItem((await getItem(keys.ledger(txid))) ?? {});
  expect(brokenRules(ledger)).toEqual([]);
  return ledger;
};
const heldAt = async (txid: number) => (await ledgerAt(txid)).disputes;
const holdAt = async (alertId: number) => fromHoldItem(await getItem(keys.disputeHold(alertId)));
const shown = async (alertId: number) => {
  const { body } = await ask('alerts/alert-details', { as: { mid: alertSite.mid }, params: { alert_id: alertId } });
  const { held_txid, potential_txids } = body as { held_txid: number | null; potential_txids: number[] };
  return { held_txid, potential_txids };
};
/** The alerts of the list, and what is held for each. */
const listed = async () => {
  const { body } = await ask('alerts/list-alerts', { as: { mid: alertSite.mid }, body: { with_held_txid: true } });
  const { list } = body as { list: { alert_id: number; held_txid?: number | null }[] };
  return list.map(({ alert_id: alertId, held_txid: held }) => ({ alertId, held }));
};
/** Returns what a sweep finds due for an alert's hold. */
const owed = async (alertId: number) => {
  const item = await getItem(keys.disputeHold(alertId));
  if (item?.['duePk'] === undefined) return undefined;
  const { items } = await queryItems({
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :pk AND dueSk = :sk',
    ExpressionAttributeValues: { ':pk': item['duePk'], ':sk': item['dueSk'] },
  });
  return items.map((row) => dueMessage(row, '2026-05-02T12:00:00.000Z'));
};
const message = (alertId: number) => [{ queue: 'settlement', body: { alertId } }];

describe('an open dispute alert', () => {
  it('is taken in three calls, and holds its payment until it has its outcome', async () => {
    const { txid } = await seedPayment(site);
    let alertId = 0;
    expect(await callsDuring(async () => (alertId = await takeA()))).toBeLessThanOrEqual(3);
    expect(await owed(alertId)).toEqual(message(alertId));
    expect(await callsDuring(() => settleDispute(alertId))).toBe(4);
    expect(await heldAt(txid)).toEqual({ [alertId]: { open: true, held: 36156n, refundTxid: null } });
    expect(await holdAt(alertId)).toMatchObject({ txid, txids: [] });
    expect(await shown(alertId)).toEqual({ held_txid: txid, potential_txids: [] });
    expect(await listed()).toEqual([{ alertId, held: txid }]);
    await resolve(alertId);
    expect(await listed()).toEqual([{ alertId, held: null }]);
    expect(await owed(alertId)).toEqual(message(alertId));
    await settleDispute(alertId);
    expect(await heldAt(txid)).toEqual({ [alertId]: { open: false, held: 0n, refundTxid: null } });
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('holds the payment that its authorization code names, although the issuer states another currency', async () => {
    await seedPayment(site);
    const { txid } = await seedPayment(site, { authCode: '012345' });
    const alertId = await takeA({ authCode: '12345', amount: { value: '330.00', currencyCode: 'EUR' } });
    await settleDispute(alertId);
    expect(await shown(alertId)).toEqual({ held_txid: txid, potential_txids: [] });
  });

  it('ranks payments in another currency by the exchange rate, and holds none by it alone', async () => {
    const { txid: far } = await seedPayment(site, { money: { minor: '90000', currency: 'USD' } });
    const { txid: near } = await seedPayment(site);
    await transact({
      rate: rateWrites({ from: 'EUR', to: 'USD', rate: '1.08', source: 'ECB', at: iso(start), by: 'anna' }),
    });
    const alertId = await takeA({ amount: { value: '330.00', currencyCode: 'EUR' } });
    await settleDispute(alertId);
    expect(await shown(alertId)).toEqual({ held_txid: null, potential_txids: [near] });
    expect(await heldAt(far)).toEqual({});
  });

  it('holds what a refund that is under way has left', async () => {
    const { txid } = await seedPayment(site);
    const ledger = await ledgerAt(txid);
    await transact(
      ledgerWrites(ledger, reserveInLedger(ledger, { txid: 1, kind: 'REFUND', minor: 156n, alertId: null })),
    );
    const alertId = await takeA();
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]?.held).toBe(36000n);
  });

  it.each([['CONFIRMED_FRAUD'], ['CUSTOMER_DISPUTE']])('of type %s holds', async (type) => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA({ type });
    await settleDispute(alertId);
    expect(Object.keys(await heldAt(txid))).toEqual([String(alertId)]);
  });

  it('holds none of several, and names them', async () => {
    const [one, two] = [await seedPayment(site), await seedPayment(site)];
    const alertId = await takeA();
    await settleDispute(alertId);
    expect([await heldAt(one.txid), await heldAt(two.txid)]).toEqual([{}, {}]);
    expect((await holdAt(alertId))?.txids.toSorted()).toEqual([one.txid, two.txid].toSorted());
    expect((await shown(alertId)).potential_txids).toHaveLength(2);
    const { version } = (await holdAt(alertId)) ?? {};
    await settleDispute(alertId);
    expect((await holdAt(alertId))?.version).toBe(version);
    await resolve(alertId);
    await settleDispute(alertId);
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('keeps the one of several payments that a person links to it', async () => {
    const [linked, other] = [await seedPayment(site), await seedPayment(site)];
    const alertId = await takeA();
    await settleDispute(alertId);
    await linkDispute(await alertAt(alertId), linked.txid, 'anna');
    const before = await holdAt(alertId);
    await settleDispute(alertId);
    expect(await holdAt(alertId)).toEqual(before);
    expect(await shown(alertId)).toEqual({ held_txid: linked.txid, potential_txids: [] });
    expect([await heldAt(linked.txid), await heldAt(other.txid)]).toMatchObject([{ [alertId]: { held: 36156n } }, {}]);
  });

  it("never holds another merchant's payment", async () => {
    const { site: foreign } = await seedPaymentSite();
    const { txid } = await seedPayment(foreign);
    const alertId = await takeA();
    await settleDispute(alertId);
    expect(await heldAt(txid)).toEqual({});
    expect(await holdAt(alertId)).toMatchObject({ txid: null, txids: [], isSearched: true });
  });

  it('finds a payment whose outcome comes later, and gives up looking after a week', async () => {
    const alertId = await takeA();
    await settleDispute(alertId);
    const { txid } = await seedPayment(site);
    setClock(() => start + 12 * 3_600_000);
    await settleDispute(alertId);
    expect((await holdAt(alertId))?.txid).toBe(txid);
    const another = await takeA({ cardLast4: '9999' });
    setClock(() => start + 8 * 86_400_000);
    await settleDispute(another);
    expect(await holdAt(another)).toBeUndefined();
  });

  it('of a merchant that takes no payments is looked for twice and not for a week', async () => {
    const alertId = await takeA();
    await settleDispute(alertId);
    // The list may lag behind a first payment of a moment ago.
    expect(await owed(alertId)).toEqual(message(alertId));
    setClock(() => start + 10 * 60_000);
    await settleDispute(alertId);
    expect(await owed(alertId)).toEqual(message(alertId));
    setClock(() => Date.parse('2026-05-02T12:00:00.000Z'));
    expect(await callsDuring(() => settleDispute(alertId))).toBeLessThanOrEqual(4);
    expect(await holdAt(alertId)).toBeUndefined();
    expect(await shown(alertId)).toEqual({ held_txid: null, potential_txids: [] });
    await resolve(alertId);
  });

  it('of a merchant with one payment of another card is looked for all the week', async () => {
    await seedPayment(site);
    const alertId = await takeA({ cardLast4: '9999' });
    for (const days of [0, 1, 6]) {
      setClock(() => start + days * 86_400_000);
      await settleDispute(alertId);
      expect(await owed(alertId)).toEqual(message(alertId));
    }
  });

  it('is held for from the moment an administrator gives it to a site', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA({ merchantDescriptor: 'NOBODY KNOWS THIS' });
    expect(await holdAt(alertId)).toBeUndefined();
    await ask('alerts/assign-alert', { params: { alert_id: alertId }, body: { sid: alertSite.sid } });
    await settleDispute(alertId);
    expect((await holdAt(alertId))?.txid).toBe(txid);
  });

  it('that its provider takes back lets go', async () => {
    const { txid } = await seedPayment(site, { money: { minor: '3999', currency: 'USD' } });
    const caseB = {
      caseId: `B${fresh()}`,
      descriptor,
      accountNumber: '411111xxxxxx1111',
      arn: '',
      authorizationCode: '',
    };
    const { alert_id: alertId } = await take('provider_b', caseB);
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]?.held).toBe(3999n);
    await take('provider_b', { ...caseB, status: 'REVOKED' });
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]).toEqual({ open: false, held: 0n, refundTxid: null });
  });
});

describe('alerts that hold nothing', () => {
  it.each([['FRAUD_NOTICE']])('%s', async (type) => {
    const alertId = await takeA({ type });
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('a message about an alert without a hold, or about none', async () => {
    await settleDispute(await takeA({ type: 'FRAUD_NOTICE' }));
    await settleDispute(1);
  });
});

describe('a refund that a network has made by itself', () => {
  const rdr = () => ({
    decisionId: `R${fresh()}`,
    paymentDescriptor: descriptor,
    cardBin: '411111',
    cardLast4: '1111',
    authCode: '',
    arn: '',
    transactionDate: '2026-04-30T08:15:00Z',
    transactionAmount: '361.56',
    acquirerBin: '',
    cardAcceptorId: '',
  });

  it('is refundable for no one, its own alert included, until it is released', async () => {
    const { txid } = await seedPayment(site);
    const sent = rdr();
    const { alert_id: alertId } = await take('rdr', sent);
    await settleDispute(alertId);
    const held = { open: true, held: 36156n, refundTxid: null, byNetwork: true };
    expect(await heldAt(txid)).toEqual({ [alertId]: held });
    expect(await owed(alertId)).toBeUndefined();
    const ledger = await ledgerAt(txid);
    expect(() => reserveInLedger(ledger, { txid: 1, kind: 'REFUND', minor: 1n, alertId })).toThrow('already_refunded');
    expect(() => reserveInLedger(ledger, { txid: 1, kind: 'REFUND', minor: 1n, alertId: null })).toThrow(
      'held_by_dispute',
    );
    await send('rdr', { event: 'DELETE', decisionId: sent.decisionId });
    expect(await owed(alertId)).toEqual(message(alertId));
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]).toMatchObject({ open: false, held: 0n });
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('is not charged back by the sandbox, unlike a payment of the same amount that an issuer asks about', async () => {
    const { txid } = await seedPayment(site, { money: { minor: '36171', currency: 'USD' } });
    const { alert_id: byNetwork } = await take('rdr', { ...rdr(), transactionAmount: '361.71' });
    const asked = await takeA({ amount: { value: '361.71', currencyCode: 'USD' } });
    for (const alertId of [byNetwork, asked]) {
      await settleDispute(alertId);
      expect((await holdAt(alertId))?.txid).toBe(txid);
    }
    expect(await getItem(keys.sandboxDispute(`sbd_${txid}_${byNetwork}`))).toBeUndefined();
    expect(await getItem(keys.sandboxDispute(`sbd_${txid}_${asked}`))).toBeDefined();
  });

  it('is none if the network declined it', async () => {
    const { alert_id: alertId } = await take('rdr', { ...rdr(), decision: 'DECLINED', declineCode: '1' });
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('takes over what an earlier alert held once that is closed', async () => {
    const { txid } = await seedPayment(site);
    const first = await takeA();
    await settleDispute(first);
    const { alert_id: second } = await take('rdr', rdr());
    await settleDispute(second);
    await resolve(first);
    await settleDispute(first);
    expect(await heldAt(txid)).toMatchObject({ [first]: { held: 0n }, [second]: { held: 36156n, byNetwork: true } });
  });
});

describe('messages', () => {
  it('that come twice, at once or late, change nothing', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    await Promise.all([settleDispute(alertId), settleDispute(alertId), settleDispute(alertId)]);
    const { version } = await ledgerAt(txid);
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).version).toBe(version);
    await resolve(alertId);
    await Promise.all([settleDispute(alertId), settleDispute(alertId)]);
    await settleDispute(alertId);
    expect(await heldAt(txid)).toEqual({ [alertId]: { open: false, held: 0n, refundTxid: null } });
    expect((await ledgerAt(txid)).version).toBe(version + 1);
  });

  it('that come in the wrong order hold nothing for an alert that is over', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    await resolve(alertId);
    await settleDispute(alertId);
    await settleDispute(alertId);
    expect(await heldAt(txid)).toEqual({});
  });

  it('that read the alert before its outcome was written start again', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    let isFirst = true;
    beforeTransactions(async () => {
      if (!isFirst) return;
      isFirst = false;
      await resolve(alertId);
      await settleDispute(alertId);
    });
    await settleDispute(alertId);
    expect(await heldAt(txid)).toEqual({});
    expect(await holdAt(alertId)).toBeUndefined();
  });

  it('race with refunds of the same payment', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    let number = 0;
    beforeTransactions(async ({ TransactItems = [] }: TransactWriteCommandInput) => {
      if (number >= 3 || !TransactItems.some((part) => part.Put?.Item?.['entity'] === 'HOLD')) return;
      number += 1;
      const ledger = await ledgerAt(txid);
      const refund = { txid: number, kind: 'REFUND', minor: 100n, alertId: null } as const;
      await transact(ledgerWrites(ledger, reserveInLedger(ledger, refund)));
    });
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]?.held).toBe(36156n - 300n);
  });

  it('are worked off by the settle function', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    expect(await handler(sqsEvent([{ alertId }]))).toEqual({ batchItemFailures: [] });
    expect((await heldAt(txid))[alertId]?.held).toBe(36156n);
  });

  it('that die before their write leave it due', async () => {
    const { txid } = await seedPayment(site);
    const alertId = await takeA();
    beforeTransactions(() => Promise.reject(new Error('killed')));
    await expect(settleDispute(alertId)).rejects.toThrow('killed');
    beforeTransactions();
    expect(await owed(alertId)).toEqual(message(alertId));
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]?.held).toBe(36156n);
    await resolve(alertId);
    beforeTransactions(() => Promise.reject(new Error('killed')));
    await expect(settleDispute(alertId)).rejects.toThrow('killed');
    beforeTransactions();
    expect(await owed(alertId)).toEqual(message(alertId));
    await settleDispute(alertId);
    expect((await heldAt(txid))[alertId]?.held).toBe(0n);
  });
});
