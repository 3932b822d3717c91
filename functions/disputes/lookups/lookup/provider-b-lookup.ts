import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { AsText, CardMasked, MaskedLine } from '#core/kernel/schema/text.ts';
import { Arn, CardBin, CardLast4, orAbsent } from '#disputes/providers/provider-fields.ts';
import { AskedDate } from './asked-date.ts';
import type { Audience } from './audience.ts';
import type { LookupRequest } from './lookup.ts';

/**
 * The question of provider_b: the shape of Verifi Order Insight, as far as its partners' public pages show it (docs.payshield.ai,
 * altopay.com).
 */

const providerBSources = ['OIM', 'OIP', 'OID'] as const;

const Amount = v.union([v.string(), v.number()], 'must be a decimal as text, such as "10.50"');

/** The provider's partner and client numbers come as text or as numbers. */
const TextOrNumberLine = (longest: number) => v.pipe(AsText, MaskedLine(longest));

export const ProviderBQuestion = v.object({
  insightId: describeField(MaskedLine(36), 'The provider’s number of the look-up.'),
  entityInfo: describeField(
    Nested({
      partnerId: describeField(TextOrNumberLine(100), 'The provider’s partner.'),
      clientId: describeField(TextOrNumberLine(100), 'How the provider names the merchant.'),
    }),
    'Who asks, and about whom.',
  ),
  source: describeField(
    v.picklist(providerBSources, `must be one of ${providerBSources.join(', ')}`),
    'The channel in which the provider shows the answer.',
  ),
  paymentType: describeField(MaskedLine(20), 'The card’s scheme, as the provider names it.'),
  paymentDescriptor: describeField(MaskedLine(50), 'The descriptor, as the provider has it.'),
  transactionDate: describeField(AskedDate, 'When the transaction was made.'),
  transactionAmount: describeField(
    Nested({
      amount: v.pipe(
        Amount,
        v.transform(String),
        v.maxLength(32, 'is too long'),
        CardMasked,
        v.description('A decimal with as many places as the currency has.'),
      ),
      currency: v.pipe(MaskedLine(3), v.toUpperCase(), v.description('ISO 4217, three letters.')),
    }),
    'The transaction’s amount and its currency.',
  ),
  transactionRequestId: describeField(MaskedLine(36), 'The provider’s number of the request.'),
  cardBin: describeField(orAbsent(CardBin), 'The first six or eight digits of the card number.'),
  cardLast4: describeField(orAbsent(CardLast4), 'The last four digits of the card number.'),
  arn: describeField(orAbsent(Arn), 'The acquirer reference number, 23 digits.'),
  authCode: describeField(orAbsent(MaskedLine(6)), 'The authorisation code of the transaction.'),
  networkTransactionId: describeField(orAbsent(MaskedLine(30)), 'The network’s identifier of the transaction.'),
  disputeReasonCode: describeField(orAbsent(MaskedLine(20)), 'The scheme’s reason code.'),
  disputeDate: describeField(orAbsent(AskedDate), 'When it was disputed.'),
});
type Question = v.InferOutput<typeof ProviderBQuestion>;

const audienceOf = { OIM: 'cardholder', OIP: 'agent', OID: 'evidence' } as const satisfies Readonly<
  Record<Question['source'], Audience>
>;

/** Evidence is for disputes with this reason: fraud, card absent. Before a dispute there is no reason yet. */
const ce3Reason = '10.4';

/** Returns the question in the shape of all providers. */
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
