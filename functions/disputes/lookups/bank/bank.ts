import type { Order } from '#payments/orders/order.ts';
import type { Audience } from '../lookup/audience.ts';

/** The sandbox's bank: what it asks about a charge of the test card, and how it reports a dispute. */

/** A card of no customer, so that the page of a stage with a sandbox shows no customer's orders. */
export const demoCard = { first6: '424242', last4: '4242' } as const;

/** The person who views the charge in the bank, and the channel of the question. */
export const bankViews = ['cardholder', 'agent', 'evidence'] as const satisfies readonly Audience[];
export type BankView = (typeof bankViews)[number];
const sourceOf = { cardholder: 'OIM', agent: 'OIP', evidence: 'OID' } as const satisfies Record<BankView, string>;

/** A charge as a statement shows it. */
export type StatementCharge = {
  orderId: number;
  descriptor: string;
  at: string;
  amount: string;
  currency: string;
  arn: string | undefined;
  authCode: string | undefined;
};

const maxOnStatement = 12;

/** The newest charges of the card, as the bank of its holder knows them. */
export const bankStatementOf = (orders: readonly Order[]): StatementCharge[] =>
  orders
    .filter(({ state }) => state === 'paid')
    .slice(0, maxOnStatement)
    .map(({ orderId, content, profile }) => ({
      orderId,
      descriptor: content.descriptor ?? profile.display_name ?? 'CARD PAYMENT',
      at: content.transaction_date,
      amount: content.amount,
      currency: content.currency,
      arn: content.arn,
      authCode: content.auth_code,
    }));

/** Returns the bank's question to provider_b, which asks Forewarn. `id`: of this one question. */
export const questionAbout = (charge: StatementCharge, clientId: string, view: BankView, id: number) => ({
  insightId: `bank-${charge.orderId}`,
  transactionRequestId: `bank-${id}`,
  source: sourceOf[view],
  entityInfo: { partnerId: 'sandbox-bank', clientId },
  paymentType: 'VISA',
  paymentDescriptor: charge.descriptor,
  transactionDate: charge.at,
  transactionAmount: { amount: charge.amount, currency: charge.currency },
  cardBin: demoCard.first6,
  cardLast4: demoCard.last4,
  arn: charge.arn,
  authCode: charge.authCode,
  ...(view === 'evidence' && { disputeReasonCode: '10.4' }),
});

/** The case that provider_b opens for a charge that the cardholder does not recognise: the same each time, as it is one dispute. `at`: ISO. */
export const caseAbout = (charge: StatementCharge, at: string) => ({
  caseId: `bank-${charge.orderId}`,
  caseType: 'DISPUTE',
  status: 'NEW',
  caseDate: at,
  paymentType: 'VISA',
  accountNumber: `${demoCard.first6}xxxxxx${demoCard.last4}`,
  arn: charge.arn,
  authorizationCode: charge.authCode,
  transactionDate: charge.at,
  transactionAmount: charge.amount,
  transactionCurrency: charge.currency,
  caseAmount: charge.amount,
  caseCurrency: charge.currency,
  reasonCode: '10.4',
  reasonText: 'Other fraud, card absent',
  descriptor: charge.descriptor,
  issuerName: 'Sandbox Bank',
  age: '0',
  tier: '1',
});
