import { describe, expect, it } from 'vitest';
import { type FoundCharge, toSearch, toSearchedDto, toSought } from '#disputes/connections/charge-search.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';

const alert: ProviderAlert = {
  ...blankProviderAlert,
  ...{ provider: 'provider_a', caseId: 'A1', type: 'DISPUTE', card: '411111xxxxxx1111' },
  ...{ transactionAt: '2026-05-02T01:00:00Z', descriptor: 'SHOP', amount: '45.20', currency: 'USD' },
};
const charge = (change: Partial<FoundCharge> = {}): FoundCharge => ({
  connection: { id: 'cn_1', kind: 'nmi', label: 'Shop' },
  ...{ txid: null, reference: '77', secondReference: 'order-7', type: 'sale', date: '2026-05-02T02:00:00Z' },
  ...{ money: { minor: 4520n, currency: 'USD' }, refunded: 0n, left: 4520n, arn: null, authCode: null },
  ...{ isChargedBack: false, isSettled: true, isUnclear: false, captured: 4520n, descriptor: 'SHOP' },
  ...{ first6: '411111', last4: '1111' },
  ...change,
});
const own = (change: Partial<FoundCharge> = {}) =>
  charge({ connection: null, txid: 1077, reference: 'pi_7', secondReference: '1077', ...change });
const search = (parts: Partial<Parameters<typeof toSearch>[1]>) =>
  toSearch(alert, { own: [], elsewhere: [], unasked: [], isWhole: true, ...parts }).match;

describe('the charge that an alert is about', () => {
  it('is the only one that fits, wherever it was taken', () => {
    expect(search({ elsewhere: [charge()] })).toMatchObject({ found: 'one', charge: charge() });
    expect(search({ own: [own()] })).toMatchObject({ found: 'one', charge: own() });
    expect(search({})).toEqual({ found: 'none' });
  });

  it('is none of two at different processors', () => {
    const another = charge({ connection: { id: 'cn_2', kind: 'stripe', label: 'Other' }, reference: 'ch_1' });
    expect(search({ elsewhere: [charge(), another] }).found).toBe('many');
    expect(search({ own: [own()], elsewhere: [charge()] }).found).toBe('many');
  });

  it('is the one with its authorisation code among those alike', () => {
    const named = charge({ reference: '78', authCode: 'ABC123' });
    const searched = toSearch(
      { ...alert, authCode: 'abc123' },
      { own: [own()], elsewhere: [charge(), named], unasked: [], isWhole: true },
    );
    expect(searched.match).toMatchObject({ found: 'one', charge: named });
  });

  it.each(['reference', 'secondReference'] as const)('is one payment of ours, known elsewhere by its %s', (name) => {
    const known = charge({ reference: 'ch_7', secondReference: 'o', [name]: 'pi_7' });
    const searched = toSearch(alert, { own: [own()], elsewhere: [known], unasked: [], isWhole: true });
    expect(searched.match).toMatchObject({ found: 'one', charge: own() });
    expect(searched.charges).toEqual([own()]);
  });

  it('is one charge that two connections to one account have, with what the later state leaves', () => {
    const again = charge({ connection: { id: 'cn_2', kind: 'nmi', label: 'Second key' }, refunded: 520n, left: 4000n });
    const [match, other] = [
      [charge(), again, charge()],
      [again, charge()],
    ].map((elsewhere) => search({ elsewhere }));
    expect([match, other]).toMatchObject([
      { found: 'one', charge: again },
      { found: 'one', charge: again },
    ]);
  });

  it.each([
    { date: '2026-05-02T03:00:00Z' },
    { connection: { id: 'cn_2', kind: 'stripe' as const, label: 'Other' } },
    { reference: '78' },
  ])('is two charges if they differ in %j', (change) => {
    expect(search({ elsewhere: [charge(), charge(change)] }).found).toBe('many');
  });

  it('is found next to a charge of another card that could not be read', () => {
    const unasked = [
      { id: 'cn_1', kind: 'http' as const, label: 'Own', problem: 'unreadable' as const, detail: 'one' },
    ];
    const searched = toSearch(alert, { own: [], elsewhere: [charge()], unasked, isWhole: true });
    expect(searched.match.found).toBe('one');
    expect(toSearchedDto(searched).unasked).toMatchObject([{ problem: 'unreadable', msg: 'one' }]);
  });

  it('has no reference in common with a payment that has none', () => {
    expect(search({ own: [own({ reference: '' })], elsewhere: [charge({ secondReference: '' })] }).found).toBe('many');
  });

  it('is uncertain while a processor cannot be queried or has more charges', () => {
    const trouble = { problem: 'unavailable' as const, detail: 'nobody answered' };
    const unasked = [{ id: 'cn_2', kind: 'stripe' as const, label: 'Other', ...trouble }];
    expect(search({ elsewhere: [charge()], unasked }).found).toBe('many');
    expect(search({ elsewhere: [charge()], isWhole: false }).found).toBe('many');
  });

  it('is shown with its refundable amount, unless that is unknown', () => {
    const searched = toSearch(alert, {
      ...{ own: [], unasked: [], isWhole: true },
      elsewhere: [charge({ refunded: 520n, left: 4000n }), charge({ reference: '78', isUnclear: true })],
    });
    expect(toSearchedDto(searched).transactions).toMatchObject([
      { refunded: '5.20', refundable: '40.00', matches: true },
      { reference: '78', refundable: null, matches: true },
    ]);
  });
});

describe('what is looked for', () => {
  const receivedAt = '2026-05-03T10:00:00.000Z';
  const lookedFor = (providerAlert: ProviderAlert) => toSought({ providerAlert, receivedAt });

  it('is around the time of receipt where the network states no time of the transaction', () => {
    expect(lookedFor(alert)?.day).toBe(alert.transactionAt);
    expect(lookedFor({ ...alert, transactionAt: '' })?.day).toBe(receivedAt);
  });

  it('is what the alert says, without an amount if that is none', () => {
    expect(lookedFor(alert)).toMatchObject({
      first6: '411111',
      last4: '1111',
      money: { minor: 4520n, currency: 'USD' },
    });
    expect(lookedFor({ ...alert, amount: '', currency: '' })?.money).toBeNull();
    // The issuer may state another currency, or a part.
    expect(lookedFor({ ...alert, authCode: '123456' })?.money).toBeNull();
    expect(lookedFor({ ...alert, arn: '24692161070000622606414' })?.money).toBeNull();
    expect(lookedFor({ ...alert, arn: '0'.repeat(23), authCode: '000000' })?.money).not.toBeNull();
    expect(lookedFor({ ...alert, card: '' })).toBeUndefined();
  });
});
