import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { firstOrderProfile } from '#accounts/merchants/settings/order-profile-row.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { orderContent } from '#payments/orders/order.ts';
import { createOrder, getOrder } from '#payments/orders/order-store.ts';
import { OrderFields } from '#payments/orders/schemas.ts';
import { alertAt, fresh, outcomesAt, take } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { sentOrderOfCharge } from '#test/payments/orders/samples.ts';
import { braintreeRoute, nmiRoute, routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { pay } from '#test/payments/transactions/shop.ts';
import { ledgerAt, paymentAt } from '#test/payments/transactions/support.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';
import { type FakeNmi, startFakeNmi } from '#test/support/fake-nmi.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { replaceConnections } from '#test/support/replace-connections.ts';
import { type DisputedMerchant, lookAt, newDisputedMerchant } from './merchant.ts';

/** Chargebacks of charges that merchants took at their own processors, and what follows from them. */

useOperations();
const accounts = useAccounts();
let nmi: FakeNmi;
let braintree: FakeBraintree;
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  [nmi, braintree] = await Promise.all([startFakeNmi(), startFakeBraintree()]);
  braintree.settlesAtOnce = true;
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  await Promise.all([nmi[Symbol.asyncDispose](), braintree[Symbol.asyncDispose]()]);
});

const noon = Date.parse('2026-05-02T12:00:00.000Z');
const later = (time: number) => setClock(() => noon + time);
let merchant: DisputedMerchant;
beforeEach(async () => {
  later(0);
  beforeTransactions();
  merchant = await newDisputedMerchant();
});

type Webhook = { headers: Record<string, string>; rawBody: string };
/** A dispute that an issuer raised there: its charge, the processor's name for it, and the webhook that reports it. */
type Raised = { charge: string; reference: string; webhook: () => Webhook };

const number = '4242424242424242';
const processors = {
  stripe: {
    credentials: () => {
      const { secretKey, webhookSecret, url } = accounts.stripe;
      return { secret_key: secretKey, webhook_secret: webhookSecret, base_url: url };
    },
    charge: (minor: number) => accounts.stripe.elsewhere.add({ minor, number }).id,
    raise: (id: string): Raised => {
      const charge = accounts.stripe.elsewhere.charges.get(id);
      if (!charge) throw new Error(`There is no charge ${id}`);
      const { intent, amount, currency } = charge;
      const dispute = accounts.stripe.disputes.open({ id: intent, amount, currency, latest_charge: { id } });
      return { charge: id, reference: dispute.id, webhook: () => accounts.stripe.webhook({ ...dispute }) };
    },
    failOnce: () => accounts.stripe.fail(503, /disputes/),
  },
  nmi: {
    credentials: () => ({
      security_key: nmi.securityKey,
      webhook_key: nmi.webhookKey,
      base_url: nmi.url,
      environment: 'test',
    }),
    charge: (minor: number) => nmi.charge({ minor, number }).id,
    raise: (id: string): Raised => {
      nmi.chargeBack(id, nmi.records.get(id)?.actions[0]?.minor ?? 0);
      // Batches tell no transaction.
      const batch = {
        event_id: `e${fresh()}`,
        event_type: 'chargeback.batch.complete',
        event_body: { count: 1, chargebacks: [] },
      };
      return { charge: id, reference: id, webhook: () => nmi.webhook(batch) };
    },
    failOnce: () => nmi.fail(503, /query/),
  },
  braintree: {
    credentials: () => {
      const { publicKey: public_key, privateKey: private_key, url: base_url } = braintree;
      return { public_key, private_key, base_url, environment: 'test' };
    },
    charge: (minor: number) => braintree.charge({ minor, number }).id,
    raise: (id: string): Raised => {
      const reference = String(braintree.dispute(id, 'OPEN')['legacyId']);
      const dispute = `<dispute><id>${reference}</id><status>open</status><transaction><id>${id}</id></transaction></dispute>`;
      const xml = `<notification><kind>dispute_opened</kind><subject>${dispute}</subject></notification>`;
      return { charge: id, reference, webhook: () => braintree.webhook(xml) };
    },
    failOnce: () => braintree.fail(503, /Disputes/),
  },
} as const;
type Kind = keyof typeof processors;
const kinds = ['stripe', 'nmi', 'braintree'] as const satisfies readonly Kind[];

const set = async (...connections: object[]): Promise<string[]> => {
  const { status, body } = await replaceConnections(merchant.shop, connections);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body as { connections: { id: string }[] }).connections.map(({ id }) => id);
};
const connect = async (kind: Kind): Promise<string> => {
  const [id = ''] = await set({ kind, label: 'The shop', credentials: processors[kind].credentials() });
  return id;
};
const send = (id: string, { headers, rawBody }: Webhook, mid = merchant.shop.mid) =>
  ask('connections/receive-connection-webhook', { as: 'nobody', params: { mid, id }, headers, rawBody });

/** Has the worker take what the queue got, and what that put there. */
const work = async () => {
  while (accounts.noted.length > 0) expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
};
const told = async (id: string, webhook: Webhook) => {
  expect(await send(id, webhook)).toMatchObject({ status: 200, body: '[accepted]' });
  await work();
};
const look = async (id: string) => {
  const failed = await lookAt({ lookId: `${merchant.shop.mid}.${id}` });
  await work();
  return failed;
};

type Row = Record<string, unknown>;
const list = async (body: object = {}): Promise<Row[]> =>
  ((await ask('chargebacks/list-chargebacks', { as: merchant.shop.as, body })).body as { list: Row[] }).list;

const disputedAlert = async (amount: string, transactionAt = nowIso()): Promise<number> => {
  const { alert_id } = await take('provider_a', {
    ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: merchant.descriptor },
    ...{ cardBin: '424242', cardLast4: '4242', amount: { value: amount, currencyCode: 'USD' } },
    ...{ transactionTimestamp: transactionAt, arn: '', authCode: '' },
  });
  return alert_id;
};
const shown = async (alertId: number) =>
  (await ask('alerts/alert-details', { as: merchant.shop.as, params: { alert_id: alertId } })).body as Row;

it('submits evidence to a connection at Braintree once', async () => {
  const id = await connect('braintree');
  const raised = processors.braintree.raise(processors.braintree.charge(4321));
  await told(id, raised.webhook());
  const [row] = await list();
  const submit = () =>
    ask('chargebacks/chargeback-evidence', {
      ...{ as: merchant.shop.as, params: { id: String(row?.['chargeback_id']) }, body: { submit: true } },
    });
  expect(await submit()).toMatchObject({ status: 200, body: { chargeback: { status: 'under_review' } } });
  expect(await submit()).toMatchObject({ status: 200 });
  const sent = braintree.requests.filter(({ body }) => body.includes('"mutation FinalizeDispute('));
  expect(sent).toHaveLength(1);
});

describe.each(kinds)('a dispute at a connection to %s', (kind) => {
  const { charge, raise, failOnce } = processors[kind];

  it('becomes a chargeback by a signed webhook, and its alert is lost and answered as a rule says', async () => {
    const id = await connect(kind);
    const reference = charge(4321);
    const alertId = await disputedAlert('43.21');
    const other = await disputedAlert('43.20');
    const rule = { sid: merchant.alertSite.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
    await ask('rules/create-rule', { body: rule });
    later(milliseconds.hour);
    const raised = raise(reference);
    await told(id, raised.webhook());
    const [row, ...others] = await list();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ processor: kind, connection: id, dispute_reference: raised.reference, txid: null, sid: null },
      ...{ alert_id: alertId, amount: '43.21', currency: 'USD', stage: 'chargeback', status: 'open' },
    });
    expect(await shown(alertId)).toMatchObject({
      lost: true,
      chargeback_id: row?.['chargeback_id'],
      status: 'DECLINED',
    });
    expect((await outcomesAt(alertId)).map(({ update }) => update.reason_code)).toEqual(['952.002']);
    expect(await alertAt(other)).toMatchObject({ status: 'OPEN', chargeback: null });
    expect(await list({ alert_id: alertId })).toHaveLength(1);
    // Reported again, it keeps its alert, and the alert has nothing new.
    const { history } = await shown(alertId);
    await told(id, raised.webhook());
    expect(await list({ alert_id: alertId })).toHaveLength(1);
    expect(await shown(alertId)).toMatchObject({ history });
    const evidence = { as: merchant.shop.as, params: { id: String(row?.['chargeback_id']) } };
    expect(await ask('chargebacks/chargeback-evidence', evidence)).toMatchObject({
      status: 200,
      body: { payment: null },
    });
  });

  it('is found by the daily look where no webhook tells, and counts once', async () => {
    const id = await connect(kind);
    const raised = raise(charge(2345));
    expect(await look(id)).toEqual([]);
    const known = (await list()).filter((one) => one['amount'] === '23.45');
    expect(known).toMatchObject([{ dispute_reference: raised.reference, connection: id, alert_id: null }]);
    later(23 * milliseconds.hour);
    await look(id);
    await told(id, raised.webhook());
    expect((await list()).filter((one) => one['amount'] === '23.45')).toHaveLength(1);
  });

  it('marks the order of the same charge without an alert, and no order that only resembles it', async () => {
    const id = await connect(kind);
    const raised = raise(charge(7345));
    const owner = { ...firstOrderProfile({ ...merchant.alertSite, mid: merchant.shop.mid }), version: 1 };
    const store = async (change: object) => {
      const card = { card_firstsix: number.slice(0, 6), card_lastfour: number.slice(-4), auth_code: null, arn: null };
      const paid = { amount: '73.45', order_date: nowIso(), reference: `O-${fresh()}` };
      const fields = v.parse(OrderFields, sentOrderOfCharge({ ...card, ...paid, ...change }));
      const content = orderContent(fields, nowIso());
      return (await createOrder(owner, Array.isArray(content) ? expect.fail(content.join()) : content)).orderId;
    };
    const own = await store({ processor: { connection: id, reference: raised.charge } });
    const alike = await store({});
    await look(id);
    const [row] = (await list()).filter((one) => one['amount'] === '73.45');
    // Stripe does not state the first six digits, by which orders are found.
    const marks = kind === 'stripe' ? [] : [{ chargebackId: row?.['chargeback_id'] }];
    expect((await getOrder(own))?.disputes).toMatchObject(marks);
    expect((await getOrder(alike))?.disputes).toEqual([]);
  });

  it('has an alert that came after it looked for by each look of a month, and by none after that', async () => {
    const id = await connect(kind);
    const paidAt = nowIso();
    const [found, missed] = [3456, 3457].map((minor) => raise(charge(minor)));
    await look(id);
    const alertOf = async (raised: Raised | undefined) => {
      const row = (await list()).find((one) => one['dispute_reference'] === raised?.reference);
      expect(await lookAt({ chargebackId: row?.['chargeback_id'] })).toEqual([]);
      const [after] = (await list()).filter((one) => one['dispute_reference'] === raised?.reference);
      return after?.['alert_id'];
    };
    expect(await alertOf(found)).toBeNull();
    later(29 * milliseconds.day);
    const alertId = await disputedAlert('34.56', paidAt);
    expect(await alertOf(found)).toBe(alertId);
    later(32 * milliseconds.day);
    await disputedAlert('34.57', paidAt);
    expect(await alertOf(missed)).toBeNull();
  });

  it('is looked for again since when it could last be asked', async () => {
    const id = await connect(kind);
    const row = keys.disputeLook(merchant.shop.mid, id);
    const before = (await getItem(row))?.['look'] as { since: string };
    failOnce();
    expect(await look(id)).toEqual([]);
    expect(await getItem(row)).toMatchObject({
      look: { since: before.since },
      dueSk: expect.stringMatching(/^2026-05-03T11:/),
    });
    later(milliseconds.day);
    await look(id);
    expect(await getItem(row)).toMatchObject({ look: { since: nowIso() } });
  });

  it("is accepted only if it is signed with the connection's secret", async () => {
    const id = await connect(kind);
    const webhook = raise(charge(3456)).webhook();
    const forged = { ...webhook, rawBody: webhook.rawBody.replace(/.$/, '0') };
    const answers = [await send(id, forged), await send('cn_of_nobody', webhook), await send(id, webhook, 4242)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(accounts.noted).toEqual([]);
  });
});

it('belongs to the site of a payment that was taken here, whichever source reports it', async () => {
  const { shop } = merchant;
  const id = await connect('stripe');
  await routeTo(shop, stripeRoute(accounts.stripe));
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const { txid } = await pay(shop, '10.00');
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  const webhook = accounts.stripe.webhook({ ...accounts.stripe.disputes.open(intent) });
  await told(id, webhook);
  await accounts.send(shop, 'stripe', webhook);
  await work();
  const rows = (await list()).filter((one) => one['amount'] === '10.00');
  expect(rows).toMatchObject([{ txid, sid: shop.sid, connection: null }]);
  expect(Object.values((await ledgerAt(txid)).chargebacks ?? {})).toMatchObject([{ minor: 1000n, taken: true }]);
});

it('of a payment that was taken here and is not written down yet becomes its own with the next look', async () => {
  const { shop } = merchant;
  const id = await connect('stripe');
  await routeTo(shop, stripeRoute(accounts.stripe));
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const { txid } = await pay(shop, '10.00');
  const reference = (await paymentAt(txid)).processorReference ?? '';
  const intent = accounts.stripe.intents.get(reference);
  if (!intent) throw new Error('Stripe does not know the payment');
  const dispute = accounts.stripe.disputes.open(intent);
  const webhook = accounts.stripe.webhook({ ...dispute });
  const Key = keys.processorReference('stripe', reference);
  const Item = await getItem(Key);
  if (!Item) throw new Error('The payment is not known by its reference');
  await transact({ row: { Delete: { Key } } });
  await told(id, webhook);
  const [before] = await list();
  expect(before).toMatchObject({ txid: null, connection: id });
  await transact({ rows: [{ Put: { Item } }] });
  later(milliseconds.day + milliseconds.minute);
  const message = { chargebackId: before?.['chargeback_id'] };
  expect(await lookAt(message)).toEqual([]);
  const after = { txid, sid: shop.sid, connection: null, opened_at: before?.['opened_at'] };
  expect(await list()).toMatchObject([after]);
  expect(Object.values((await ledgerAt(txid)).chargebacks ?? {})).toMatchObject([{ minor: 1000n, taken: true }]);
  // The same message again, and the site's own webhook, find it there.
  expect(await lookAt(message)).toEqual([]);
  await accounts.send(shop, 'stripe', webhook);
  await work();
  expect(await list()).toMatchObject([after]);
  expect(Object.values((await ledgerAt(txid)).chargebacks ?? {})).toHaveLength(1);
});

it.each(['nmi', 'braintree'] as const)(
  'of a payment of which %s never told is found by our own reference',
  async (kind) => {
    const { shop } = merchant;
    const id = await connect(kind);
    await routeTo(shop, kind === 'nmi' ? nmiRoute(nmi) : braintreeRoute(braintree));
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    const { txid } = await pay(shop, '10.00');
    const reference = (await paymentAt(txid)).processorReference ?? '';
    await transact({ row: { Delete: { Key: keys.processorReference(kind, reference) } } });
    const raised = processors[kind].raise(reference);
    await told(id, raised.webhook());
    const rows = (await list()).filter((one) => one['dispute_reference'] === raised.reference);
    expect(rows).toMatchObject([{ txid, sid: shop.sid, connection: null }]);
    expect(Object.values((await ledgerAt(txid)).chargebacks ?? {})).toMatchObject([{ minor: 1000n, taken: true }]);
  },
);

it('that Stripe warns of at a connection becomes an informational alert', async () => {
  const id = await connect('stripe');
  const paid = { id: 'pi_elsewhere', amount: 1234, currency: 'usd' };
  const warning = accounts.stripe.disputes.warn(paid, { calculated_statement_descriptor: merchant.descriptor });
  await told(id, accounts.stripe.webhook(warning));
  const { issuer_name: _, ...row } =
    (await getItem(keys.providerCase('stripe', `${merchant.shop.mid}#${warning.id}`))) ?? {};
  expect(row).toMatchObject({ case: { sid: merchant.alertSite.sid } });
});

it('a refund that Stripe took on and its bank refused later is failed, and the alert its merchant’s again', async () => {
  const id = await connect('stripe');
  const charge = processors.stripe.charge(6543);
  const alertId = await disputedAlert('65.43');
  const refund = () =>
    ask('refunds/refund-alert', {
      ...{ as: merchant.shop.as, params: { alert_id: alertId }, body: { connection: id, reference: charge } },
    });
  expect(await refund()).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED' } });
  const made = [...accounts.stripe.elsewhere.refunds.values()].find((one) => one.charge === charge);
  if (!made) throw new Error('Nothing was refunded');
  // The webhook's own content is not trusted.
  await told(id, accounts.stripe.webhook({ ...made, status: 'failed' }));
  expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
  Object.assign(made, { status: 'failed', failure_reason: 'declined' });
  Object.assign(accounts.stripe.elsewhere.charges.get(charge) ?? {}, { amountRefunded: 0 });
  await told(id, accounts.stripe.webhook({ ...made }));
  expect(await alertAt(alertId)).toMatchObject({ status: 'WIP' });
  expect(await refund()).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED' } });
});

it('a dispute that its processor never returns is queried for a month, and no longer', async () => {
  const credentials = { ...processors.stripe.credentials(), secret_key: 'rk_test_revoked' };
  const [id = ''] = await set({ kind: 'stripe', label: 'Its key was revoked', credentials });
  await send(id, processors.stripe.raise(processors.stripe.charge(6789)).webhook());
  const [notice] = accounts.noted.splice(0);
  const row = keys.disputeNotice(String(v.parse(v.object({ noticeId: v.string() }), notice).noticeId));
  for (const time of [0, 29 * milliseconds.day]) {
    later(time);
    expect(await lookAt(notice ?? {})).toHaveLength(1);
    expect(await getItem(row)).toBeDefined();
  }
  later(31 * milliseconds.day);
  expect(await lookAt(notice ?? {})).toEqual([]);
  expect(await getItem(row)).toBeUndefined();
});

describe('the daily look', () => {
  it('ends with its connection, and begins with one that is asked again', async () => {
    const [id = ''] = [await connect('stripe')];
    const row = keys.disputeLook(merchant.shop.mid, id);
    await set({ id, kind: 'stripe', label: 'The shop', active: false });
    await look(id);
    expect(await getItem(row)).toBeUndefined();
    await set({ id, kind: 'stripe', label: 'The shop' });
    expect(await getItem(row)).toMatchObject({ entity: 'DISPUTE_LOOK', look: { since: '2026-04-02T12:00:00.000Z' } });
  });

  it('continues from its last position after connections are replaced', async () => {
    const id = await connect('stripe');
    await look(id);
    later(milliseconds.hour);
    await set({ id, kind: 'stripe', label: 'The same shop' });
    expect(await getItem(keys.disputeLook(merchant.shop.mid, id))).toMatchObject({
      look: { since: new Date(noon).toISOString() },
    });
  });

  it('reads the rest at once where an account has more disputes than are read at once', async () => {
    const id = await connect('stripe');
    const row = keys.disputeLook(merchant.shop.mid, id);
    const { disputes } = accounts.stripe;
    disputes.disputes.clear();
    const created = (n: number) => Math.floor((noon - n * 30 * milliseconds.minute) / 1000);
    const paid = { id: 'pi_elsewhere', amount: 1234, currency: 'usd' };
    for (let n = 0; n < 1300; n += 1) disputes.open(paid, { created: created(n) });
    const places = new Set<unknown>();
    for (let message: object | undefined = { lookId: `${merchant.shop.mid}.${id}` }; message; ) {
      expect(await lookAt(message)).toEqual([]);
      const noted = accounts.noted.splice(0);
      for (const one of noted) if ('noticeId' in one) places.add(one.noticeId);
      message = noted.find((one) => 'lookId' in one);
      if (message) expect(await getItem(row)).toMatchObject({ dueSk: expect.stringContaining(nowIso()) });
    }
    expect(places.size).toBe(1300);
    expect(await getItem(row)).toMatchObject({
      look: { since: nowIso() },
      dueSk: expect.stringMatching(/^2026-05-03T11:/),
    });
    disputes.disputes.clear();
  });

  it('begins with the next slot where it has not begun: connections of before, and merchants who are managed only since', async () => {
    const id = await connect('stripe');
    const row = keys.disputeLook(merchant.shop.mid, id);
    await transact({ row: { Delete: { Key: row } } });
    const managed = merchant;
    const late = await newDisputedMerchant(false);
    merchant = late;
    const since = await connect('nmi');
    await putItem(
      toMerchantItem({ mid: late.shop.mid, name: 'A merchant', createdAt: nowIso(), profile: { cbm: true } }),
    );
    const unmanaged = await newDisputedMerchant(false);
    merchant = unmanaged;
    const ignored = await connect('braintree');
    const pages = async () => {
      for (let message: object | undefined = { looksAfter: null }; message; ) {
        expect(await lookAt(message)).toEqual([]);
        message = accounts.noted.splice(0).find((one) => 'looksAfter' in one);
      }
    };
    await pages();
    const begun = { look: { since: new Date(noon - 30 * milliseconds.day).toISOString(), nextAt: nowIso() } };
    expect(await getItem(row)).toMatchObject(begun);
    expect(await getItem(keys.disputeLook(late.shop.mid, since))).toMatchObject(begun);
    expect(await getItem(keys.disputeLook(unmanaged.shop.mid, ignored))).toBeUndefined();
    merchant = managed;
    await look(id);
    const looked = await getItem(row);
    await pages();
    expect(await getItem(row)).toEqual(looked);
  });

  it('finds what Braintree dates, whatever of its dates or another dispute’s cannot be read', async () => {
    const id = await connect('braintree');
    const dispute = (minor: number, change: object) =>
      braintree.dispute(processors.braintree.charge(minor), 'OPEN', { ...change });
    dispute(5101, { createdAt: 'soon', receivedDate: '2026-05-01', replyByDate: 'some day' });
    dispute(5102, { createdAt: 'soon', receivedDate: 'never' });
    dispute(5103, {});
    await look(id);
    const rows = await list();
    expect(rows.map(({ amount }) => amount).sort()).toEqual(expect.arrayContaining(['51.01', '51.03']));
    expect(rows.find(({ amount }) => amount === '51.01')).toMatchObject({ due_by: null });
    expect(rows.map(({ amount }) => amount)).not.toContain('51.02');
  });

  it('does nothing where its connection ended before', async () => {
    const id = await connect('stripe');
    await look(id);
    await set();
    await look(id);
    const requests = accounts.stripe.requests.length;
    expect(await look(id)).toEqual([]);
    expect(accounts.stripe.requests).toHaveLength(requests);
  });

  it('is skipped for a merchant without managed chargebacks', async () => {
    merchant = await newDisputedMerchant(false);
    const id = await connect('stripe');
    expect(await getItem(keys.disputeLook(merchant.shop.mid, id))).toBeUndefined();
    await told(id, processors.stripe.raise(processors.stripe.charge(5678)).webhook());
    expect(await list()).toEqual([]);
  });
});

it('connections/receive-connection-webhook is declared as it is', () =>
  expectDeclared('connections/receive-connection-webhook'));
