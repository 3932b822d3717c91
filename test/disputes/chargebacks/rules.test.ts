import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { iso, milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { dueKindOf } from '#core/platform/work/due.ts';
import { handler } from '#disputes/chargebacks/jobs/decide-chargebacks/handler.ts';
import { decideChargebacksWorker } from '#disputes/chargebacks/jobs/decide-chargebacks/worker.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { fresh } from '#test/disputes/alerts/seed.ts';
import { routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { paymentAt } from '#test/payments/transactions/support.ts';
import type { FakeDispute } from '#test/support/fake-stripe-disputes.ts';
import { ask, beforeTransactions, expectDeclared, runWorker, useOperations } from '#test/support/operations.ts';
import { lookAt } from './merchant.ts';

/** Rules about chargebacks: what they compare, what they do, when, and that nothing is submitted twice or late. */

useOperations();
const accounts = useAccounts();
const queues = {
  CHARGEBACK_RULES_QUEUE_URL: 'https://sqs.example.com/rules',
  DEADLINE_QUEUE_URL: 'https://sqs.example.com/deadline',
};
beforeAll(() => void Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true', ...queues }));
afterAll(() => {
  for (const name of ['ALLOW_LOOPBACK_HTTP', ...Object.keys(queues)]) delete process.env[name];
});

const noon = Date.parse('2026-05-02T12:00:00.000Z');
const dueBy = noon + 7 * milliseconds.day;
let shop: Tenant;
beforeEach(async () => {
  setClock(() => noon);
  beforeTransactions();
  shop = await newShop({}, { cbm: true, order_insights: true, oi_merchant_id: `oi-rules-${fresh()}` });
});

type Json = Record<string, unknown>;
const always = { all: [{ fact: 'amount', operator: 'greaterThanInclusive', value: 0 }] };
const lastHour = { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 1 }] };
const submits = { type: 'submit', floor: 'any' };

const create = (change: Json) =>
  ask('rules/create-rule', {
    as: shop.as,
    body: { about: 'chargebacks', mid: shop.mid, name: 'A rule', conditions: always, action: submits, ...change },
  });
const rule = async (change: Json = {}): Promise<number> => {
  const answer = await create(change);
  expect(answer).toMatchObject({ status: 200 });
  return (answer.body as { rule_id: number }).rule_id;
};

/** A payment that is disputed, and what the worker of looks sends on. */
const disputed = async (change: Json = {}, amount = '10.00') => {
  await routeTo(shop, stripeRoute(accounts.stripe));
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const { txid } = await pay(shop, amount);
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  const dispute = accounts.stripe.disputes.open(intent, change);
  await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
  accounts.told.length = 0;
  expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: { order: 'DESC' } });
  const { list } = body as { list: { chargeback_id: string; dispute_reference: string }[] };
  const id = list.find((one) => one.dispute_reference === dispute.id)?.chargeback_id ?? '';
  return { id, dispute };
};

/** The worker takes a message; answers whether it is to come again, and what it sent. */
const decide = async (id: string, receipts = 1) => {
  accounts.told.length = 0;
  const record = {
    messageId: '1',
    body: JSON.stringify({ chargebackId: id }),
    attributes: { ApproximateReceiveCount: String(receipts) },
  };
  const event = { Records: [record] } as unknown as SQSEvent;
  const { batchItemFailures } = await runWorker(decideChargebacksWorker, () => handler(event));
  return { isAgain: batchItemFailures.length > 0, sent: [...(accounts.told as unknown as Json[])] };
};
const details = async (id: string) =>
  (await ask('chargebacks/chargeback-details', { as: shop.as, params: { id } })).body;
const submissions = ({ id }: FakeDispute): number =>
  accounts.stripe.requests.filter(({ method, path }) => method === 'POST' && path === `/v1/disputes/${id}`).length;
const countAt = (dispute: FakeDispute) =>
  (dispute['evidence_details'] as { submission_count: number }).submission_count;
const at = (time: number) => setClock(() => time);

const assigns = { type: 'assign', assignee: 'anna' };
const addAnna = async (): Promise<string> => {
  const username = `anna@m${shop.mid}`;
  const user = newUser(
    { username, scope: 'merchant', mid: shop.mid, role: 'analyst', name: 'Anna', email: 'anna@example.com' },
    iso(noon),
  );
  await putItem(toUserItem(user));
  return username;
};

describe('a rule about chargebacks', () => {
  it('is kept apart from rules about alerts, in an order of its own', async () => {
    const id = await rule();
    const list = async (body: Json) =>
      (await ask('rules/list-rules', { as: shop.as, body: { mid: shop.mid, ...body } })).body;
    expect(await list({ about: 'chargebacks' })).toMatchObject({
      list: [{ rule_id: id, about: 'chargebacks', providers: [], action: { type: 'submit', floor: 'any' } }],
    });
    expect(await list({})).toMatchObject({ list: [] });
  });

  it.each([
    ['an action of alerts', { action: { type: 'refund' } }, 'action.type: must be one of submit'],
    ['a field of alerts', { action: { type: 'accept', reason_code: '100.001' } }, 'action.reason_code'],
    ['no user', { action: { type: 'assign' } }, 'action.assignee'],
    ['a floor without a submission', { action: { type: 'accept', floor: 'any' } }, 'neither floor'],
    ['providers', { providers: ['provider_a'] }, 'providers'],
    ['a fact of alerts', { conditions: { all: [{ fact: 'alert_type', operator: 'equal', value: 'FRAUD' }] } }, '.fact'],
    ['an unknown claim', { conditions: { all: [{ fact: 'claim', operator: 'equal', value: 'theft' }] } }, '.value'],
    [
      'a chance above 100',
      { conditions: { all: [{ fact: 'win_chance', operator: 'lessThan', value: 101 }] } },
      '.value',
    ],
  ])('is refused with %s', async (_, change, details) => {
    expect(await create(change)).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } });
  });

  it('of alerts takes no action of chargebacks, and one of a site needs a payment site', async () => {
    expect(await create({ about: 'alerts', action: { type: 'submit' } })).toMatchObject({ status: 400 });
    expect(await create({ mid: undefined, sid: shop.sid })).toMatchObject({ status: 200, body: { sid: shop.sid } });
    expect(await create({ about: 'alerts', mid: undefined, sid: shop.sid, action: { type: 'notify' } })).toMatchObject({
      status: 409,
    });
  });
});

describe('the evaluation of rules', () => {
  it('is not begun without rules in use, and begins with the chargeback where there are some', async () => {
    const { id } = await disputed();
    expect(await getItem(keys.chargebackDecision(id))).toBeUndefined();
    await rule({ mode: 'shadow' });
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    expect(await getItem(keys.chargebackDecision(id))).toBeUndefined();
    at(noon + milliseconds.day);
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    const row = await getItem(keys.chargebackDecision(id));
    // The release before sweeps it as a chargeback, and so does nothing but look at that.
    expect(row && dueKindOf(row)).toBe('CHARGEBACK');
    expect(accounts.told).toEqual([{ chargebackId: id }]);
  });

  it('submits in the last hour, woken by a schedule, once, and says which rule did it', async () => {
    const ruleId = await rule({ conditions: lastHour });
    const { id, dispute } = await disputed();
    const turn = iso(dueBy - milliseconds.hour + milliseconds.second);
    expect(await decide(id)).toEqual({ isAgain: false, sent: [{ chargebackId: id, wakeAt: turn }] });
    expect(submissions(dispute)).toBe(0);
    at(dueBy - milliseconds.hour - milliseconds.minute);
    expect(await decide(id)).toMatchObject({ isAgain: false, sent: [{ chargebackId: id }] });
    expect(submissions(dispute)).toBe(0);
    at(Date.parse(turn));
    expect(await decide(id)).toEqual({ isAgain: false, sent: [] });
    expect(await decide(id)).toEqual({ isAgain: false, sent: [] });
    expect([submissions(dispute), countAt(dispute)]).toEqual([1, 1]);
    expect(await details(id)).toMatchObject({
      status: 'under_review',
      evidence_submitted_at: turn,
      automatic: {
        decision: { rule_id: ruleId, result: 'submitted', facts: { claim: 'fraud', hours_to_due: expect.any(Number) } },
      },
      history: [{ status: 'open' }, { status: 'under_review', by: `rule ${ruleId}` }],
    });
    expect(await getItem(keys.chargebackDecision(id))).toBeUndefined();
  });

  it('lets the site’s own rules decide first, and a shadow rule only record', async () => {
    const [shadow, merchants] = [await rule({ mode: 'shadow', action: { type: 'accept' } }), await rule()];
    const own = await rule({ mid: undefined, sid: shop.sid, action: { type: 'review' } });
    const { id, dispute } = await disputed();
    await decide(id);
    expect(await details(id)).toMatchObject({
      automatic: { decision: { rule_id: own, result: 'review' }, shadows: [] },
    });
    expect(submissions(dispute)).toBe(0);
    shop = await newShop({}, { cbm: true });
    const alone = await rule({ mode: 'shadow', action: { type: 'accept' } });
    const other = await disputed();
    await decide(other.id);
    expect(await details(other.id)).toMatchObject({
      status: 'open',
      automatic: { decision: null, shadows: [{ rule_id: alone, result: 'recorded' }] },
    });
    expect([shadow, merchants].every((one) => one < own)).toBe(true);
  });

  it.each([
    ['decisive', 'left_to_merchant', 0],
    ['any', 'submitted', 1],
    ['none', 'submitted', 1],
  ] as const)('with the floor %s and facts that only support ends as %s', async (floor, result, times) => {
    await rule({ action: { type: 'submit', floor } });
    const { id, dispute } = await disputed();
    await decide(id);
    const reason = result === 'submitted' ? null : 'evidence_below_floor';
    expect(await details(id)).toMatchObject({
      automatic: { decision: { result, reason, facts: { decisive_proof: false, proofs: expect.any(Number) } } },
    });
    expect(submissions(dispute)).toBe(times);
  });

  it('accepts a hopeless one, and notifies its processor', async () => {
    const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 25, params: { currency: 'USD' } }] };
    const ruleId = await rule({ conditions, action: { type: 'accept' } });
    const [{ id, dispute }, larger] = [await disputed(), await disputed({}, '30.00')];
    await decide(id);
    await decide(larger.id);
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    expect(dispute.status).toBe('lost');
    expect(await details(id)).toMatchObject({
      accepted: { by: `rule ${ruleId}` },
      automatic: { decision: { result: 'accepted' } },
    });
    expect(await details(larger.id)).toMatchObject({ status: 'open', automatic: null });
  });

  it('assigns it to a user once, who is mailed, and goes on when its time comes', async () => {
    const username = await addAnna();
    await rule({ conditions: lastHour });
    await rule({ action: assigns });
    const { id, dispute } = await disputed();
    await decide(id);
    expect(await details(id)).toMatchObject({
      assignee: username,
      status: 'open',
      automatic: { decision: { result: 'assigned' } },
    });
    const item = await getItem(keys.chargeback(id));
    await putItem({ ...item, chargeback: { ...(item?.['chargeback'] as Json), assignee: 'another' } });
    at(noon + milliseconds.day);
    await lookAt({ chargebackId: id });
    await decide(id);
    expect(await details(id)).toMatchObject({ assignee: 'another' });
    at(dueBy - milliseconds.hour + milliseconds.second);
    await decide(id);
    expect(countAt(dispute)).toBe(1);
  });

  it.each([
    ['submitted', 'any', 1],
    ['left to the merchant', 'decisive', 0],
  ] as const)(
    'assigned before, is %s by a later rule whose time comes, and is not assigned again',
    async (_, floor, times) => {
      await addAnna();
      await rule({ action: assigns });
      const lastDay = { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 24 }] };
      const later = await rule({ conditions: lastDay, action: { type: 'submit', floor } });
      const { id, dispute } = await disputed();
      await decide(id);
      const item = await getItem(keys.chargeback(id));
      await putItem({ ...item, chargeback: { ...(item?.['chargeback'] as Json), assignee: 'another' } });
      for (const hours of [24, 12]) {
        at(dueBy - hours * milliseconds.hour + milliseconds.second);
        await lookAt({ chargebackId: id });
        await decide(id);
      }
      expect(await details(id)).toMatchObject({ assignee: 'another', automatic: { decision: { rule_id: later } } });
      expect(countAt(dispute)).toBe(times);
    },
  );

  it.each([
    ['without a time', always],
    ['whose time had come before', { all: [{ fact: 'hours_to_due', operator: 'lessThan', value: 1000 }] }],
    ['whose time had come before, with days', { all: [{ fact: 'days_open', operator: 'lessThan', value: 1000 }] }],
  ])('keeps one that was assigned from a later rule %s', async (_, conditions) => {
    const username = await addAnna();
    const first = await rule({ action: assigns });
    await rule({ conditions, action: { type: 'accept' } });
    const { id } = await disputed();
    await decide(id);
    at(noon + milliseconds.day);
    await lookAt({ chargebackId: id });
    await decide(id);
    expect(await details(id)).toMatchObject({
      ...{ status: 'open', accepted: null, assignee: username },
      automatic: { decision: { rule_id: first, result: 'assigned' } },
    });
  });

  it('assigns one to a second user when the time of the second assignment comes, and not back', async () => {
    const username = await addAnna();
    const boss = `boss@m${shop.mid}`;
    const user = {
      username: boss,
      scope: 'merchant',
      mid: shop.mid,
      role: 'manager',
      name: 'Boss',
      email: '',
    } as const;
    await putItem(toUserItem(newUser(user, iso(noon))));
    await rule({ action: assigns });
    const lastDay = { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: 24 }] };
    await rule({ conditions: lastDay, action: { type: 'assign', assignee: 'boss' } });
    const { id } = await disputed();
    await decide(id);
    expect(await details(id)).toMatchObject({ assignee: username });
    for (const hours of [24, 12]) {
      at(dueBy - hours * milliseconds.hour + milliseconds.second);
      await lookAt({ chargebackId: id });
      await decide(id);
      expect(await details(id)).toMatchObject({ assignee: boss });
    }
  });

  it('leaves it to people where the user is unknown, or the processor refuses', async () => {
    await rule({
      conditions: {
        all: [
          { fact: 'reason_code', operator: 'equal', value: '4853' },
          { fact: 'network', operator: 'equal', value: 'MC' },
        ],
      },
      action: { type: 'assign', assignee: 'nobody' },
    });
    await rule();
    const card = { brand: 'mastercard', case_type: 'chargeback', network_reason_code: '4853' };
    const unknown = await disputed({ payment_method_details: { type: 'card', card } });
    await decide(unknown.id);
    expect(await details(unknown.id)).toMatchObject({ automatic: { decision: { reason: 'user_not_found' } } });
    const own = { due_by: dueBy / 1000, has_evidence: true, submission_count: 1, submission_method: 'smart_disputes' };
    const smart = await disputed({ evidence_details: own });
    expect(await decide(smart.id)).toMatchObject({ isAgain: false });
    expect(await details(smart.id)).toMatchObject({
      evidence_submitted_at: null,
      automatic: {
        decision: {
          result: 'left_to_merchant',
          reason: 'evidence_refused',
          words: expect.stringContaining('Smart Disputes'),
        },
      },
    });
  });

  it('submits a compliance dispute only with the fee acknowledged', async () => {
    await rule({ conditions: { all: [{ fact: 'amount', operator: 'lessThan', value: 25 }] } });
    await rule({ action: { ...submits, fee_acknowledged: true } });
    const compliance = { reason: 'noncompliant', enhanced_eligibility_types: ['visa_compliance'] };
    const [small, large] = [await disputed(compliance), await disputed(compliance, '900.00')];
    await decide(small.id);
    await decide(large.id);
    expect(await details(small.id)).toMatchObject({
      contest_fee: { amount: '500.00', currency: 'USD' },
      automatic: { decision: { reason: 'evidence_refused', words: expect.stringContaining('500 USD') } },
    });
    expect([countAt(small.dispute), countAt(large.dispute)]).toEqual([0, 1]);
  });
});

describe('nothing is submitted twice, and nothing late', () => {
  it.each([
    ['the answer of Stripe is lost', 'lost'],
    ['Stripe fails', 503],
  ] as const)('when %s and the worker is called again', async (_, way) => {
    await rule();
    const { id, dispute } = await disputed();
    accounts.stripe.fail(way, /^POST .*disputes/, 2);
    expect(await decide(id)).toMatchObject({ isAgain: true });
    expect(await decide(id)).toMatchObject({ isAgain: way === 503 });
    at(noon + 2 * milliseconds.minute);
    await decide(id);
    expect(countAt(dispute)).toBe(1);
    expect(await details(id)).toMatchObject({
      status: 'under_review',
      automatic: { decision: { result: 'submitted' } },
    });
  });

  it('when the worker dies after Stripe took it, and a person submits at the same time', async () => {
    await rule();
    const { id, dispute } = await disputed();
    let deaths = 0;
    beforeTransactions(async (transaction) => {
      const isRecorded = JSON.stringify(transaction).includes('under_review');
      if (!isRecorded || deaths > 0) return;
      deaths += 1;
      throw new Error('killed');
    });
    expect(await decide(id)).toMatchObject({ isAgain: true });
    beforeTransactions();
    const submit = () =>
      ask('chargebacks/chargeback-evidence', { as: shop.as, params: { id }, body: { submit: true } });
    await Promise.all([submit(), decide(id), submit(), decide(id)]);
    at(noon + 2 * milliseconds.minute);
    await decide(id);
    expect([deaths, countAt(dispute)]).toEqual([1, 1]);
    expect(await details(id)).toMatchObject({ status: 'under_review' });
  });

  it('and a processor that cannot be asked five times is asked again ten minutes later', async () => {
    await rule();
    const { id, dispute } = await disputed();
    accounts.stripe.fail(503, /^POST .*disputes/, 1);
    const { isAgain, sent } = await decide(id, 5);
    expect({ isAgain, sent }).toEqual({ isAgain: false, sent: [{ chargebackId: id }] });
    at(noon + 10 * milliseconds.minute);
    await decide(id);
    expect(countAt(dispute)).toBe(1);
  });

  it('once it was accepted by a person, or its time is over', async () => {
    await rule({ conditions: lastHour });
    const [accepted, late] = [await disputed(), await disputed()];
    await ask('chargebacks/accept-chargeback', { as: shop.as, params: { id: accepted.id } });
    at(dueBy - milliseconds.minute);
    await decide(accepted.id);
    at(dueBy + milliseconds.second);
    await decide(late.id);
    expect([submissions(accepted.dispute), submissions(late.dispute)]).toEqual([0, 0]);
    expect(await getItem(keys.chargebackDecision(late.id))).toBeUndefined();
  });
});

describe('what a person does while rules are evaluated counts', () => {
  const meanwhile = (act: () => Promise<unknown>): void =>
    beforeTransactions(async () => {
      beforeTransactions();
      await act();
    });

  it('so that a rule does not accept what was contested', async () => {
    await rule({ action: { type: 'accept' } });
    const { id, dispute } = await disputed();
    meanwhile(() => ask('chargebacks/chargeback-evidence', { as: shop.as, params: { id }, body: { submit: true } }));
    expect(await decide(id)).toMatchObject({ isAgain: true });
    expect(await decide(id)).toMatchObject({ isAgain: false });
    expect(await details(id)).toMatchObject({ status: 'under_review', accepted: null });
    expect([submissions(dispute), dispute.status]).toEqual([1, 'under_review']);
  });

  it('so that a rule does not contest what was accepted', async () => {
    await rule();
    const { id, dispute } = await disputed();
    meanwhile(() => ask('chargebacks/accept-chargeback', { as: shop.as, params: { id } }));
    await decide(id);
    await decide(id);
    expect(await details(id)).toMatchObject({ status: 'accepted', accepted: { by: `merchant-${shop.mid}` } });
    expect(submissions(dispute)).toBe(0);
  });
});

const setFees = (body: Json, mid = shop.mid) =>
  ask('costs/set-chargeback-fees', { as: shop.as, params: { mid }, body });
let raced = 100;
/** The fees as another call has set them just now. */
const racing = () => {
  raced += 1;
  return { list: [], version: raced, updatedAt: iso(noon), by: 'another' };
};

describe('an estimate', () => {
  it('does not count a case as contested that an earlier release listed without saying so', async () => {
    const [lost, { id }] = [await disputed(), await disputed()];
    lost.dispute.status = 'lost';
    await lookAt({ chargebackId: lost.id });
    const item = (await getItem(keys.chargeback(lost.id))) ?? expect.fail('it was stored');
    const { evidence_submitted_at: _, ...summary } = item['summary'] as Json;
    await putItem({ ...item, summary });
    at(noon + milliseconds.hour);
    expect(await details(id)).toMatchObject({ estimate: { win_chance: null, cases: 0 } });
  });

  it('names what is not known, then states chance, fees and value, which rules can compare', async () => {
    const { id } = await disputed();
    expect(await details(id)).toMatchObject({
      estimate: {
        win_chance: null,
        cases: 0,
        expected_value: null,
        unknown: ['win_chance', 'dispute_fee', 'counter_fee'],
      },
    });
    const fees = [
      { processor: 'stripe', currency: 'USD', dispute_fee: '15.00', counter_fee: '15.00', counter_fee_returned: true },
    ];
    expect(await setFees({ chargeback_fees: fees })).toMatchObject({
      status: 200,
    });
    expect(await ask('costs/alert-price-details', { as: shop.as, params: { mid: shop.mid } })).toMatchObject({
      status: 200,
      body: { chargeback_fees: fees },
    });
    expect(await ask('costs/alert-price-details', { as: shop.as, params: { mid: shop.mid + 5000 } })).toMatchObject({
      status: 404,
    });
    expect(await setFees({ chargeback_fees: fees }, shop.mid + 5000)).toMatchObject({ status: 404 });
    beforeTransactions(async () => putItem({ ...(await getItem(keys.chargebackFees(shop.mid))), fees: racing() }));
    expect(await setFees({ chargeback_fees: fees })).toMatchObject({ status: 409 });
    beforeTransactions();
    expect(await setFees({ chargeback_fees: [...fees, ...fees] })).toMatchObject({ status: 400 });
    expect(await setFees({ chargeback_fees: fees })).toMatchObject({ status: 200 });
    await decided(['won', 'lost', 'won', 'won']);
    expect(await details(id)).toMatchObject({
      estimate: {
        ...{ win_chance: 75, won: 3, cases: 4, unknown: [] },
        // 75 % of 10.00, less a quarter of 15.00, less 15.00.
        ...{ expected_recovery: '7.50', gain_over_accepting: '3.75', expected_value: '-11.25' },
      },
    });
    await rule({
      conditions: {
        all: [
          { fact: 'gain_over_accepting', operator: 'greaterThan', value: 3 },
          { fact: 'win_cases', operator: 'greaterThanInclusive', value: 4 },
        ],
      },
    });
    at(noon + 3 * milliseconds.day);
    await lookAt({ chargebackId: id });
    await decide(id);
    expect(await details(id)).toMatchObject({ automatic: { decision: { result: 'submitted' } } });
  });
});

/** Disputes that were contested from here and decided. */
const decided = async (ends: readonly string[]): Promise<void> => {
  for (const [index, end] of ends.entries()) {
    at(noon + 2 * index * milliseconds.hour);
    const { id, dispute } = await disputed();
    await ask('chargebacks/chargeback-evidence', { as: shop.as, params: { id }, body: { submit: true } });
    dispute.status = end;
    at(noon + (2 * index + 1) * milliseconds.hour);
    await lookAt({ chargebackId: id });
  }
  at(noon + 2 * ends.length * milliseconds.hour);
  accounts.noted.length = 0;
};

describe('a back-test', () => {
  it('states what a draft would have submitted, what of that was won, and the chance as it was known', async () => {
    await decided(['won', 'lost']);
    await disputed({ status: 'lost' });
    const draft = { conditions: lastHour, action: submits };
    const before = submissionsOfAll();
    at(noon + 30 * milliseconds.day);
    const { status, body } = await ask('chargebacks/back-test-chargeback-rules', {
      as: shop.as,
      body: { mid: shop.mid, rule: draft },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { evaluated: 3 } });
    expect(body).toMatchObject({ matched: expect.any(Number), totals: expect.any(Array) });
    const all = await ask('chargebacks/back-test-chargeback-rules', {
      as: shop.as,
      body: { mid: shop.mid, rule: { ...draft, conditions: always } },
    });
    expect(all.body).toMatchObject({
      matched: 3,
      totals: [{ currency: 'USD', submitted: '30.00', won: '10.00', lost: '10.00', uncontested: '10.00' }],
    });
    const ofSite = await ask('chargebacks/back-test-chargeback-rules', {
      as: shop.as,
      body: { sid: shop.sid, rule: draft },
    });
    expect(ofSite).toMatchObject({ status: 200, body: { evaluated: 3 } });
    for (const [body, status] of [
      [{ mid: shop.mid, rule_id: 987_654 }, 404],
      [{ mid: shop.mid + 5000, rule: draft }, 404],
      [{ sid: 987_654, rule: draft }, 404],
      [{ mid: shop.mid, rule: { ...draft, action: { type: 'refund' } } }, 400],
    ] as const)
      expect(await ask('chargebacks/back-test-chargeback-rules', { as: shop.as, body })).toMatchObject({ status });
    expect(submissionsOfAll()).toBe(before);
  });
});
const submissionsOfAll = (): number =>
  [...accounts.stripe.disputes.disputes.values()].reduce((sum, one) => sum + countAt(one), 0);

it.each(['chargebacks/back-test-chargeback-rules', 'costs/set-chargeback-fees'])(
  '%s does nothing that it does not declare',
  (operation) => expectDeclared(operation),
);
