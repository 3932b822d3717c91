import { type AlertSettings, defaultDeadlineHours, type Site } from '#accounts/merchants/site/site.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';

export const start = '2026-05-02T10:00:00.250Z';

export const settings = (change: Partial<AlertSettings> = {}): AlertSettings => ({
  alertapiurl: 'https://merchant.example/alerts',
  descriptorid: 'SHOP-1',
  username: '',
  token: null,
  default_dispute_action: null,
  max_refund_amount: null,
  alert_triggeremail: true,
  alert_email: ['ops@merchant.example'],
  shieldrdr_review_email: [],
  statusupdate_url: 'https://merchant.example/updates',
  status_update_opt_in: true,
  status_update_statuses: 'all',
  enrollment_url: null,
  deadline_warning: false,
  deadline_hours: { ...defaultDeadlineHours },
  ...change,
});

export const aSite = (change: Partial<Site> = {}): Site => ({
  sid: 12,
  mid: 1,
  rid: 5,
  name: 'Web shop',
  merchantName: 'Merchant',
  retailerName: 'Retailer',
  createdAt: '2026-01-01T00:00:00.000Z',
  type: 'alert',
  profile: {},
  alert: settings(),
  payment: null,
  threeDs: null,
  rcodes: [],
  signingSecrets: [],
  version: 1,
  ...change,
});

export const aProviderAlert = (change: Partial<ProviderAlert> = {}): ProviderAlert => ({
  ...blankProviderAlert,
  provider: 'provider_a',
  caseId: 'CASE-1',
  type: 'FRAUD',
  card: '411111xxxxxx1111',
  transactionAt: '2026-04-30T08:15:00.000Z',
  descriptor: 'SHOP*ONLINE 123',
  amount: '361.56',
  currency: 'USD',
  arn: '24692161070000622606414',
  authCode: '387373',
  ...change,
});

export const anAlert = (providerAlert: Partial<ProviderAlert> = {}, site: Site = aSite()): Alert =>
  createAlert(1_000_000_000_000_001, aProviderAlert(providerAlert), start, { site, matchedDescriptor: 'SHOP*' });

/** The providers' bodies as they come. */
export const bodyA = (change: Record<string, unknown> = {}) => ({
  alertId: 'A4IM9K2MIYL9F2BPF9TWUIXTU',
  type: 'CONFIRMED_FRAUD',
  alertTimestamp: '2026-05-02T10:00:00Z',
  age: '12',
  issuer: 'First Bank',
  cardBin: '411111',
  cardLast4: '1111',
  arn: '24692161070000622606414',
  transactionTimestamp: '2026-04-30T08:15:00Z',
  merchantDescriptor: 'SHOP*ONLINE 123',
  mcc: '5732',
  amount: { value: '361.56', currencyCode: 'USD' },
  authCode: '387373',
  transactionId: '83773',
  reasonCode: '4837',
  ...change,
});

export const bodyB = (change: Record<string, unknown> = {}) => ({
  caseId: '32838-001',
  caseType: 'DISPUTE',
  status: 'NEW',
  caseDate: '2026-05-02T10:00:00Z',
  paymentType: 'VISA',
  accountNumber: '423234xxxxxx3773',
  arn: '24692161070000622606414',
  transactionDate: '2026-04-30T08:15:00Z',
  transactionAmount: '39.99',
  transactionCurrency: 'USD',
  caseAmount: '39.99',
  caseCurrency: 'USD',
  authorizationCode: '387373',
  reasonCode: '10.4',
  reasonText: 'Other fraud, card absent',
  descriptor: 'AAA*HOSTING',
  issuerName: 'First Bank',
  age: '3',
  tier: '1',
  ...change,
});

export const bodyRdr = (change: Record<string, unknown> = {}) => ({
  decisionId: '4ad593b4-e751-4b43-9ade-a9406d1ae2ba',
  event: 'DECISION',
  decision: 'ACCEPTED',
  declineCode: null,
  caseDate: '2026-05-24T09:17:28Z',
  paymentDescriptor: 'ONLINE*MERCHANT',
  acquirerBin: '423223',
  cardAcceptorId: '1231231',
  transactionId: '2837347837383',
  cardBin: '423223',
  cardLast4: '2476',
  authCode: '300001',
  transactionDate: '2026-05-17T09:17:28Z',
  arn: '43853968624382884877396',
  mcc: '4899',
  reasonCode: '10.4',
  transactionAmount: '12.00',
  transactionCurrency: 'USD',
  caseAmount: '12.00',
  caseCurrency: 'USD',
  ...change,
});
