import type { KeptCard } from '#core/kernel/card/card.ts';
import type { FraudSubject } from '#payments/fraud/check/subject.ts';

export const at = '2026-05-02T10:30:00.000Z';

export const keptCard = (change: Partial<KeptCard> = {}): KeptCard => ({
  scheme: 'VISA',
  first6: '424242',
  last4: '4242',
  token: 'a'.repeat(40),
  ...change,
});

export const aSubject = (change: Partial<FraudSubject> = {}): FraudSubject => ({
  kind: 'payment',
  sid: 12,
  txid: 1_077_051_069_219_257,
  money: { minor: 1000n, currency: 'USD' },
  card: keptCard(),
  payer: {
    firstName: 'Anna',
    lastName: 'Sample',
    email: 'Anna@Shop.example',
    phone: null,
    ip: null,
    address: { line1: '1 High Street', city: 'Springfield', state: 'IL', country: 'US', postcode: '62701' },
  },
  shipping: null,
  device: { id: 'd-1', ip: '203.0.113.7', userAgent: null, acceptLanguage: null, binCountry: null },
  at,
  ...change,
});

/** Without anything but the order itself. */
export const anonymousSubject = (change: Partial<FraudSubject> = {}): FraudSubject =>
  aSubject({
    card: null,
    payer: { firstName: null, lastName: null, email: null, phone: null, ip: null, address: null },
    device: { id: null, ip: null, userAgent: null, acceptLanguage: null, binCountry: null },
    ...change,
  });
