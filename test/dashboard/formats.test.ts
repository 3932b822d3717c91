import { describe, expect, it } from 'vitest';
import { setLanguage } from '#lib/dashboard/language/translate.ts';
import { cardText } from '#lib/dashboard/parts/card-text.ts';
import { amountText } from '#lib/dashboard/parts/money.ts';
import { ringText } from '#lib/dashboard/parts/times.ts';
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
