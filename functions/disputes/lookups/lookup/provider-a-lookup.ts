import * as v from 'valibot';
import { Nested, Text } from '#core/kernel/schema/schema.ts';
import { Arn, CardBin, CardLast4, orAbsent } from '#disputes/providers/fields.ts';
import { AskedDate } from './asked-date.ts';
import type { Audience } from './audience.ts';
import type { LookupRequest } from './lookup.ts';

/**
 * How provider_a asks for an order: the shape of Ethoca Consumer Clarity for Merchant Transactions 4.2.0, whose
 * OpenAPI document is public (developer.mastercard.com/ethoca-consumer-clarity-for-merchants).
 */

const SearchCriteria = Nested({
  paymentType: orAbsent(Text(8)),
  transactionIdentifierType: orAbsent(Text(20)),
  transactionIdentifierValue: orAbsent(Text(30)),
  acquirerReferenceNumber: orAbsent(Arn),
  transactionDateTime: orAbsent(AskedDate),
  cardFirstSix: orAbsent(CardBin),
  cardLastFour: orAbsent(CardLast4),
  issuerAuthorizationCode: orAbsent(Text(6)),
  transactionAmount: orAbsent(Text(32)),
  transactionCurrencyCode: orAbsent(Text(3)),
  merchantId: orAbsent(Text(100)),
  cardAcceptorId: orAbsent(Text(15)),
  cardAcceptorName: orAbsent(Text(50)),
});

const hasEnds = ({ cardFirstSix, cardLastFour }: v.InferOutput<typeof SearchCriteria>): boolean =>
  cardFirstSix !== undefined && cardLastFour !== undefined;

export const ProviderAQuestion = v.object({
  requestReference: Nested({
    originatorChannel: orAbsent(Text(20)),
    correlationId: Text(201),
    originatorDescription: orAbsent(Text(100)),
    locale: orAbsent(Text(10)),
  }),
  searchCriteria: v.pipe(
    SearchCriteria,
    v.check(
      (criteria) => hasEnds(criteria) || criteria.acquirerReferenceNumber !== undefined,
      'needs cardFirstSix and cardLastFour, or acquirerReferenceNumber',
    ),
  ),
});
type Question = v.InferOutput<typeof ProviderAQuestion>;

const audienceOf: Readonly<Record<string, Audience>> = {
  DIGITAL: 'cardholder',
  CALL_CENTRE: 'agent',
  FIRST_PARTY_TRUST: 'evidence',
};

/** What is asked, in the shape of all providers. A channel that is not known sees the least. */
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
