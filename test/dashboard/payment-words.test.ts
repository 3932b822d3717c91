import { expect, it } from 'vitest';
import { leftByLedger, moneyStateOf, moneyStatus, tellMoney } from '#lib/dashboard/screens/payment-words.ts';

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
