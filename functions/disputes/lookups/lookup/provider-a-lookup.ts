import * as v from 'valibot';
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
  paymentType: v.pipe(orAbsent(MaskedLine(8)), v.description('The card’s scheme, as the provider names it.')),
  transactionIdentifierType: v.pipe(orAbsent(MaskedLine(20)), v.description('What kind of identifier it is.')),
  transactionIdentifierValue: v.pipe(orAbsent(MaskedLine(30)), v.description('The identifier.')),
  acquirerReferenceNumber: v.pipe(orAbsent(Arn), v.description('The acquirer reference number.')),
  transactionDateTime: v.pipe(orAbsent(AskedDate), v.description('When it was paid.')),
  cardFirstSix: v.pipe(orAbsent(CardBin), v.description('The first six digits of the card.')),
  cardLastFour: v.pipe(orAbsent(CardLast4), v.description('The last four digits of the card.')),
  issuerAuthorizationCode: v.pipe(orAbsent(MaskedLine(6)), v.description('The authorisation code.')),
  transactionAmount: v.pipe(orAbsent(MaskedLine(32)), v.description('The transaction’s amount.')),
  transactionCurrencyCode: v.pipe(orAbsent(MaskedLine(3)), v.description('The currency.')),
  merchantId: v.pipe(orAbsent(MaskedLine(100)), v.description('How the provider names the merchant.')),
  cardAcceptorId: v.pipe(orAbsent(MaskedLine(15)), v.description('The card acceptor ID.')),
  cardAcceptorName: v.pipe(orAbsent(MaskedLine(50)), v.description('The descriptor.')),
});

const hasEnds = ({ cardFirstSix, cardLastFour }: v.InferOutput<typeof SearchCriteria>): boolean =>
  cardFirstSix !== undefined && cardLastFour !== undefined;

export const ProviderAQuestion = v.object({
  requestReference: v.pipe(
    Nested({
      originatorChannel: v.pipe(orAbsent(MaskedLine(20)), v.description('Who looks: the bank’s staff or its app.')),
      correlationId: v.pipe(MaskedLine(201), v.description('The provider’s number of the conversation.')),
      originatorDescription: v.pipe(orAbsent(MaskedLine(100)), v.description('The bank.')),
      locale: v.pipe(orAbsent(MaskedLine(10)), v.description('The preferred language.')),
    }),
    v.description('The provider’s number of the request.'),
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
