import { fresh } from '#test/disputes/alerts/seed.ts';

/** Returns an id as the network makes them: 25 capital letters and digits. */
export const ethocaId = (): string => `A${String(fresh()).padStart(24, '0')}`;

/** An alert as Mastercard's Ethoca Alerts for Merchants API sends it, changed as told. */
export const ethocaAlert = (change: Record<string, unknown> = {}) => ({
  alertId: ethocaId(),
  alertType: 'CONFIRMEDFRAUD',
  dateSubmitted: '2026-05-02',
  customerName: 'Jane Smith',
  issuer: 'First Bank',
  cardBin: '411111',
  cardLast4: '1111',
  transactionTimestamp: '2026-04-30T08:15:00Z',
  merchantDescriptor: 'SHOP*ONLINE 123',
  transactionAmount: '150.00',
  transactionCurrency: 'USD',
  ...change,
});
