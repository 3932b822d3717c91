import { describe, expect, it } from 'vitest';
import { comparableAuthCode, identifyingArn } from '#disputes/matching/identifiers.ts';
import {
  evidenceWords,
  isNamedBy,
  isPlausible,
  matchCharges,
  paymentSearchSpan,
  toMatchEvidenceDto,
} from '#disputes/matching/match.ts';
import {
  type ChargeFacts,
  type DisputedTransaction,
  endsOfCard,
  matchEvidenceOf,
} from '#disputes/matching/match-evidence.ts';

const arn = '24692161070000622606414';
const otherArn = '71575034472742669389695';
const disputed = (change: Partial<DisputedTransaction> = {}): DisputedTransaction => ({
  card: '411111xxxxxx1111',
  arn: '',
  authCode: '',
  amount: '361.56',
  currency: 'USD',
  transactionAt: '2026-04-30T08:15:00.000Z',
  descriptor: 'SHOP*ONLINE 123',
  ...change,
});
const charge = (change: Partial<ChargeFacts> = {}): ChargeFacts => ({
  first6: '411111',
  last4: '1111',
  brand: null,
  arn: null,
  authCode: null,
  money: { minor: 36_156n, currency: 'USD' },
  captured: 36_156n,
  date: '2026-04-30T08:15:00.000Z',
  descriptor: '',
  references: [],
  ...change,
});
const match = (charges: ChargeFacts[], change: Partial<DisputedTransaction> = {}, isWhole = true) => {
  const found = matchCharges(disputed(change), charges, { factsOf: (one) => one, isWhole });
  if (found.found === 'one') return charges.indexOf(found.charge);
  return found.found === 'none' ? 'none' : [found.found, ...found.candidates.map((one) => charges.indexOf(one.charge))];
};
const judge = (facts: Partial<ChargeFacts>, change: Partial<DisputedTransaction> = {}) =>
  matchEvidenceOf(disputed(change), charge(facts)).verdicts;
const readLevel = (facts: Partial<ChargeFacts>, change: Partial<DisputedTransaction> = {}) =>
  matchEvidenceOf(disputed(change), charge(facts)).level;

describe('the charge of an alert', () => {
  it('is the one with its ARN, whatever its amount and day', () => {
    const named = charge({ arn, money: { minor: 1n, currency: 'EUR' }, date: '2026-04-10T00:00:00.000Z' });
    expect(match([charge(), named, charge({ authCode: '387373' })], { arn, authCode: '387373' })).toBe(1);
  });

  it('is the one with its authorization code and card, on whatever day of the month', () => {
    const coded = charge({ authCode: '00AB12', date: '2026-04-10T00:00:00.000Z' });
    expect(match([coded, charge()], { authCode: 'ab12' })).toBe(0);
    expect(match([coded], { authCode: 'ab12', amount: '300.00', currency: 'EUR' })).toBe(0);
  });

  it('is, without a number, the one of its card and amount within two days', () => {
    expect(match([charge()])).toBe(0);
    expect(match([charge({ date: '2026-05-02T08:15:00.000Z' })])).toBe(0);
    expect(match([charge({ date: '2026-05-02T08:15:00.001Z' })])).toEqual(['uncertain', 0]);
    expect(match([charge({ date: '2026-05-07T08:15:00.001Z' })])).toBe('none');
    expect(match([charge({ money: { minor: 36_155n, currency: 'USD' }, captured: 0n })])).toEqual(['uncertain', 0]);
    expect(match([charge({ money: { minor: 36_157n, currency: 'USD' }, captured: 0n })])).toBe('none');
    expect(match([charge({ money: { minor: 36_156n, currency: 'EUR' } })])).toEqual(['uncertain', 0]);
  });

  it.each([
    ['ARN', { arn: otherArn }, { arn }],
    ['authorization code', { authCode: '000001' }, { authCode: '387373' }],
    ['BIN', { first6: '424242' }, {}],
    ['last four digits', { last4: '1112' }, {}],
    ['brand', { first6: '', brand: 'MASTERCARD' }, {}],
    ['descriptor', { descriptor: 'GARDEN CENTRE' }, {}],
  ] as const)('is none with another %s', (_, facts, change) => {
    expect(readLevel(facts, change)).toBe('excluded');
    expect(match([charge(facts)], change)).toBe('none');
  });

  it('is left to a person if its ARN is on another card', () => {
    expect(match([charge({ arn, last4: '9999' })], { arn })).toEqual(['uncertain', 0]);
    expect(readLevel({ arn, last4: '9999' }, { arn })).toBe('weak');
  });

  it('is left to a person if its authorization code agrees, and its card is not known', () => {
    const coded = { authCode: '387373' };
    expect(readLevel(coded, { ...coded, card: '' })).toBe('weak');
    expect(readLevel({ ...coded, last4: '' }, coded)).toBe('weak');
  });

  it('is the one with its ARN, or its authorization code and card, whatever its descriptor', () => {
    const other = { descriptor: 'GARDEN CENTRE' };
    expect(judge({ ...other, arn }, { arn }).descriptor).toBe('differs');
    expect(readLevel({ ...other, arn }, { arn })).toBe('certain');
    expect(readLevel({ ...other, authCode: '387373' }, { authCode: '387373' })).toBe('certain');
  });

  it('is left to a person where only the last four digits, the amount and the day agree', () => {
    expect(match([charge({ first6: '', brand: 'VISA' })])).toEqual(['uncertain', 0]);
    expect(match([charge({ first6: '', brand: 'VISA', authCode: '387373' })], { authCode: '387373' })).toBe(0);
  });

  it('is found by amount and descriptor where the date is that of posting', () => {
    const late = { transactionAt: '2026-05-04T00:00:00.000Z' };
    expect(match([charge({ descriptor: 'SHOP*ONLINE' })], late)).toBe(0);
    expect(match([charge()], late)).toEqual(['uncertain', 0]);
  });

  it('is left to a person, likeliest first, where several fit', () => {
    expect(match([charge(), charge()])).toEqual(['many', 0, 1]);
    expect(match([charge({ date: '2026-05-01T00:00:00.000Z' }), charge({ descriptor: 'SHOP*ONLINE' })])).toEqual([
      'many',
      1,
      0,
    ]);
    expect(match([charge(), charge({ first6: '', brand: 'VISA' })])).toEqual(['many', 0, 1]);
    const authCode = '387373';
    expect(match([charge({ authCode }), charge({ authCode })], { authCode })).toEqual(['many', 0, 1]);
    expect(match([charge({ arn }), charge({ arn })], { arn })).toEqual(['many', 0, 1]);
  });

  it('is left to a person where the descriptor speaks for one, and another is as close by its last four digits', () => {
    const posted = { transactionAt: '2026-05-05T08:15:00.000Z' };
    const named = charge({ descriptor: 'SHOP*ONLINE' });
    const blind = charge({ first6: '', brand: 'VISA', date: '2026-05-01T08:15:00.000Z', descriptor: 'SHOP*ONLINE' });
    expect(match([named, blind], posted)).toEqual(['many', 0, 1]);
    expect(match([named], posted)).toBe(0);
    expect(match([named, { ...blind, date: posted.transactionAt }], posted)).toEqual(['many', 0, 1]);
  });

  it('is the one within two days if another of the same card and amount was posted later', () => {
    const late = charge({ date: '2026-05-05T08:15:00.000Z', descriptor: 'SHOP*ONLINE' });
    expect(match([late, charge()])).toBe(1);
  });

  it('is the one with its amount if several have its authorization code and card', () => {
    const authCode = '387373';
    const part = charge({ authCode, money: { minor: 40_000n, currency: 'USD' }, captured: 40_000n });
    expect(match([part, charge({ authCode })], { authCode })).toBe(1);
  });

  it('may be an authorization with an unknown captured amount', () => {
    const open = charge({ captured: null });
    expect(match([open], { amount: '100.00' })).toEqual(['uncertain', 0]);
    const sale = charge({ money: { minor: 10_000n, currency: 'USD' }, captured: 10_000n });
    expect(match([open, sale], { amount: '100.00' })).toEqual(['many', 1, 0]);
    expect(judge({ captured: null }).amount).toBe('agrees');
    expect(judge({ captured: null }, { amount: '400.00' }).amount).toBe('differs');
    expect(judge({ captured: null }, { amount: '500.00' }).amount).toBe('contradicts');
    expect(judge({ captured: null }, { currency: 'EUR' }).amount).toBe('unknown');
  });

  it('agrees in amount by what was authorized as well as by what was captured, unless nothing was', () => {
    expect(judge({ captured: 10_000n }).amount).toBe('agrees');
    expect(judge({ captured: 10_000n }, { amount: '100.00' }).amount).toBe('agrees');
    expect(judge({ captured: 0n }, { amount: '0.00' }).amount).toBe('contradicts');
  });

  it('may be smaller than the alert says by a tip of at most three tenths', () => {
    const money = { minor: 10_000n, currency: 'USD' };
    const withTip = (amount: string) => judge({ money, captured: money.minor }, { amount }).amount;
    expect(['100.01', '130.00', '130.01'].map(withTip)).toEqual(['differs', 'differs', 'contradicts']);
    expect(matchEvidenceOf(disputed({ amount: '130.00' }), charge({ money })).score).toBe(35);
  });

  it('is decided only by an ARN or a reference where not all charges were read', () => {
    expect(match([charge()], {}, false)).toEqual(['many', 0]);
    expect(match([charge({ authCode: '387373' })], { authCode: '387373' }, false)).toEqual(['many', 0]);
    expect(match([charge({ arn })], { arn }, false)).toBe(0);
    expect(match([charge({ references: ['444444444444444'] })], { transactionId: '444444444444444' }, false)).toBe(0);
    expect(match([charge({ references: ['4444444'] })], { transactionId: '4444444' }, false)).toEqual(['many', 0]);
    expect(match([charge({ references: ['44444444'] })], { transactionId: '44444444' }, false)).toBe(0);
  });

  it.each(['4111111111111111', '411111******1111'])(
    'is the one with a reference that looks like a card number, which the alert states as %s',
    (transactionId) => expect(match([charge({ references: ['4111111111111111'] })], { transactionId }, false)).toBe(0),
  );

  it('is compared by the disputed amount as well, in whichever currency equals that of the charge', () => {
    const euros = { amount: '330.00', currency: 'EUR' };
    expect(match([charge()], { ...euros, disputeAmount: '361.56', disputeCurrency: 'USD' })).toBe(0);
    expect(match([charge()], euros)).toEqual(['uncertain', 0]);
  });

  it('partly agrees in amount within a tenth of the exchange rate, where one is known', () => {
    const euros = disputed({ amount: '330.00', currency: 'EUR' });
    const amountOf = (rate: number) =>
      matchEvidenceOf(euros, charge(), { rateOf: (from, to) => (from === 'EUR' && to === 'USD' ? rate : undefined) })
        .verdicts.amount;
    expect([1.08, 1.2, 0.98, 1.25].map(amountOf)).toEqual(['partly', 'partly', 'contradicts', 'contradicts']);
    const rateOf = () => 1;
    const ninety = { money: { minor: 9000n, currency: 'USD' }, captured: 9000n };
    const hundred = { amount: '100.00', currency: 'EUR' };
    expect(matchEvidenceOf(disputed(hundred), charge(ninety), { rateOf }).verdicts.amount).toBe('partly');
    const numbered = matchEvidenceOf(disputed({ ...hundred, arn }), charge({ arn }), { rateOf });
    expect(numbered).toMatchObject({ level: 'certain', verdicts: { amount: 'differs' } });
  });

  it('is compared without its amount or its date if the alert states none that can be read', () => {
    const unknown = { level: 'weak', verdicts: { amount: 'unknown', date: 'unknown' } };
    expect(matchEvidenceOf(disputed({ amount: '', transactionAt: '' }), charge())).toMatchObject(unknown);
  });

  it('differs in date up to a week, and up to 31 days if a number identifies it', () => {
    const dateOf = (date: string, change: { arn?: string } = {}) => judge({ date, ...change }, change).date;
    expect(dateOf('2026-05-07T08:15:00.000Z')).toBe('differs');
    expect(dateOf('2026-05-07T08:15:00.001Z')).toBe('contradicts');
    expect(dateOf('2026-05-31T08:15:00.000Z', { arn })).toBe('differs');
    expect(dateOf('2026-05-31T08:15:00.001Z', { arn })).toBe('contradicts');
  });

  it.each([
    ['the first four letters are equal', 'NORTHWEST', 'NORTHWIND 12', 'partly'],
    ['a word of four letters is shared', 'THE BARN 12', 'OLD BARN 34', 'partly'],
    ['only a shorter word is shared', 'THE BARN', 'OF THE SHED', 'contradicts'],
    ['one begins with the five letters of the other', 'LUMEN', 'LUMEN*ORDER', 'agrees'],
    ['one begins with the five letters of the other, the other way round', 'LUMEN*ORDER', 'LUMEN', 'agrees'],
    ['the alert states fewer than five letters', 'LUME', 'LUMEN*ORDER', 'unknown'],
    ['the charge has fewer than five letters', 'LUMEN*ORDER', 'LUME', 'unknown'],
    ['only one has accents', 'CAFE CREME PARIS', 'Café Crème', 'agrees'],
    ['letters are as wide as in Japanese', 'LUMEN ORDER', 'ＬＵＭＥＮ　ＯＲＤＥＲ', 'agrees'],
    ['a word without its accent is shared', 'SQ *ZURICH KIOSK', 'Kaufhaus Zürich', 'partly'],
    ['an umlaut is spelled out', 'MUELLER GMBH', 'Müller', 'unknown'],
    ['a letter of another alphabet was replaced', 'ODEGARD AS', 'Ødegård', 'unknown'],
    ['the charge is in another script', 'MAGAZIN', 'Магазин', 'unknown'],
    ['a facilitator is named first', 'LUMENSHOP OSLO', 'PAYPAL *LUMENORDER', 'partly'],
    ['a facilitator is named first in the alert', 'SQ *CAFENERO', 'CAFE NERO', 'partly'],
    ['other words follow a facilitator', 'SQ *GARDEN CENTRE', 'SHOP*ONLINE', 'contradicts'],
  ] as const)('is compared by descriptor where %s', (_, stated, own, verdict) =>
    expect(judge({ descriptor: own }, { descriptor: stated }).descriptor).toBe(verdict),
  );

  it('partly agrees in card where only its last four digits and its brand are known, and the alert’s brand is not', () => {
    const facts = { first6: '', brand: 'VISA' } as const;
    expect(judge(facts, { card: '999999xxxxxx1111' }).card).toBe('partly');
    expect(judge({ last4: '' }).card).toBe('unknown');
  });

  it.each([
    ['622126xxxxxx1111', 'DISCOVER', 'partly'],
    ['362272xxxxxx1111', 'DISCOVER', 'partly'],
    ['353011xxxxxx1111', 'DISCOVER', 'partly'],
    ['601111xxxxxx1111', 'DINERS', 'contradicts'],
    ['353011xxxxxx1111', 'UNIONPAY', 'contradicts'],
    ['411111xxxxxx1111', 'DISCOVER', 'contradicts'],
  ] as const)('with the card %s compares with a charge whose processor names it %s', (card, brand, verdict) => {
    expect(judge({ first6: '', brand }, { card }).card).toBe(verdict);
  });

  it('may have been captured in part', () => {
    const part = { amount: '100.00' };
    expect(match([charge({ captured: 10_000n })], part)).toBe(0);
    expect(match([charge()], part)).toBe('none');
    expect(match([charge({ authCode: '387373' })], { ...part, authCode: '387373' })).toBe(0);
  });
});

it('compares identifiers only where they identify', () => {
  expect([arn, '0'.repeat(23), `${arn.slice(0, 22)}5`, '123', '', null].map(identifyingArn)).toEqual([
    arn,
    ...Array.from({ length: 5 }, () => undefined),
  ]);
  expect(['N/A', 'none', 'NULL', ' -', 'Unknown', 'n.a.'].map(comparableAuthCode)).toEqual(Array(6).fill(undefined));
  expect(['12a', ' 00012A', '000000', '0', '', null, '7'].map(comparableAuthCode)).toEqual([
    '00012A',
    '00012A',
    undefined,
    undefined,
    undefined,
    undefined,
    '000007',
  ]);
});

it('shows an alert with a charge by the last four digits of its card, its amount and its day', () => {
  expect(isPlausible(disputed(), charge({ first6: '' }))).toBe(true);
  expect(isPlausible(disputed(), charge({ first6: '', date: '2026-05-04T00:00:00.000Z' }))).toBe(false);
  expect(isPlausible(disputed(), charge({ brand: 'AMEX' }))).toBe(false);
  expect(isPlausible(disputed({ card: '' }), charge())).toBe(false);
  expect(isPlausible(disputed({ currency: 'EUR' }), charge({ first6: '' }))).toBe(false);
  expect(isPlausible(disputed({ arn, currency: 'EUR', card: '' }), charge({ arn }))).toBe(true);
});

it('takes a charge as named by an alert if a number or the amount agrees', () => {
  const isNamed = (change: Partial<DisputedTransaction>, facts: Partial<ChargeFacts> = {}) =>
    isNamedBy(matchEvidenceOf(disputed(change), charge(facts)));
  expect(isNamed({})).toBe(true);
  expect(isNamed({ currency: 'EUR' })).toBe(false);
  expect(isNamed({ currency: 'EUR', arn }, { arn })).toBe(true);
  expect(isNamed({ currency: 'EUR', authCode: '387373' }, { authCode: '387373' })).toBe(true);
  expect(isNamed({ currency: 'EUR', transactionId: '44444444' }, { references: ['44444444'] })).toBe(true);
});

it('says in words what speaks for a charge and against it', () => {
  const evidence = matchEvidenceOf(disputed({ arn }), charge({ arn, first6: '', date: '2026-05-20T00:00:00.000Z' }));
  expect(evidenceWords(toMatchEvidenceDto(evidence))).toBe(
    'match 85 of 100: ARN, amount agree; card partly agrees; date differs',
  );
  const reissued = matchEvidenceOf(disputed({ arn }), charge({ arn, last4: '9999' }));
  expect(evidenceWords(toMatchEvidenceDto(reissued))).toBe('match 85 of 100: ARN, amount, date agree; card differs');
  expect(evidenceWords({ score: 0, traits: [] })).toBe('match 0 of 100: nothing to compare');
});

it('reads the ends of an alert’s card', () => {
  expect(endsOfCard('411111xxxxxx1111')).toEqual({ first6: '411111', last4: '1111' });
  expect(endsOfCard('')).toBeUndefined();
});

it('searches payments within a month of the alert’s date', () =>
  expect(paymentSearchSpan(disputed().transactionAt)).toEqual({
    from: '2026-03-30T08:15:00.000Z',
    to: '2026-05-31T08:15:00.000Z',
  }));
