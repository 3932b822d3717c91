import * as v from 'valibot';
import { Nested, Text } from '#core/kernel/schema/schema.ts';
import { Arn, CardBin, CardLast4, orAbsent } from '#disputes/providers/fields.ts';
import { AskedDate } from './asked-date.ts';
import type { Audience } from './audience.ts';
import type { LookupRequest } from './lookup.ts';

/**
 * How provider_b asks for an order: the shape of Verifi Order Insight, as far as its partners' public pages show it
 * (docs.payshield.ai, altopay.com).
 */

export const providerBSources = ['OIM', 'OIP', 'OID'] as const;

const Amount = v.union([v.string(), v.number()], 'must be a decimal as text, such as "10.50"');

/** The provider's partner and client numbers come as text or as numbers. */
const AsText = (longest: number) =>
  v.pipe(v.union([v.string(), v.number()], 'must be text'), v.transform(String), Text(longest));

export const ProviderBQuestion = v.object({
  insightId: Text(36),
  entityInfo: Nested({ partnerId: AsText(100), clientId: AsText(100) }),
  source: v.picklist(providerBSources, `must be one of ${providerBSources.join(', ')}`),
  paymentType: Text(20),
  paymentDescriptor: Text(50),
  transactionDate: AskedDate,
  transactionAmount: Nested({
    amount: v.pipe(Amount, v.transform(String), v.maxLength(32, 'is too long')),
    currency: v.pipe(Text(3), v.toUpperCase()),
  }),
  transactionRequestId: Text(36),
  cardBin: orAbsent(CardBin),
  cardLast4: orAbsent(CardLast4),
  arn: orAbsent(Arn),
  authCode: orAbsent(Text(6)),
  networkTransactionId: orAbsent(Text(30)),
  disputeReasonCode: orAbsent(Text(20)),
  disputeDate: orAbsent(AskedDate),
});
type Question = v.InferOutput<typeof ProviderBQuestion>;

const audienceOf = { OIM: 'cardholder', OIP: 'agent', OID: 'evidence' } as const satisfies Readonly<
  Record<Question['source'], Audience>
>;

/** Evidence is for disputes with this reason: fraud, card absent. Before a dispute there is no reason yet. */
const ce3Reason = '10.4';

/** What is asked, in the shape of all providers. */
export const lookupOfProviderB = (question: Question): LookupRequest => {
  const { cardBin: bin, cardLast4: last, transactionAmount, disputeReasonCode: reason = ce3Reason } = question;
  const isVisa = question.paymentType.toUpperCase().startsWith('VISA');
  return {
    provider: 'provider_b',
    requestId: `${question.transactionRequestId}#${question.insightId}`,
    channel: question.source,
    audience: audienceOf[question.source],
    clientId: question.entityInfo.clientId,
    descriptor: null,
    card: bin !== undefined && last !== undefined ? { first6: bin.slice(0, 6), last4: last.slice(-4) } : null,
    asked: {
      arn: question.arn,
      networkTransactionId: question.networkTransactionId,
      authCode: question.authCode,
      amount: transactionAmount.amount,
      currency: transactionAmount.currency,
      date: question.transactionDate,
      descriptor: question.paymentDescriptor,
    },
    wantsCe3: question.source === 'OID' && isVisa && reason === ce3Reason,
  };
};
