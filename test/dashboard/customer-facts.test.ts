import { describe, expect, it } from 'vitest';
import { listSteps, sumMoney, weigh } from '#lib/dashboard/screens/customer-facts.ts';
import type { CustomerDto, PurchaseDto } from '#lib/dashboard/screens/customer-operations.ts';

const now = Date.parse('2026-11-24T15:00:00Z');

const purchase = (change: Partial<PurchaseDto> = {}): PurchaseDto => ({
  ...{ purchase_id: 1, order_id: 1, txid: null, sid: 1, at: '2026-11-01T10:00:00.000Z', reference: 'A-1' },
  ...{ amount: '10.00', currency: 'USD', card: '424242******4242', status: 'OK', money_state: null, refunds: [] },
  ...{ items: [], delivered_at: null, signed_by: null, liability_shift: null, ip: null, device_id: null },
  ...change,
});

const customer = (change: Partial<CustomerDto> = {}): CustomerDto => ({
  ...{ email: 'ada@example.com', name: 'Ada', account_id: null, purchases: [purchase()], alerts: [], chargebacks: [] },
  ...{ lookups: [], cards: [], ips: [], notes: [], more: false },
  ...change,
});

type Alert = CustomerDto['alerts'][number];
type Chargeback = CustomerDto['chargebacks'][number];
const alert = (change: object): Alert =>
  ({
    alert_type: 'FRAUD',
    condition_code: '',
    test: false,
    status: 'OPEN',
    amount: '5.00',
    currency: 'USD',
    ...change,
  }) as Alert;
const chargeback = (change: object): Chargeback =>
  ({ status: 'open', stage: 'chargeback', amount: '7.00', currency: 'USD', ...change }) as Chargeback;

const listTexts = (facts: readonly { text: string }[]) => facts.map(({ text }) => text);

describe('what the records say about a customer', () => {
  it('leads to the newest row that says so', () => {
    const weighed = weigh(
      customer({
        purchases: [purchase({ txid: 7, liability_shift: true }), purchase({ txid: 6, liability_shift: true })],
        alerts: [alert({ test: true, alert_id: 1 }), alert({ alert_id: 2 })],
        ips: [{ ip: '203.0.113.7', purchases: 1, others: 2, more: false }],
      }),
      now,
    );
    expect([...weighed.own, ...weighed.doubt].map(({ href }) => href)).toEqual([
      '#/payments/7',
      '#/alerts/2',
      undefined,
    ]);
  });

  it('is nothing where there are no facts', () => {
    expect(weigh(customer(), now)).toMatchObject({
      ...{ title: 'The records do not say who made these purchases', own: [], doubt: [] },
      missing: [
        'No purchase has the number of a device.',
        'No payer was authenticated here.',
        'No delivery is recorded.',
      ],
    });
  });

  it('counts both sides, each with where it is from', () => {
    const told = { ip: '203.0.113.7', device_id: 'd-1', delivered_at: '2026-11-03T00:00:00Z', liability_shift: true };
    const weighed = weigh(
      customer({
        purchases: [
          purchase(told),
          purchase(told),
          purchase({ at: '2026-01-01T00:00:00Z' }),
          purchase({ status: 'EXC' }),
        ],
        alerts: [alert({}), alert({ test: true }), alert({ alert_type: 'DISPUTE', condition_code: '13.1' })],
        chargebacks: [chargeback({}), chargeback({ status: 'won' })],
        ips: [{ ip: '203.0.113.7', purchases: 2, others: 3, more: false }],
      }),
      now,
    );
    expect(listTexts(weighed.own)).toEqual([
      'The bank confirmed the cardholder for 2 of 3 purchases.',
      '2 of 3 purchases were delivered.',
      'One device made 2 of 3 purchases.',
      '2 of 3 purchases came over one connection.',
      '1 purchase is older than 120 days and was not disputed.',
    ]);
    expect(listTexts(weighed.doubt)).toEqual([
      '1 alert says that the cardholder denies a purchase.',
      '1 purchase was charged back.',
      '3 other customers bought over the same connection.',
    ]);
    expect(weighed.title).toBe('5 facts say that the purchases are the customer’s own, 3 leave a doubt');
    expect(weighed.missing).toEqual([]);
    expect([...weighed.own, ...weighed.doubt].every(({ source }) => source !== '')).toBe(true);
  });

  it('never says anything in per cent or points', () =>
    expect(JSON.stringify(weigh(customer({ chargebacks: [chargeback({})] }), now))).not.toMatch(/%|\bscore\b|of 100/));
});

it('counts no test alert, no inquiry and no won chargeback as money', () => {
  const { paid, refunded, taken, claimed } = sumMoney(
    customer({
      purchases: [
        purchase({ refunds: [{ amount: '2.00', currency: 'USD', at: '2026-11-02T00:00:00Z' }] }),
        purchase({ status: 'EXC' }),
      ],
      alerts: [alert({}), alert({ test: true }), alert({ status: 'RESOLVED' })],
      chargebacks: [chargeback({}), chargeback({ stage: 'inquiry' }), chargeback({ status: 'won' })],
    }),
  );
  expect([paid, refunded, taken, claimed].map((sums) => sums.map(({ amount }) => amount))).toEqual([
    ...[['10.00'], ['2.00'], ['7.00'], ['5.00']],
  ]);
});

it('tells everything in one story, newest first', () =>
  expect(
    listSteps(
      customer({
        purchases: [purchase({ refunds: [{ amount: '2.00', currency: 'USD', at: '2026-11-05T00:00:00Z' }] })],
        alerts: [alert({ alert_date: '2026-11-04T00:00:00Z' })],
        notes: [{ at: '2026-11-06T00:00:00Z', by: 'ann', text: 'Called.' }],
      }),
    ).map(({ kind }) => kind),
  ).toEqual(['note', 'refund', 'alert', 'purchase']));
