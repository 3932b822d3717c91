import { randomInt, randomUUID } from 'node:crypto';
import { formatAmount } from '#core/kernel/money/money.ts';
import { sandboxCandidate, sandboxReferences, untouched } from '#payments/processors/sandbox/sandbox-charges.ts';

/** The kinds of alerts that a network sends, each with its provider and that provider's word for it. */
const kinds = {
  FRAUD: ['provider_a', 'CONFIRMED_FRAUD'],
  DISPUTE: ['provider_a', 'CUSTOMER_DISPUTE'],
  FRAUD_NOTICE: ['provider_a', 'FRAUD_NOTICE'],
  CANCEL: ['provider_b', 'CANCEL'],
  DISPUTE_NOTICE: ['provider_b', 'DISPUTE_NOTICE'],
  DISPUTE_RDR: ['rdr', 'ACCEPTED'],
} as const;
export type NetworkKind = keyof typeof kinds;

const card = { first6: '411111', last4: '1111' };

/** Yesterday's sample charge of the sandbox with an amount, which a connection to the sandbox then finds; undefined if it has none. */
const sampleCharge = (amount: string, now: number) => {
  const day = new Date(now - 86_400_000).toISOString();
  const disputed = { ...card, arn: '', authCode: '', descriptor: '', day, money: null };
  return sandboxReferences(disputed, now)
    .flatMap((reference) => sandboxCandidate(reference, untouched, now) ?? [])
    .find(({ money, date }) => formatAmount(money) === amount && date.slice(0, 10) === day.slice(0, 10));
};

/** Builds the message with which a network reports a transaction at the demo site. `now`: milliseconds. */
export const networkMessage = (kind: NetworkKind, amount: string, descriptor: string, now: number) => {
  const [provider, word] = kinds[kind];
  const value = Number(amount).toFixed(2);
  const charge = sampleCharge(value, now);
  const at = new Date(now).toISOString();
  const made = charge?.date ?? new Date(now - 86_400_000).toISOString();
  const authCode = charge?.authCode ?? String(randomInt(100_000, 1_000_000));
  const caseId = randomUUID().replaceAll('-', '').slice(0, 25).toUpperCase();
  const ends = { cardBin: card.first6, cardLast4: card.last4, authCode };
  const money = { transactionAmount: value, transactionCurrency: 'USD', caseAmount: value, caseCurrency: 'USD' };
  const messages = {
    provider_a: {
      ...{
        alertId: caseId,
        type: word,
        alertTimestamp: at,
        transactionTimestamp: made,
        merchantDescriptor: descriptor,
      },
      ...{ ...ends, amount: { value, currencyCode: 'USD' }, issuer: 'First Bank', mcc: '5732' },
    },
    provider_b: {
      ...{ caseId, caseType: word, status: 'NEW', caseDate: at, transactionDate: made, descriptor, ...money },
      ...{ accountNumber: `${card.first6}xxxxxx${card.last4}`, authorizationCode: authCode, issuerName: 'First Bank' },
    },
    // The numbers of the shop that the demo site has enrolled.
    rdr: {
      ...{
        event: 'DECISION',
        decisionId: caseId,
        decision: word,
        caseDate: at,
        transactionDate: made,
        ...ends,
        ...money,
      },
      ...{ paymentDescriptor: descriptor, acquirerBin: '423223', cardAcceptorId: '1231231', mcc: '4899' },
    },
  };
  return { provider, message: messages[provider] };
};
