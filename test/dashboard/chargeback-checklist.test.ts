import { describe, expect, it } from 'vitest';
import { listProofs, whatWins } from '#lib/dashboard/screens/chargeback-checklist.ts';
import { breakEven } from '#lib/dashboard/screens/chargeback-value.ts';
import { rateText, winRatesOf } from '#lib/dashboard/screens/win-rates.ts';

type Given = Parameters<typeof listProofs>[1];
type Rows = Parameters<typeof winRatesOf>[0];
const nothing: Given = {
  chargeback: { amount: '10.00', currency: 'USD' },
  payment: null,
  order_evidence: null,
  files: [],
};
// A test names only the facts that its rule reads.
const given = (change: object): Given => ({ ...nothing, ...change }) as Given;
const proofNames = (code: string, facts: Given, isThere: boolean) =>
  listProofs(code, facts)
    .filter((proof) => proof.isThere === isThere)
    .map(({ name }) => name);

describe('the checklist', () => {
  it('is about the claim that the scheme’s code stands for', () => {
    expect(listProofs('13.1', nothing)[0]).toMatchObject({ name: 'Delivered to the customer', decides: true });
    expect(listProofs('10.4', nothing)[0]).toMatchObject({ name: '3-D Secure', decides: true });
    expect(whatWins('fraudulent')).toBe(whatWins('10.4'));
    expect(listProofs('no such code', nothing).length).toBeGreaterThan(0);
  });

  it('counts nothing without facts and files', () => {
    for (const code of ['10.4', '13.1', '13.3', '13.2', '13.6', '12.6', '?'])
      expect(proofNames(code, nothing, true), code).toEqual([]);
  });

  it('finds delivery, and who signed for it, in the order', () => {
    const delivery = { delivered_at: '2026-05-02T10:00:00.000Z', signed_by: 'Ada' };
    const facts = given({
      order_evidence: { order: { deliveries: [delivery], items: [] }, ce3: { qualified: false } },
    });
    expect(listProofs('13.1', facts)[0]).toMatchObject({
      isThere: true,
      detail: 'Delivered 2026-05-02, signed for by Ada',
    });
  });

  it('counts a shift of liability, and no authentication without one', () => {
    const facts = (isShifted: boolean) =>
      given({ payment: { three_ds: { liability_shift: isShifted }, refunded: '0.00' } });
    expect(proofNames('10.4', facts(true), true)).toEqual(['3-D Secure']);
    expect(proofNames('10.4', facts(false), true)).toEqual([]);
  });

  it('counts a file of the kind that proves it', () => {
    const facts = given({ files: [{ kind: 'cancellation_policy', name: 'terms.pdf' }] });
    expect(listProofs('13.2', facts)[0]).toMatchObject({ isThere: true, detail: 'terms.pdf' });
  });

  it.each([
    ['0.01', 'USD', false],
    ['10.00', 'EUR', false],
    ['10.00', 'USD', true],
  ] as const)(
    'calls a refund of %s %s against a dispute of 10.00 USD decisive: %s',
    (refunded, currency, isDecisive) => {
      const facts = given({ payment: { refunded, currency } });
      expect(listProofs('13.6', facts)[0]).toMatchObject({ name: 'The refund was made', isThere: true, isDecisive });
    },
  );

  it('calls an item list supporting, and decisive with a description', () => {
    const order_evidence = { order: { items: [{ name: 'Lamp' }], deliveries: [] }, ce3: { qualified: false } };
    const files = [{ kind: 'service', name: 'lamp.pdf' }];
    expect(listProofs('13.3', given({ order_evidence }))[0]).toMatchObject({ isThere: true, isDecisive: false });
    expect(listProofs('13.3', given({ order_evidence, files }))[0]).toMatchObject({ isThere: true, isDecisive: true });
  });
});

describe('the chance from which contesting pays', () => {
  const fee = (kind: 'dispute' | 'counter', amount: string, returned_if_won = false) => ({
    ...{ kind, amount, currency: 'USD', returned_if_won },
  });

  it.each([
    ['the fee for contesting by the amount', [fee('counter', '15.00')], [], '60.00', 25],
    ['rounded up', [fee('counter', '15.00')], [], '58.00', 26],
    ['less where the fee is returned', [fee('counter', '20.00', true)], [], '60.00', 25],
    ['above all where fees are higher than the amount', [fee('counter', '15.00')], [], '5.00', 300],
    [
      'not said where contesting is free, as accepting costs the dispute too',
      [fee('dispute', '15.00')],
      [],
      '60.00',
      undefined,
    ],
    ['not said where the fee is unknown', [fee('counter', '15.00')], ['counter_fee'], '60.00', undefined],
    ['not said where a rate is unknown', [fee('counter', '15.00')], ['exchange_rate'], '60.00', undefined],
  ] as const)('is %s', (_, fees, unknown, amount, percent) => {
    expect(breakEven({ fees: [...fees], unknown: [...unknown] }, amount)).toBe(percent);
  });
});

describe('win rates', () => {
  const row = (status: string, reason_code: string, kinds: string[] = [], at: string | null = '2026-05-02') => ({
    status,
    reason_code,
    network: 'visa',
    evidence_kinds: kinds,
    evidence_submitted_at: at,
    stage: 'chargeback',
  });
  // As the list has them; other fields are not read.
  const rows = [
    row('won', '10.4', ['receipt', 'signature']),
    row('lost', '4837', ['receipt']),
    row('won', '13.1', [], null),
    row('accepted', '10.4'),
    row('open', '10.4'),
  ] as Rows;

  it('are grouped by reason, network and evidence', () => {
    const words = {
      claim: (claim: string | undefined) => claim ?? '?',
      network: (name: string) => name,
      kind: (name: string) => name,
    };
    expect(winRatesOf(rows, words).map(({ rates }) => rates)).toEqual([
      [
        { name: 'fraud', won: 1, decided: 2 },
        { name: 'not_received', won: 1, decided: 1 },
      ],
      [{ name: 'visa', won: 2, decided: 3 }],
      [
        { name: 'receipt', won: 1, decided: 2 },
        { name: 'Nothing submitted here', won: 1, decided: 1 },
        { name: 'signature', won: 1, decided: 1 },
      ],
    ]);
  });

  it('have a percentage only with enough cases', () => {
    expect(rateText({ won: 1, decided: 4 })).toBe('1 of 4');
    expect(rateText({ won: 6, decided: 9 })).toBe('67 % (6 of 9)');
  });
});
