import { describe, expect, it } from 'vitest';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { implausible } from '#disputes/alerts/answer/answer-plausibility.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { anAlert } from './samples.ts';

const at = '2026-05-02T11:00:00.000Z';
const doubts = (said: Partial<AlertUpdate>, providerAlert: Partial<ProviderAlert> = {}) =>
  implausible(anAlert(providerAlert), { status: 'RESOLVED', reason_code: '100.001', ...said }, at);
const refunded = (alert_outcome_amount: string, alert_outcome_currency = 'USD') => ({
  alert_outcome_amount,
  alert_outcome_currency,
});

describe('what a merchant says was refunded', () => {
  it('may be all that is disputed with 100.001', () => expect(doubts(refunded('361.56'))).toEqual([]));

  it.each(['0.01', '20.00', '361.55'])('may be %s of 361.56 with 101.001', (amount) =>
    expect(doubts({ ...refunded(amount), reason_code: '101.001' })).toEqual([]),
  );

  it.each(['0.01', '361.55'])('is not %s of 361.56 with 100.001', (amount) =>
    expect(doubts(refunded(amount))).toEqual([
      'alert_outcome_amount: with reason code 100.001 must be all that is disputed, 361.56 USD; for less, send 101.001',
    ]),
  );

  it.each(['300.00', '361.56'])('is not %s with 101.001 where 300.00 of 361.56 is disputed', (amount) =>
    expect(
      doubts({ ...refunded(amount), reason_code: '101.001' }, { disputeAmount: '300.00', disputeCurrency: 'USD' }),
    ).toEqual([
      'alert_outcome_amount: with reason code 101.001 must be less than what is disputed, 300.00 USD; for all of it, send 100.001',
    ]),
  );

  it.each([['DECLINED', '902.002']] as const)(
    'is nothing with the final answer %s %s, which states no refund',
    (status, reason_code) => {
      expect(doubts({ ...refunded('20.00'), status, reason_code })).toEqual([
        `alert_outcome_amount: must be left out, or 0, with reason code ${reason_code}, which states no refund`,
      ]);
      expect(doubts({ ...refunded('0.00'), status, reason_code })).toEqual([]);
    },
  );

  it('is not compared with a transaction and a dispute of which no amount can be read', () => {
    const unreadable = { amount: '', currency: '', disputeAmount: '', disputeCurrency: '' };
    expect(doubts(refunded('20.00', 'EUR'), unreadable)).toEqual([]);
    expect(doubts({ ...refunded('20.00', 'EUR'), reason_code: '101.001' }, unreadable)).toEqual([]);
  });

  it('is not judged if it is no amount of its currency', () => {
    expect(doubts({ ...refunded('1.234'), reason_code: '100.003' })).toEqual([]);
  });

  it('may be planned in an answer that is in progress', () =>
    expect(doubts({ ...refunded('20.00'), status: 'WIP', reason_code: '999.002' })).toEqual([]));

  it.each([
    ['100.003', '361.56'],
    ['102.003', '20.00'],
    ['951.003', '0.00'],
    ['902.002', '0.00'],
    ['901.002', '0'],
  ])('may be what was cancelled, or nothing: %s with %s', (reason_code, amount) =>
    expect(doubts({ ...refunded(amount), reason_code })).toEqual([]),
  );

  it('is not more than what was charged where it was cancelled', () =>
    expect(doubts({ ...refunded('361.57'), reason_code: '102.003' })).toHaveLength(1));

  it('needs an amount for a currency', () =>
    expect(doubts({ alert_outcome_currency: 'USD' })).toEqual([
      'alert_outcome_currency: must be left out without alert_outcome_amount',
    ]));

  it('is not more than what was charged', () =>
    expect(doubts(refunded('361.57'))).toEqual([
      'alert_outcome_amount: must not be above what was charged or disputed, 361.56 USD',
    ]));

  it('may be what is disputed where that is more, and not more than that', () => {
    const more = { disputeAmount: '400.00', disputeCurrency: 'USD' };
    expect(doubts(refunded('400.00'), more)).toEqual([]);
    expect(doubts(refunded('400.01'), more)).toEqual([
      'alert_outcome_amount: must not be above what was charged or disputed, 361.56 USD or 400.00 USD',
    ]);
  });

  it('may be in the currency of either, up to its amount', () => {
    const euros = { disputeAmount: '310.00', disputeCurrency: 'EUR' };
    expect(doubts(refunded('310.00', 'EUR'), euros)).toEqual([]);
    expect(doubts(refunded('361.56'), euros)).toEqual([]);
    expect(doubts(refunded('361.56', 'EUR'), euros)).toHaveLength(1);
    expect(doubts(refunded('1.00', 'GBP'), euros)).toEqual([
      'alert_outcome_currency: must be USD or EUR, as the transaction or the dispute',
    ]);
  });

  it('must be in the currency of the transaction or the dispute', () =>
    expect(doubts(refunded('99999.00', 'EUR'))).toEqual([
      'alert_outcome_currency: must be USD, as the transaction or the dispute',
    ]));

  it('is not nothing where it says that it was refunded', () => {
    expect(doubts(refunded('0.00'))).toEqual([
      'alert_outcome_amount: must be above 0 with reason code 100.001, which says that it was refunded',
    ]);
    expect(doubts({ ...refunded('0.00'), status: 'DECLINED', reason_code: '902.002' })).toEqual([]);
  });
});

describe('when a merchant says it acted', () => {
  it.each(['2026-04-30T00:00:00.000Z', '2026-05-02T10:59:00.000Z', '2026-05-03T11:00:00.000Z'])('may be %s', (date) =>
    expect(doubts({ alert_outcome_action_date: date })).toEqual([]),
  );

  it('is not more than a day ahead', () =>
    expect(doubts({ alert_outcome_action_date: '2026-05-03T11:00:00.001Z' })).toEqual([
      'alert_outcome_action_date: must not be more than 24 hours ahead',
    ]));

  it('is not before the day of the transaction', () =>
    expect(doubts({ alert_outcome_action_date: '2026-04-29T23:59:59.999Z' })).toEqual([
      'alert_outcome_action_date: must not be before the transaction',
    ]));
});

it('is all named at once', () =>
  expect(doubts({ ...refunded('400.00'), alert_outcome_action_date: '2036-01-01T00:00:00.000Z' })).toHaveLength(2));
