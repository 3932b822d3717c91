import { describe, expect, it } from 'vitest';
import { adviseOn, evidenceText, type KnownFacts } from '#lib/dashboard/screens/advice.ts';

const now = Date.parse('2026-05-02T10:00:00.000Z');
type Case = KnownFacts['alert']['case'];
const noCase: Case = {
  ...{ case_id: 1, state: 'open', suggested_reason: null, alerts: [], txid: 7, refunds: [], chargeback: null },
};
const anAlert = (more: Partial<KnownFacts['alert']> = {}): KnownFacts['alert'] => ({
  ...{ alert_type: 'DISPUTE', condition_code: '13.1', amount: '64.00', currency: 'USD', case: noCase },
  transaction_timestamp: '2026-04-20T10:00:00.000Z',
  ...more,
});
const fraud = { alert_type: 'FRAUD', condition_code: '10.4' } as const;

type Known<K extends 'payment' | 'order' | 'charges'> = NonNullable<KnownFacts[K]>;
const aPayment = (more: Partial<Known<'payment'>> = {}): Known<'payment'> => ({
  txid: 7,
  ledger: { refunded: '0.00', refundable: '64.00' },
  three_ds: null,
  ...more,
});
const anOrder = (more: Partial<Known<'order'>> = {}): Known<'order'> => ({
  reference: 'A-1',
  order_date: '2026-04-20T10:00:00.000Z',
  ...more,
});
type FoundCharge = Known<'charges'>['transactions'][number];
const aCharge = (more: Partial<FoundCharge> = {}): FoundCharge => ({
  ...{ txid: 8, matches: true, charged_back: false, refunded: '0.00', refundable: '63.00', currency: 'USD' },
  ...more,
});
const charges = (
  match: Known<'charges'>['match'],
  unasked: Known<'charges'>['unasked'] = [],
  transactions: Known<'charges'>['transactions'] = match === 'none' ? [] : [aCharge()],
): Known<'charges'> => ({ match, transactions, unasked });
const delivered: Partial<Known<'order'>> = {
  deliveries: [
    { type: 'physical', status: 'delivered', delivered_at: '2026-04-25T10:00:00.000Z', tracking_number: '1Z999' },
  ],
};

const advise = (facts: Partial<KnownFacts>) => adviseOn({ alert: anAlert(), now, ...facts });

describe('the recommendation for an alert', () => {
  it.each<[string, Partial<KnownFacts>, string, string[]]>([
    [
      'declines what was charged back already',
      {
        alert: anAlert({ case: { ...noCase, chargeback: { chargeback_id: 'c', opened_at: '', stands: true } } }),
        payment: aPayment(),
      },
      'decline',
      ['952.002'],
    ],
    [
      'reports a recorded refund instead of making another',
      {
        alert: anAlert({
          case: {
            ...noCase,
            refunds: [
              {
                alert_id: 1,
                by: 'forewarn',
                at: null,
                amount: '64.00',
                currency: 'USD',
                txid: 8,
                connection: null,
                state: 'done',
              },
            ],
          },
        }),
        payment: aPayment(),
      },
      'already',
      [],
    ],
    [
      'reports a refund that the payment’s ledger shows',
      { payment: aPayment({ ledger: { refunded: '64.00', refundable: '0.00' } }) },
      'already',
      [],
    ],
    [
      'declines a duplicate',
      { alert: anAlert({ case: { ...noCase, suggested_reason: '940' } }), payment: aPayment() },
      'decline',
      ['940.002', '940.001', '940.003'],
    ],
    [
      'declines where no charge was found anywhere',
      { alert: anAlert({ case: { ...noCase, txid: null } }), charges: charges('none') },
      'decline',
      ['902.002'],
    ],
    [
      'declines a payment that is older than 120 days',
      { alert: anAlert({ transaction_timestamp: '2025-12-01T00:00:00.000Z' }), payment: aPayment() },
      'decline',
      ['953.002'],
    ],
    [
      'declines fraud that the issuer bears',
      { alert: anAlert(fraud), payment: aPayment({ three_ds: { liability_shift: true } }) },
      'decline',
      ['954.002'],
    ],
    [
      'refunds fraud that the merchant bears',
      { alert: anAlert(fraud), payment: aPayment() },
      'refund',
      ['957.002', '900.002'],
    ],
    [
      'declines a missing item that was delivered',
      { payment: aPayment(), order: anOrder(delivered) },
      'decline',
      ['957.002', '956.002', '900.002'],
    ],
    [
      'refunds a missing item whose delivery nobody can prove',
      { payment: aPayment(), order: anOrder() },
      'refund',
      ['900.002'],
    ],
    [
      'refunds what the cardholder cancelled',
      { alert: anAlert({ condition_code: '13.2', alert_type: 'CANCEL' }), payment: aPayment() },
      'refund',
      ['957.002', '900.002'],
    ],
  ])('%s', (_, facts, verb, codes) => {
    expect(advise(facts)).toMatchObject({ verb, codes });
  });

  it.each<[string, Partial<KnownFacts>, string]>([
    ['the search for the charge failed', {}, 'The search for the charge failed.'],
    [
      'a processor could not be asked',
      {
        alert: anAlert({ case: { ...noCase, txid: null } }),
        charges: charges('none', [{ label: 'Old shop', kind: 'stripe' }]),
      },
      'Old shop could not be asked.',
    ],
    ['several charges match', { charges: charges('many') }, 'Compare them before you refund one.'],
    ['no charge is certain', { charges: charges('uncertain') }, 'Compare the most likely charge with the alert.'],
    [
      'the only weak candidate was charged back',
      { charges: charges('uncertain', [], [aCharge({ charged_back: true })]) },
      'Compare the most likely charge with the alert.',
    ],
    [
      'the only weak candidate was refunded',
      { charges: charges('uncertain', [], [aCharge({ refunded: '63.00', refundable: '0.00' })]) },
      'Compare the most likely charge with the alert.',
    ],
    [
      'one of several candidates was charged back',
      { charges: charges('many', [], [aCharge(), aCharge({ txid: 9, charged_back: true })]) },
      'Compare them before you refund one.',
    ],
    [
      'nothing says whether the goods were as described',
      { alert: anAlert({ condition_code: '13.3' }), payment: aPayment() },
      'Whether the goods were as described is not recorded.',
    ],
  ])('leaves the decision to a person where %s, and names what is missing', (_, facts, missing) => {
    const { verb, title, reasons } = advise(facts);
    expect(verb).toBe('decide');
    expect(title).toMatch(/^Your call\. /);
    expect(reasons).toContainEqual({ side: 'unknown', text: missing });
  });

  it('does not claim who bears fraud on a charge that was made elsewhere', () => {
    const { verb, reasons } = advise({ alert: anAlert(fraud), charges: charges('one') });
    expect(verb).toBe('refund');
    expect(reasons[0]?.side).toBe('unknown');
  });

  it('also states what speaks against a refund', () => {
    const { reasons } = advise({ alert: anAlert(fraud), payment: aPayment(), order: anOrder(delivered) });
    expect(reasons.map(({ side }) => side)).toEqual(['for', 'for', 'against']);
  });

  it('writes the facts of a delivery as a comment for the network', () => {
    expect(evidenceText({ alert: anAlert(), order: anOrder(delivered), now })).toBe(
      'Delivered on 2026-04-25, tracking number 1Z999. Order A-1 of 2026-04-20.',
    );
  });
});
