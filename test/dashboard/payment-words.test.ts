import { expect, it } from 'vitest';
import { sayDue } from '#lib/dashboard/screens/chargeback-kinds.ts';
import { listFees } from '#lib/dashboard/screens/dispute-fees.ts';
import { tellOrder } from '#lib/dashboard/screens/order-story.ts';
import { nextOfPayment } from '#lib/dashboard/screens/payment-next.ts';
import { foldPayments, paymentState, sumPayments, type TransactionRow } from '#lib/dashboard/screens/payment-rows.ts';
import {
  leftAfterFees,
  leftByLedger,
  moneyStateOf,
  moneyStatus,
  tellMoney,
} from '#lib/dashboard/screens/payment-words.ts';

const money = { currency: 'USD', authorized: '58.00', captured: '58.00', refunded: '0.00', voided: '0.00' };
const ledger = { ...money, paid_out: '0.00', refundable: '58.00', in_flight: [], chargebacks: [] };
const raised = { chargeback_id: 'cb_1', amount: '40.00', money_taken: true, refunded_by_network: false };
const alert = { alert_id: 1, open: true, held: '58.00', refund_txid: null };
const standing = (change: object, alerts = [] as (typeof alert)[]) => ({ ledger: { ...ledger, ...change }, alerts });

it.each([
  [standing({}), null, 'Paid', '58.00'],
  [standing({}, [alert]), 'disputed', 'Disputed', '58.00'],
  [standing({ refunded: '8.00' }), 'partly_refunded', 'Partly refunded', '50.00'],
  [standing({ refunded: '58.00' }, [alert]), 'refunded', 'Refunded', '0.00'],
  [standing({ chargebacks: [raised] }, [alert]), 'charged_back', 'Charged back', '18.00'],
  [standing({ chargebacks: [{ ...raised, money_taken: false }] }), 'charged_back', 'Charged back', '58.00'],
  [standing({ chargebacks: [{ ...raised, refunded_by_network: true }] }), 'refunded_by_network', undefined, '18.00'],
  [standing({ captured: '0.00', voided: '58.00' }), 'voided', 'Voided', '0.00'],
])('names the state of the money of %j, the gravest first, and what is left of it', (payment, state, label, left) => {
  expect(moneyStateOf(payment)).toBe(state);
  const shown = moneyStatus({ status: 'OK', tx_action: 'PAYMENT', money_state: state });
  if (label !== undefined) expect(shown.label).toBe(label);
  expect(leftByLedger({ ...payment, currency: 'USD' })).toBe(left);
});

it('tells what each event moved, and what is left after it', () => {
  const event = { at: '', by: null, why: null, txid: null, tx_action: null, alert_id: null, chargeback_id: null };
  const told = tellMoney({
    currency: 'USD',
    history: [
      { ...event, event: 'done', tx_action: 'PREAUTH', amount: '58.00', currency: 'USD' },
      { ...event, event: 'failed', tx_action: 'CAPTURE', amount: '58.00', currency: 'USD' },
      { ...event, event: 'done', tx_action: 'CAPTURE', amount: '58.00', currency: 'USD' },
      { ...event, event: 'disputed', amount: null, currency: null },
      { ...event, event: 'done', tx_action: 'REFUND', amount: '8.00', currency: 'USD' },
      { ...event, event: 'charged_back', amount: '40.00', currency: 'USD' },
    ],
  });
  expect(told.map(({ moved, left }) => [moved, left])).toEqual([
    [undefined, '0'],
    [undefined, '0'],
    ['58.00', '58.00'],
    [undefined, '58.00'],
    ['-8.00', '50.00'],
    ['-40.00', '10.00'],
  ]);
});

it('makes one row of a payment and its refund, by the newest step, also where the payment is on a later page', () => {
  const own = {
    txid: 1,
    parent_txid: 1,
    status: 'OK',
    tx_action: 'PAYMENT',
    amount: '58.00',
    currency: 'USD',
    payment: null,
  };
  const row = (change: object): TransactionRow => ({ ...own, ...change }) as never;
  const payment = {
    status: 'OK',
    tx_action: 'PAYMENT',
    amount: '58.00',
    created_at: '2026-05-01',
    money_state: 'partly_refunded',
  };
  const refund = row({ txid: 9, tx_action: 'REFUND', amount: '8.00', created_at: '2026-05-09', payment });
  const first = row({ created_at: '2026-05-01', money_state: 'partly_refunded' });
  const other = row({ txid: 3, parent_txid: 3, created_at: '2026-05-02', money_state: null });
  const folded = {
    txid: 1,
    amount: '58.00',
    created_at: '2026-05-01',
    changed_at: '2026-05-09',
    money_state: 'partly_refunded',
  };
  expect(foldPayments([refund, other, first])).toMatchObject([
    { ...folded, change: { txid: 9 } },
    { txid: 3, changed_at: '2026-05-02', change: null },
  ]);
  expect(foldPayments([refund])).toMatchObject([{ ...folded, change: { txid: 9 } }]);
  expect([refund, first, other, row({ status: 'EXC' }), row({ tx_action: 'PREAUTH' })].map(paymentState)).toEqual([
    ...['partly_refunded', 'partly_refunded', 'PAYMENT', 'EXC', 'PREAUTH'],
  ]);
  const paid = { amount: '5.00', currency: 'USD', status: 'OK' } as const;
  expect(sumPayments([paid, { ...paid, status: 'EXC' }, { ...paid, status: 'PEND' }])).toBe('$10.00');
});

it.each([
  [{}, '58.00', undefined],
  [{ status: 'EXC' }, 'It failed. No money was taken.', undefined],
  [{ status: 'PEND' }, 'Its outcome is not known yet.', undefined],
  [{ ledger: { ...ledger, chargebacks: [raised] } }, '$40.00 is with the issuer', '#/chargebacks/cb_1'],
  [
    { ledger: { ...ledger, chargebacks: [{ ...raised, money_taken: false }] } },
    'No money is taken now',
    '#/chargebacks/cb_1',
  ],
  [
    { ledger: { ...ledger, chargebacks: [{ ...raised, refunded_by_network: true }] } },
    'The network refunded',
    undefined,
  ],
  [{ alerts: [alert] }, 'An alert about it awaits an answer.', '#/alerts/1'],
  [{ ledger: { ...ledger, refunded: '58.00' } }, 'All of it went back: $58.00.', undefined],
  [
    { ledger: { ...ledger, in_flight: [{ kind: 'REFUND', amount: '8.00' }] } },
    'Refund of $8.00 is under way.',
    undefined,
  ],
  [{ ledger: { ...ledger, captured: '0.00', voided: '58.00' } }, 'It was voided.', undefined],
  [{ tx_action: 'PREAUTH', ledger: { ...ledger, captured: '0.00' } }, '$58.00 is promised, not taken.', undefined],
])('says of a payment that is %j where its money is, and the one thing to do', (change, title, href) => {
  const plain = { status: 'OK', tx_action: 'PAYMENT', currency: 'USD', error_msg: null, alerts: [], ledger };
  const next = nextOfPayment({ ...plain, ...change } as never);
  expect(next.title).toContain(title);
  expect(next.open?.href).toBe(href);
});

it('tells an order from its purchase to its disputes, with what each step moved', () => {
  const order = {
    ...{ order_date: '2026-05-01', amount: '58.00', refunds_made: [{ at: '2026-05-04', amount: '8.00' }] },
    deliveries: [{ status: 'delivered', shipped_at: '2026-05-02', delivered_at: '2026-05-03', provider: 'UPS' }],
  };
  const shown = {
    ...{ order, payment: null, alerts: [{ alert_id: 7, alert_type: 'FRAUD', at: '2026-05-05', status: 'OPEN' }] },
    chargebacks: [{ chargeback_id: 'cb_1', type: 'CHARGEBACK', at: '2026-05-06' }],
    lookups: [{ at: '2026-05-04T12', provider: 'provider_a', result: 'found' }],
  };
  expect(tellOrder(shown as never).map(({ what, moved, href }) => [what, moved, href])).toEqual([
    ['Ordered', '58.00', undefined],
    ['Shipped', undefined, undefined],
    ['Delivered', undefined, undefined],
    ['Refund', '-8.00', undefined],
    ['A bank asked about it', undefined, undefined],
    ['Fraud', undefined, '#/alerts/7'],
    ['Chargeback', undefined, '#/chargebacks/cb_1'],
  ]);
  expect(tellOrder(shown as never).at(-1)).toMatchObject({ words: 'The bank took the disputed amount back.' });
  const authorised = { ...shown, payment: { captured: '0.00' } };
  expect(tellOrder(authorised as never)[0]).not.toHaveProperty('moved');
});

it.each([
  [['2026-05-03', null], '1 answer is due this week, $5.00 at stake'],
  [['2026-05-20'], '1 chargeback to answer, $5.00 at stake, none due this week'],
  [['2026-05-20', null], undefined],
  [[null], undefined],
  [['2026-05-01'], 'No chargeback awaits an answer'],
  [[], 'No chargeback awaits an answer'],
])('says what is due of chargebacks with the deadlines %j', (deadlines, words) => {
  const open = deadlines.map((due_by) => ({ due_by, amount: '5.00', currency: 'USD' }));
  expect(sayDue(open, Date.parse('2026-05-02'))).toBe(words);
});

it.each([
  ['less each fee', ['15.00 USD', '35.00 USD'], '8.00'],
  ['below zero where fees are higher', ['70.00 USD'], '-12.00'],
  ['the sum itself without a fee', [], '58.00'],
  ['unknown if a fee is', ['15.00 USD', undefined], undefined],
  ['unknown if a fee is in another currency', ['15.00 EUR'], undefined],
])('is left of a payment after fees: %s', (_, texts, amount) => {
  const fees = texts.map((text) => {
    const [sum = '', currency = ''] = text?.split(' ') ?? [];
    return text === undefined ? undefined : { amount: sum, currency };
  });
  expect(leftAfterFees({ amount: '58.00', currency: 'USD' }, fees)?.amount).toBe(amount);
});

const price = (sum: string | null, test = false) => ({ test, cost: { price: sum, price_currency: sum && 'USD' } });
const taken = (isTaken: boolean) => ({ chargeback_id: `cb_${isTaken}`, money_taken: isTaken });
const processorFee = { dispute_fee: '15.00', currency: 'USD' };
it.each([
  ['of an alert and of a chargeback that took money', [1], [taken(true)], processorFee, ['35.00', '15.00']],
  ['but not of a test alert', [2], [], processorFee, []],
  ['unknown for an alert without a price, and for one that was not read', [3, 6], [], processorFee, [null, null]],
  ['unknown for a chargeback that took no money', [], [taken(true), taken(false)], processorFee, ['15.00', null]],
  ['unknown without the processor’s fee', [], [taken(true)], undefined, [null]],
])('has a fee for each dispute of a payment: %s', (_, alerts, chargebacks, fee, amounts) => {
  const prices = new Map([price('35.00'), price('9.00', true), price(null)].map((one, at) => [at + 1, one] as const));
  const disputes = { alerts: alerts.map((alert_id) => ({ alert_id })), ledger: { chargebacks } };
  expect(listFees(disputes, prices, fee).map(({ sum }) => sum?.amount ?? null)).toEqual(amounts);
});
