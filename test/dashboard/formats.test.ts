import { describe, expect, it } from 'vitest';
import { setLanguage } from '#lib/dashboard/language/translate.ts';
import { cardText } from '#lib/dashboard/parts/card-text.ts';
import { amountText } from '#lib/dashboard/parts/money.ts';
import { clockText, dayIn, longDayText, ringText } from '#lib/dashboard/parts/times.ts';
import { alertName, answeredWords, disputeWords } from '#lib/dashboard/screens/named-alerts.ts';
import { reasonWords } from '#lib/dashboard/screens/reason-words.ts';

describe('the formats of the dashboard', () => {
  it.each([
    ['1234.50', 'USD', '$1,234.50'],
    ['-0.99', 'EUR', '−€0.99'],
    ['12.00', 'CHF', '12.00 CHF'],
    ['1000', 'JPY', '¥1,000'],
    ['12.00', 'AUD', 'A$12.00'],
  ])('write %s %s as %s', (amount, currency, text) => {
    expect(amountText(amount, currency)).toBe(text);
  });

  it.each([
    ['400000xxxxxx0259', 'Visa •••• 0259'],
    ['222300xxxxxx3222', 'Mastercard •••• 3222'],
    ['555555xxxxxx4444', 'Mastercard •••• 4444'],
    ['378282xxxxxx0005', 'American Express •••• 0005'],
    ['999999xxxxxx1234', '•••• 1234'],
    ['', ''],
  ])('write the card %s as “%s”', (card, text) => {
    expect(cardText(card)).toBe(text);
  });

  it.each([
    [47 * 60_000, '47m'],
    [3.5 * 3_600_000, '3h'],
    [50 * 3_600_000, '2d'],
    [-2.2 * 3_600_000, '+2h'],
  ])('write %d milliseconds that are left as %s', (left, text) => {
    expect(ringText(left)).toBe(text);
  });

  it.each([
    ['13.1', '', 'DISPUTE', 'Item not received'],
    ['4837', '', 'FRAUD', 'Cardholder denies purchase'],
    ['', '', 'CANCEL', 'Cancelled, still charged'],
    ['77', 'Paid by other means', 'DISPUTE', 'Paid by other means'],
    ['', '', 'DISPUTE', 'Disputed by the cardholder'],
  ] as const)(
    'call the reason %s %s of a %s “%s”',
    (condition_code, dispute_condition_code_reason, alert_type, words) => {
      expect(reasonWords({ condition_code, dispute_condition_code_reason, alert_type })).toBe(words);
    },
  );

  it.each([
    ['6299.80', 'USD', '6 299,80 $'],
    ['443.15', 'GBP', '443,15 £'],
    ['1200', 'JPY', '1 200 ¥'],
    ['9.500', 'KWD', '9,500 KWD'],
    ['-3.00', 'CAD', '-3,00 CA$'],
  ])('have one kind of currency sign in French: %s %s is %s', (amount, currency, text) => {
    setLanguage({ locale: 'fr-FR' });
    expect(amountText(amount, currency).replaceAll(/\s/g, ' ')).toBe(text);
    setLanguage({ locale: 'en-GB' });
  });
});

it('groups by the day in the zone that is shown, with its year if that is another', () => {
  const now = Date.parse('2026-05-31T10:00:00Z');
  const day = (at: string) => longDayText(at, 'utc', now);
  expect(
    ['2026-05-31T00:00:00Z', '2026-05-30T23:59:59Z', '2026-05-02T10:00:00Z', '2025-12-31T10:00:00Z'].map(day),
  ).toEqual(['Today', 'Yesterday', 'Saturday 2 May', 'Wednesday, 31 December 2025']);
  expect([dayIn('2026-05-30T23:59:59Z', 'utc'), clockText('2026-05-30T09:05:00Z', 'utc')]).toEqual([
    '2026-05-30',
    '09:05 UTC',
  ]);
});

it('names an answer by its money and a dispute by its reason, never by a number', () => {
  const alert = {
    ...{ amount: '48.50', currency: 'USD', card: '424242xxxxxx4242', site: 'Demo Shop' },
    condition_code: '13.1',
  };
  expect(alertName(alert)).toBe('$48.50, Visa •••• 4242');
  expect(disputeWords({ ...alert, alert_type: 'DISPUTE', dispute_condition_code_reason: '' })).toBe(
    'Item not received, Visa •••• 4242, Demo Shop',
  );
  expect(
    [
      ['RESOLVED', '100.001'],
      ['RESOLVED', '101.001'],
      ['RESOLVED', '902.002'],
      ['DECLINED', '902.002'],
      ['WIP', ''],
    ].map(([status = '', code = '']) => answeredWords(alert, status, code)),
  ).toEqual([
    '$48.50, answered as refunded',
    '$48.50, answered as partly refunded',
    '$48.50, resolved without a refund',
    '$48.50, declined',
    '$48.50, In progress',
  ]);
  expect(answeredWords(undefined, 'DECLINED', '902.002')).toBe('An alert, declined');
});
