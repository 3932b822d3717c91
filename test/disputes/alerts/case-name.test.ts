import { describe, expect, it } from 'vitest';
import { withLuhnDigit } from '#core/kernel/card/luhn.ts';
import { fromStoredCaseName, toStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import { useOperations } from '#test/support/operations.ts';
import { alertAt, fresh, seedClaims, seedSite, take } from './seed.ts';

useOperations();

/** A number of Visa's, of which the tests have used none before. */
const newCard = (): string => withLuhnDigit(`424242${String(fresh()).padStart(9, '0')}`);

describe.each(['provider_a', 'provider_b', 'rdr'] as const)('a case that %s names by a card number', (provider) => {
  const field = { provider_a: 'alertId', provider_b: 'caseId', rdr: 'decisionId' }[provider];
  const enrolled = async () => {
    const site = await seedSite();
    const descriptor = `SHOP ${site.sid}`;
    await seedClaims(provider, 'EXACT', descriptor, site);
    return { merchantDescriptor: descriptor, descriptor, paymentDescriptor: descriptor };
  };

  it('becomes an alert that shows the mask and keeps the name sealed', async () => {
    const card = newCard();
    const { alert_id } = await take(provider, { ...(await enrolled()), [field]: card });
    const { providerAlert } = await alertAt(alert_id);
    expect(JSON.stringify(providerAlert)).not.toContain(card);
    expect(providerAlert.caseId).toMatch(new RegExp(`^424242[*]{6}${card.slice(-4)}~[0-9a-f]{20}$`));
    expect(await fromStoredCaseName(providerAlert)).toBe(card);
  });

  it('is the same alert when it is sent again', async () => {
    const sent = { ...(await enrolled()), [field]: newCard() };
    const first = await take(provider, sent);
    expect(await take(provider, sent)).toEqual(first);
  });

  it('is another case than that of a card with the same first and last digits', async () => {
    const own = await enrolled();
    const [one, other] = ['4242420000061234', '4242420000141234'];
    const taken = [await take(provider, { ...own, [field]: one }), await take(provider, { ...own, [field]: other })];
    expect(taken[0]?.alert_id).not.toBe(taken[1]?.alert_id);
  });
});

describe('the stored name of a case', () => {
  it('is the provider’s own where that looks like no card', async () => {
    for (const caseId of ['32838-001', '4242424242424241', '1151234567890123', '24692161070000622606414']) {
      expect(await toStoredCaseName('provider_b', caseId)).toEqual({ caseId });
    }
  });

  it('differs between providers', async () => {
    const card = newCard();
    const names = [await toStoredCaseName('provider_a', card), await toStoredCaseName('provider_b', card)];
    expect(names[0]?.caseId).not.toBe(names[1]?.caseId);
  });
});
