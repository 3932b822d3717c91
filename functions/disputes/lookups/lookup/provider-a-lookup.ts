import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { MaskedLine } from '#core/kernel/schema/text.ts';
import { Arn, CardBin, CardLast4, orAbsent } from '#disputes/providers/provider-fields.ts';
import { AskedDate } from './asked-date.ts';
import type { Audience } from './audience.ts';
import type { LookupRequest } from './lookup.ts';

/**
 * The question of provider_a: the shape of Ethoca Consumer Clarity for Merchant Transactions 4.2.0, whose OpenAPI document is public
 * (developer.mastercard.com/ethoca-consumer-clarity-for-merchants).
 */

const SearchCriteria = Nested({
  paymentType: describeField(orAbsent(MaskedLine(8)), 'The card’s scheme, as the provider names it.'),
  transactionIdentifierType: describeField(orAbsent(MaskedLine(20)), 'What kind of identifier it is.'),
  transactionIdentifierValue: describeField(orAbsent(MaskedLine(30)), 'The identifier.'),
  acquirerReferenceNumber: describeField(orAbsent(Arn), 'The acquirer reference number.'),
  transactionDateTime: describeField(orAbsent(AskedDate), 'When it was paid.'),
  cardFirstSix: describeField(orAbsent(CardBin), 'The first six digits of the card.'),
  cardLastFour: describeField(orAbsent(CardLast4), 'The last four digits of the card.'),
  issuerAuthorizationCode: describeField(orAbsent(MaskedLine(6)), 'The authorisation code.'),
  transactionAmount: describeField(orAbsent(MaskedLine(32)), 'The transaction’s amount.'),
  transactionCurrencyCode: describeField(orAbsent(MaskedLine(3)), 'The currency.'),
  merchantId: describeField(orAbsent(MaskedLine(100)), 'How the provider names the merchant.'),
  cardAcceptorId: describeField(orAbsent(MaskedLine(15)), 'The card acceptor ID.'),
  cardAcceptorName: describeField(orAbsent(MaskedLine(50)), 'The descriptor.'),
});

const hasEnds = ({ cardFirstSix, cardLastFour }: v.InferOutput<typeof SearchCriteria>): boolean =>
  cardFirstSix !== undefined && cardLastFour !== undefined;

export const ProviderAQuestion = v.object({
  requestReference: describeField(
    Nested({
      originatorChannel: describeField(orAbsent(MaskedLine(20)), 'Who looks: the bank’s staff or its app.'),
      correlationId: describeField(MaskedLine(201), 'The provider’s number of the conversation.'),
      originatorDescription: describeField(orAbsent(MaskedLine(100)), 'The bank.'),
      locale: describeField(orAbsent(MaskedLine(10)), 'The preferred language.'),
    }),
    'Who asks, by the provider’s references.',
  ),
  searchCriteria: v.pipe(
    SearchCriteria,
    v.check(
      (criteria) => hasEnds(criteria) || criteria.acquirerReferenceNumber !== undefined,
      'needs cardFirstSix and cardLastFour, or acquirerReferenceNumber',
    ),
    v.description('What the order is found by.'),
  ),
});
type Question = v.InferOutput<typeof ProviderAQuestion>;

const audienceOf: Readonly<Record<string, Audience>> = {
  DIGITAL: 'cardholder',
  CALL_CENTRE: 'agent',
  FIRST_PARTY_TRUST: 'evidence',
};

/** Returns the question in the shape of all providers. A channel that is not known sees the least. */
export const lookupOfProviderA = ({ requestReference, searchCriteria: criteria }: Question): LookupRequest => {
  const { cardFirstSix: first, cardLastFour: last } = criteria;
  const channel = requestReference.originatorChannel ?? 'DIGITAL';
  return {
    provider: 'provider_a',
    requestId: requestReference.correlationId,
    channel,
    audience: (Object.hasOwn(audienceOf, channel) && audienceOf[channel]) || 'cardholder',
    clientId: criteria.merchantId ?? null,
    descriptor: criteria.cardAcceptorName ?? null,
    card: first !== undefined && last !== undefined ? { first6: first.slice(0, 6), last4: last.slice(-4) } : null,
    asked: {
      arn: criteria.acquirerReferenceNumber,
      networkTransactionId: criteria.transactionIdentifierValue,
      authCode: criteria.issuerAuthorizationCode,
      amount: criteria.transactionAmount,
      currency: criteria.transactionCurrencyCode?.toUpperCase(),
      date: criteria.transactionDateTime,
      descriptor: criteria.cardAcceptorName,
      caid: criteria.cardAcceptorId,
    },
    wantsCe3: false,
  };
};
