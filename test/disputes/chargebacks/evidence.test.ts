import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { isClean } from '#payments/orders/order.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import type { DisputeEvidence } from '#payments/processors/ports/dispute.ts';
import { stripeDisputes } from '#payments/processors/stripe/stripe-disputes-client.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { fresh } from '#test/disputes/alerts/seed.ts';
import { routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { paymentAt } from '#test/payments/transactions/support.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import type { FakeDispute } from '#test/support/fake-stripe-disputes.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { useServer } from '#test/support/use-server.ts';
import { lookAt } from './merchant.ts';

/** Evidence against chargebacks: what it is made of, and how processors get it. */

useOperations();
const accounts = useAccounts();
beforeAll(() => void Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true' }));
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});

const noon = Date.parse('2026-05-02T12:00:00.000Z');
let shop: Tenant;
beforeEach(async () => {
  setClock(() => noon);
  beforeTransactions();
  shop = await newShop({}, { cbm: true, order_insights: true, oi_merchant_id: `oi-evidence-${fresh()}` });
});

const ids = async (): Promise<string[]> => {
  const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: {} });
  return (body as { list: { chargeback_id: string }[] }).list.map((one) => one.chargeback_id);
};
const disputed = async (change: Record<string, unknown> = {}) => {
  await routeTo(shop, stripeRoute(accounts.stripe));
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const { txid } = await pay(shop, '10.00');
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  const dispute = accounts.stripe.disputes.open(intent, change);
  expect(await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }))).toMatchObject({ status: 200 });
  expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  const [id = ''] = await ids();
  return { id, dispute, txid };
};
const evidence = (id: string, body: object, as: As = shop.as) =>
  ask('chargebacks/chargeback-evidence', { as, params: { id }, body });
const submit = (id: string, as: As = shop.as) => evidence(id, { submit: true }, as);
const details = async (id: string) =>
  (await ask('chargebacks/chargeback-details', { as: shop.as, params: { id } })).body;
const taken = ({ id }: FakeDispute) => accounts.stripe.disputes.evidence.get(id);
const updates = () =>
  accounts.stripe.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/disputes'));

describe('a chargeback of an order', () => {
  const orderOf = async (txid: number) => {
    const order = await getOrder(txid);
    const { body } = await ask('lookups/list-orders', { as: shop.as, body: { mid: shop.mid, disputed: true } });
    const row = (body as { list: { order_id: number; money_state: string | null }[] }).list.find(
      (one) => one.order_id === txid,
    );
    return { isClean: order && isClean(order), disputes: order?.disputes, listedAs: row?.money_state };
  };
  const tell = async (dispute: FakeDispute) => {
    expect(await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }))).toMatchObject({ status: 200 });
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  };

  it('names the card, the buyer and the items in the list', async () => {
    await disputed();
    const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: {} });
    const named = { card: '424242******4242', buyer: 'Jenny Rosen', items: ['Hosting'] };
    expect(body).toMatchObject({ list: [named] });
    const { body: without } = await ask('chargebacks/list-chargebacks', {
      as: { mid: shop.mid, may: ['chargebacks:read'] },
      body: {},
    });
    expect(without).toMatchObject({ list: [{ card: null, buyer: null, items: [] }] });
  });

  it.each([
    ['a chargeback', {}, 'CHARGEBACK', false],
    ['a chargeback that was lost', { status: 'lost' }, 'CHARGEBACK', false],
    ['an inquiry', { status: 'warning_needs_response' }, 'INQUIRY', false],
    ['an inquiry that is being reviewed', { status: 'warning_under_review' }, 'INQUIRY', false],
    ['a chargeback that was won', { status: 'won' }, null, true],
  ] as const)('marks it as disputed by %s, unless it was won', async (_, change, type, clean) => {
    const { id, txid } = await disputed(change);
    const disputes = type === null ? [] : [{ alertId: null, chargebackId: id, type, at: expect.any(String) }];
    // A row of the list and the page of the order have one status.
    const state = type === null ? null : type === 'CHARGEBACK' ? 'charged_back' : 'disputed';
    expect(await orderOf(txid)).toEqual({ isClean: clean, disputes, listedAs: state ?? undefined });
    const details = await ask('lookups/order-details', { as: shop.as, params: { id: txid } });
    const chargebacks = disputes.map(({ chargebackId, ...one }) => ({ chargeback_id: chargebackId, type: one.type }));
    expect(details.body).toMatchObject({
      ...{ order: { disputed: !clean }, money_state: state, alerts: [], chargebacks },
    });
    const payment = await ask('transactions/transaction-details', { as: shop.as, params: { parentxid: txid } });
    const events = (payment.body as { history: Record<string, unknown>[] }).history;
    const payments = (await ask('transactions/list-transactions', { as: shop.as, body: { mid: shop.mid } })).body as {
      list: Record<string, unknown>[];
    };
    const shownState = payments.list.find((one) => one['txid'] === txid)?.['money_state'];
    const isBooked = type === 'CHARGEBACK';
    expect(events.filter(({ event }) => event === 'charged_back')).toMatchObject(
      isBooked ? [{ chargeback_id: id, amount: '10.00', txid: null }] : [],
    );
    expect(shownState).toBe(isBooked ? 'charged_back' : null);
  });

  it('is no dispute any more once it is won, and is one again if an arbitration reopens it', async () => {
    const { dispute, txid } = await disputed();
    await tell(Object.assign(dispute, { status: 'won' }));
    expect(await orderOf(txid)).toEqual({ isClean: true, disputes: [], listedAs: undefined });
    await tell(Object.assign(dispute, { status: 'lost' }));
    expect(await orderOf(txid)).toMatchObject({ isClean: false, listedAs: 'charged_back' });
  });
});

describe('evidence at Stripe', () => {
  it('is assembled, and nothing is sent, unless that is asked for', async () => {
    const { id, dispute, txid } = await disputed();
    const { status, body } = await evidence(id, {});
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        archive: null,
        chargeback: { chargeback_id: id, status: 'open', evidence_submitted_at: null },
        payment: { txid, amount: '10.00', card: '424242******4242', refunded: '0.00', three_ds: null },
        order_evidence: { ce3: { qualified: false, reason: 'too_few' }, order: { order_id: txid, source: 'payment' } },
      },
    });
    expect(taken(dispute)).toBeUndefined();
    expect(await evidence(id, {}, { mid: shop.mid + 5000 })).toMatchObject({ status: 404 });
  });

  it('is submitted once, in Stripe’s fields, and the chargeback is under review then', async () => {
    const { id, dispute } = await disputed();
    expect(await submit(id)).toMatchObject({
      status: 200,
      body: { chargeback: { status: 'under_review', evidence_submitted_at: nowIso() } },
    });
    const sent = taken(dispute);
    expect(sent).toMatchObject({
      customer_email_address: 'jenny.rosen@example.com',
      product_description: expect.stringMatching(/×/),
    });
    expect(sent?.['uncategorized_text']).toMatch(
      /^The cardholder disputes \$10\.00 \(dispute dp_\w+, Visa 10\.4\)\. .*\n\n1\. The payment of \$10\.00 with Visa card 4242 42xx xxxx 4242 was made on 2 May 2026, 12:\d\d UTC/,
    );
    expect(dispute.status).toBe('under_review');
    const before = updates().length;
    setClock(() => noon + milliseconds.hour);
    expect(await submit(id)).toMatchObject({
      status: 200,
      body: { chargeback: { evidence_submitted_at: new Date(noon).toISOString() } },
    });
    expect(updates()).toHaveLength(before);
    expect(accounts.noted).toEqual([{ chargebackId: id }]);
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    expect(await details(id)).toMatchObject({
      evidence_submitted_at: new Date(noon).toISOString(),
      history: [{ status: 'open' }, { status: 'under_review', by: `merchant-${shop.mid}` }],
    });
  });

  it('is due again when an inquiry that was answered becomes a chargeback, and not when a stage is reported twice', async () => {
    const { id, dispute } = await disputed({ status: 'warning_needs_response' });
    await submit(id);
    const report = async (status: string) => {
      Object.assign(dispute, { status });
      await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
      expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    };
    await report('warning_needs_response');
    expect(await details(id)).toMatchObject({ evidence_submitted_at: nowIso() });
    await report('needs_response');
    expect(await details(id)).toMatchObject({ stage: 'chargeback', status: 'open', evidence_submitted_at: null });
    const before = updates().length;
    setClock(() => noon + milliseconds.hour);
    expect(await submit(id)).toMatchObject({ status: 200, body: { chargeback: { evidence_submitted_at: nowIso() } } });
    expect(updates()).toHaveLength(before + 1);
    await submit(id);
    expect(updates()).toHaveLength(before + 1);
    expect(dispute.status).toBe('under_review');
  });

  it('that Stripe took although its answer was lost is submitted once', async () => {
    const { id, dispute } = await disputed();
    accounts.stripe.fail('lost', /^POST .*disputes/, 2);
    expect(await submit(id)).toMatchObject({
      status: 409,
      body: { code: 'evidence_refused', details: expect.stringMatching(/Ask again: it is submitted once\.$/) },
    });
    expect(await details(id)).toMatchObject({ evidence_submitted_at: null });
    expect(await submit(id)).toMatchObject({ status: 200, body: { chargeback: { evidence_submitted_at: nowIso() } } });
    expect((dispute['evidence_details'] as { submission_count: number }).submission_count).toBe(1);
  });

  it('that several ask for at once is submitted once', async () => {
    const { id, dispute } = await disputed();
    const sentBefore = accounts.stripe.requests.length;
    const answers = await Promise.all([submit(id), submit(id), submit(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.filter(({ status }) => status === 409)).toMatchObject([
      { body: { code: 'changed_meanwhile' } },
      { body: { code: 'changed_meanwhile' } },
    ]);
    const sent = accounts.stripe.requests
      .slice(sentBefore)
      .filter(({ method, path }) => method === 'POST' && /disputes/.test(path));
    expect(sent).toHaveLength(1);
    expect((dispute['evidence_details'] as { submission_count: number }).submission_count).toBe(1);
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  it('is submitted by the next call after one that died, once its minute is over', async () => {
    const { id } = await disputed();
    const item = await getItem(keys.chargeback(id));
    const dead = {
      ...(item?.['chargeback'] as object),
      submittingUntil: new Date(noon + milliseconds.minute).toISOString(),
    };
    await putItem({ ...item, chargeback: dead });
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    setClock(() => noon + milliseconds.minute);
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  it('is submitted although the clock went back by an hour during a call that died', async () => {
    const { id } = await disputed();
    const item = await getItem(keys.chargeback(id));
    const dead = {
      ...(item?.['chargeback'] as object),
      submittingUntil: new Date(noon + milliseconds.hour).toISOString(),
    };
    await putItem({ ...item, chargeback: dead });
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  const save = (id: string, text: string) =>
    ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text } });

  it('cannot be changed, nor the chargeback accepted, while it is being submitted', async () => {
    const { id } = await disputed();
    const item = await getItem(keys.chargeback(id));
    const submittingUntil = new Date(noon + milliseconds.minute).toISOString();
    await putItem({ ...item, chargeback: { ...(item?.['chargeback'] as object), submittingUntil } });
    const refused = { status: 409, body: { code: 'changed_meanwhile', details: 'Its evidence is being submitted.' } };
    expect(await save(id, 'Late')).toMatchObject(refused);
    expect(
      await ask('chargebacks/remove-file', {
        as: shop.as,
        params: { id },
        body: { file_id: `file_${'a'.repeat(24)}` },
      }),
    ).toMatchObject(refused);
    expect(await ask('chargebacks/accept-chargeback', { as: shop.as, params: { id }, body: {} })).toMatchObject(
      refused,
    );
    setClock(() => noon + milliseconds.minute);
    expect(await save(id, 'In time')).toMatchObject({ status: 200 });
  });

  it('includes a response that another caller saved just before it is submitted', async () => {
    const { id, dispute } = await disputed();
    let isFirst = true;
    beforeTransactions(async () => {
      if (!isFirst) return;
      isFirst = false;
      expect(await save(id, 'She signed for it.')).toMatchObject({ status: 200 });
    });
    expect(await submit(id)).toMatchObject({ status: 200, body: { response: { text: 'She signed for it.' } } });
    expect(taken(dispute)).toMatchObject({ uncategorized_text: 'She signed for it.' });
  });

  it('that is refused says so although its submission cannot be ended in the table', async () => {
    const { id } = await disputed();
    accounts.stripe.fail(400, /^POST .*disputes/);
    let isFirst = true;
    beforeTransactions(async () => {
      const item = await getItem(keys.chargeback(id));
      const chargeback = item?.['chargeback'] as { version: number };
      if (!isFirst) await putItem({ ...item, chargeback: { ...chargeback, version: chargeback.version + 1 } });
      isFirst = false;
    });
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'evidence_refused' } });
  });

  it('that costs a fee the caller did not agree to is refused in words that are not Stripe’s', async () => {
    const { id } = await disputed({ reason: 'noncompliant' });
    const details = expect.stringMatching(/^To contest a compliance dispute costs 500 USD/);
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'evidence_refused', details } });
    expect(await evidence(id, { submit: true, fee_acknowledged: true })).toMatchObject({ status: 200 });
  });

  it('that is refused says so, and may be submitted again', async () => {
    const { id, dispute } = await disputed();
    accounts.stripe.fail(400, /^POST .*disputes/);
    expect(await submit(id)).toMatchObject({
      status: 409,
      body: { code: 'evidence_refused', details: expect.stringMatching(/^Its processor says: stripe 400/) },
    });
    expect(taken(dispute)).toBeUndefined();
    expect(await submit(id)).toMatchObject({ status: 200 });
  });

  it('is not submitted after the deadline, for a closed dispute, or by a read-only caller', async () => {
    const { id, dispute } = await disputed();
    expect(await submit(id, { mid: shop.mid, role: 'developer' })).toMatchObject({ status: 403 });
    setClock(() => noon + 8 * milliseconds.day);
    expect(await submit(id)).toMatchObject({
      body: { code: 'chargeback_over', details: 'It could be contested until 2026-05-09T12:00:00.000Z.' },
    });
    setClock(() => noon);
    dispute.status = 'won';
    await lookAt({ chargebackId: id });
    const item = await getItem(keys.chargeback(id));
    if (item) await putItem({ ...item, chargeback: { ...(item['chargeback'] as object), status: 'won' } });
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'chargeback_over', details: 'It is won.' } });
    expect(taken(dispute)).toBeUndefined();
  });

  it('is refused with 409 while others keep changing the chargeback', async () => {
    const { id } = await disputed();
    beforeTransactions(async () => {
      const item = await getItem(keys.chargeback(id));
      const chargeback = item?.['chargeback'] as { version: number };
      await putItem({ ...item, chargeback: { ...chargeback, version: chargeback.version + 1 } });
    });
    expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    beforeTransactions();
    expect(await submit(id)).toMatchObject({ status: 200 });
  });
});

it('elsewhere is a ZIP for the portal', async () => {
  const { txid } = await pay(shop, '10.00', { card_no: '4000000000000259' });
  setClock(() => noon + 3000);
  expect(await lookAt({ sandboxDispute: `sbd_${txid}_0` })).toEqual([]);
  const [id = ''] = await ids();
  expect(await submit(id)).toMatchObject({
    status: 409,
    body: { code: 'evidence_refused', details: expect.stringMatching(/portal/) },
  });
  const { body } = await evidence(id, { archive: true });
  const { archive } = body as { archive: { name: string; content_base64: string } };
  expect(archive.name).toBe(`evidence-${id}.zip`);
  const files = unzipSync(Buffer.from(archive.content_base64, 'base64'));
  expect(Object.keys(files).sort()).toEqual([
    ...['chargeback.json', 'evidence.json', 'order.json', 'payment.json', 'statement.txt'],
  ]);
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  expect(textOf('statement.txt')).toMatch(/^The cardholder disputes \$10\.00/);
  expect(JSON.parse(textOf('chargeback.json'))).toMatchObject({ chargeback_id: id });
  expect(JSON.parse(textOf('payment.json'))).toMatchObject({ txid });
});

describe('Compelling Evidence 3.0', async () => {
  const stripe = await useServer(startFakeStripe());
  const purchase = {
    ...{ accountId: 'ada', deviceFingerprint: null, deviceId: 'device-0123456789', email: 'ada@example.com' },
    ...{ ip: '203.0.113.7', description: '1 × Tea', address: null },
  };
  const told = (charges: readonly (string | null)[]): DisputeEvidence => ({
    customer: { name: 'Ada', email: 'ada@example.com', ip: '203.0.113.7' },
    shipping: { address: '', carrier: '', date: '', trackingNumber: '' },
    ...{
      billingAddress: '',
      productDescription: 'Tea',
      serviceDate: '',
      accessLog: 'a'.repeat(25_000),
      statement: 'Paid.',
      files: [],
      renderLetter: () => expect.fail('Stripe accepts the response as text'),
    },
    compelling: {
      disputed: { ...purchase, kind: 'merchandise' },
      priors: charges.map((charge) => ({ ...purchase, charge })),
    },
  });
  const submitted = async (charges: readonly (string | null)[]) => {
    const { id } = stripe.disputes.open({ id: 'pi_1', amount: 1000, currency: 'usd' });
    const port = stripeDisputes({ secret_key: stripe.secretKey, base_url: stripe.url });
    expect(await port.submit?.(id, told(charges))).toBe('done');
    return stripe.disputes.evidence.get(id);
  };

  it('is submitted with two earlier charges, and long fields are cut', async () => {
    const sent = await submitted(['ch_one', 'ch_two']);
    expect(sent).toMatchObject({
      access_activity_log: 'a'.repeat(20_000),
      enhanced_evidence: {
        visa_compelling_evidence_3: {
          disputed_transaction: { merchandise_or_services: 'merchandise', customer_device_id: 'device-0123456789' },
          prior_undisputed_transactions: {
            0: { charge: 'ch_one' },
            1: { charge: 'ch_two', customer_account_id: 'ada' },
          },
        },
      },
    });
  });

  it.each([[['ch_one', null]], [['ch_one', '8834']], [['ch_one']]])(
    'is left out with %j, and the rest is submitted',
    async (charges) => {
      const sent = await submitted(charges);
      expect(sent).toMatchObject({ uncategorized_text: 'Paid.' });
      expect(sent).not.toHaveProperty('enhanced_evidence');
    },
  );
});

it('chargebacks/chargeback-evidence is declared as it is', () => expectDeclared('chargebacks/chargeback-evidence'));
