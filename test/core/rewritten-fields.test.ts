import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type CardInput, readCard } from '#core/kernel/card/card.ts';
import { PayerEmail } from '#core/kernel/schema/contact-email.ts';
import { PastedNumber, PastedText, Text } from '#core/kernel/schema/text.ts';
import { listRewrittenFields, rewritesFields } from '#core/platform/http/rewritten-fields.ts';
import { Maybe } from '#payments/payments/field-schemas.ts';

const Body = v.pipe(
  v.object({
    name: v.pipe(PastedText(5), v.description('A name.')),
    items: v.pipe(
      Maybe(v.pipe(v.unknown(), v.pipe(v.array(PastedNumber(3)), v.maxLength(9)))),
      v.description('Items.'),
    ),
    payer: v.optional(v.object({ email: v.pipe(PayerEmail, v.description('An address.')) })),
    reference: v.optional(Text(50)),
  }),
);
const warn = (sent: unknown) => listRewrittenFields(Body, sent, v.parse(Body, sent));

describe('warnings about texts that were rewritten', () => {
  it('name each field, in lists and objects too, and say what became of it', () => {
    const sent = { name: 'a long name', items: [' ab ', 'abcd', 12], payer: { email: 'info@müller.de' } };
    expect(warn(sent)).toEqual([
      'name: was shortened to 5 characters',
      'items.1: was shortened to 3 characters',
      'payer.email: was normalized',
    ]);
  });

  it('are not given for blanks around a text, for its case, or for fields that are kept as they are', () =>
    expect(warn({ name: ' ab ', reference: 'r', payer: { email: 'Ada@Example.com' } })).toEqual([]));

  it('never cut a character in two', () => expect(v.parse(PastedText(5), 'abcd😀')).toBe('abcd'));

  it('are documented where a call may have such fields', () =>
    expect([rewritesFields(Body), rewritesFields(v.object({ reference: Text(5) }))]).toEqual([true, false]));
});

describe("a payer's e-mail address", () => {
  it.each([
    ['taro..x@docomo.ne.jp', 'taro..x@docomo.ne.jp'],
    ['taro.@ezweb.ne.jp', 'taro.@ezweb.ne.jp'],
    ['info@müller.de', 'info@xn--mller-kva.de'],
    ['ada@例え.jp', 'ada@xn--r8jz45g.jp'],
    ['ada@example.com\u00a0', 'ada@example.com'],
    ['\u200eada@example.com\u200b', 'ada@example.com'],
    ['ａｄａ＠example.com', 'ada@example.com'],
  ])('%j is read as %s', (text, address) => expect(v.parse(PayerEmail, text)).toBe(address));

  it.each(['', 'ada', 'ada@', '@example.com', 'ada@localhost', 'a@b@example.com', 'a"b@example.com'])(
    '%j is none',
    (text) => expect(v.safeParse(PayerEmail, text).success).toBe(false),
  );
});

describe('a card as it is typed or pasted', () => {
  const card: CardInput = { card_no: '4242424242424242', card_ccv: '123', card_exp_month: '12', card_exp_year: '2035' };
  const rules = { today: '2026-11-28T12:00:00Z', cvvIsOptional: false };
  const numberOf = (change: Partial<CardInput>, today = rules.today) => {
    const read = readCard({ ...card, ...change }, { ...rules, today });
    return Array.isArray(read) ? read : read.reveal(({ number, cvv, expMonth }) => [number, cvv, expMonth]);
  };

  it.each<Partial<CardInput>>([
    { card_no: '4242\u00a04242\u00a04242\u00a04242' },
    { card_no: '4242–4242—4242‑4242' },
    { card_no: '\u200e4242424242424242\u200f' },
    { card_no: '\t4242 4242\n4242 4242' },
    { card_no: '４２４２４２４２４２４２４２４２' },
    { card_no: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' },
    { card_no: '4242.4242.4242.4242' },
    { card_ccv: ' １２３ ' },
    { card_exp_month: '１２' },
  ])('has its plain digits: %j', (change) => expect(numberOf(change)).toEqual(['4242424242424242', '123', '12']));

  it('is still refused with other characters in its number', () =>
    expect(numberOf({ card_no: '4242x424242424242' })).toEqual(['card_no: must be a card number of 12 to 19 digits']));

  it.each([
    ['2026-12-01T00:30:00Z', true],
    ['2026-12-01T11:59:59Z', true],
    ['2026-12-01T12:00:00Z', false],
    ['2027-01-01T00:00:00Z', false],
  ])('of 11/2026 is valid at %s: %s', (today, isValid) =>
    expect(numberOf({ card_exp_month: '11', card_exp_year: '2026' }, today)[0]).toBe(
      isValid ? card.card_no : 'card_exp_year: the card has expired',
    ),
  );
});
