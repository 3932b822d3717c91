import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { Nested } from '#core/kernel/schema/schema.ts';
import { parse } from '#core/platform/http/parse.ts';
import { ArnField, ReasonCodeField, TransactionTime } from './field-schemas.ts';
import {
  asSentOf,
  CaseName,
  Cosmetic,
  EventSequence,
  Informing,
  LenientAmount,
  LenientBin,
  LenientCurrency,
  LenientLast4,
  Needed,
} from './lenient.ts';
import { defineProvider } from './provider.ts';
import { isEthocaAlert, neutralOfEthoca } from './provider-a-ethoca.ts';
import {
  blankProviderAlert,
  type MessageOf,
  maskedCard,
  type ProviderAlertOf,
  withoutCardNumbers,
} from './provider-alert.ts';
import { withAmounts } from './provider-fields.ts';
import { anyResult, type DisputeReason, reason, refundedOrNot } from './reasons.ts';

/** Section 7 of the service's interface, with the later reasons 953 to 999. */
const reasons: readonly DisputeReason[] = [
  reason('100', 'RESOLVED', ['001', '003'], 'the alert allowed fraud to be stopped'),
  reason('101', 'RESOLVED', anyResult, 'resolved with partial refund'),
  reason('102', 'RESOLVED', ['003'], 'the transaction failed authorization'),
  reason('103', 'RESOLVED', anyResult, 'account suspended from future orders'),
  reason('900', 'DECLINED', ['002'], 'not refunded for other reasons'),
  reason('901', 'DECLINED', ['002'], 'the descriptor does not belong to the merchant'),
  reason('902', 'DECLINED', ['002'], 'the transaction could not be found'),
  reason('940', 'DECLINED', anyResult, 'duplicate alert'),
  reason('950', 'DECLINED', ['002'], 'unable to process the refund'),
  reason('951', 'RESOLVED', ['001', '003'], 'refunded or cancelled before the alert'),
  reason('952', 'DECLINED', refundedOrNot, 'the transaction previously received a chargeback'),
  reason('953', 'DECLINED', refundedOrNot, 'older than 120 days'),
  reason('954', 'DECLINED', refundedOrNot, 'authenticated by 3DS'),
  reason('956', 'DECLINED', anyResult, 'fulfilment cannot be stopped'),
  // The interface has it as RESOLVED; the network counts it as in transit, and the issuer receives only a final outcome. See docs/ethoca.md.
  reason('998', 'WIP', anyResult, 'shipper contacted'),
  reason('999', 'WIP', ['002'], 'in progress'),
];

export const providerA = defineProvider({
  name: 'provider_a',
  secret: 'provider-a',
  enrolledBy: 'descriptor',
  reasons,
  reasonsSince: '2024-06-18',
  codesWithAmount: ['101.001'],
  // "Respond to the alert within 24 hours with a final state outcome", for fraud and disputes: the document that docs/ethoca.md names (2026-11-28).
  answerHours: 24,
  ruleable: true,
  outcomes: {
    letter: 'a',
    secret: 'outcome-provider-a',
    connection: '{"base_url","consumer_key","private_key"}',
  },
});

const typeOf = { CONFIRMED_FRAUD: 'FRAUD', CUSTOMER_DISPUTE: 'DISPUTE', FRAUD_NOTICE: 'FRAUD_NOTICE' } as const;

/** The schema of a fraud or dispute alert of one card network. Of a card, only the first six and last four digits are read. */
export const providerABody = () =>
  v.object({
    alertId: describeField(CaseName, 'The provider’s identifier of the alert, 25 characters.'),
    type: describeField(
      v.picklist(
        ['CONFIRMED_FRAUD', 'CUSTOMER_DISPUTE', 'FRAUD_NOTICE'],
        'must be CONFIRMED_FRAUD, CUSTOMER_DISPUTE or FRAUD_NOTICE',
      ),
      'The type of alert.',
    ),
    alertTimestamp: describeField(Informing(LenientTime), 'When the provider made it.'),
    eventSequence: EventSequence,
    age: describeField(Informing(Cosmetic(20)), 'The alert’s age in hours.'),
    issuer: describeField(Informing(Cosmetic(200)), 'The card’s issuer.'),
    cardBin: LenientBin,
    cardLast4: LenientLast4,
    arn: ArnField,
    transactionTimestamp: TransactionTime,
    merchantDescriptor: describeField(Needed(200), 'The descriptor on the statement.'),
    mcc: describeField(Informing(Cosmetic(4)), 'The merchant category code (ISO 18245), four digits.'),
    amount: describeField(
      withAmounts(
        Nested(
          {
            value: describeField(LenientAmount, 'The amount; a decimal.'),
            currencyCode: describeField(LenientCurrency, 'ISO 4217, three letters.'),
          },
          'must be an object with value and currencyCode',
        ),
        ['value', 'currencyCode'],
      ),
      'The transaction’s amount and its currency.',
    ),
    authCode: describeField(Informing(Cosmetic(20)), 'The authorisation code of the transaction.'),
    transactionId: describeField(Informing(Cosmetic(100)), 'The transaction’s identifier, as the provider has it.'),
    reasonCode: ReasonCodeField,
  });

/** Returns an alert in the shape of all providers. */
export const providerAToAlert = (
  body: v.InferOutput<ReturnType<typeof providerABody>>,
  asSent?: Record<string, string>,
): ProviderAlertOf<typeof providerA.name> =>
  withoutCardNumbers({
    ...blankProviderAlert,
    ...(asSent && { asSent }),
    provider: providerA.name,
    caseId: body.alertId,
    type: typeOf[body.type],
    card: maskedCard(body.cardBin ?? '', body.cardLast4 ?? ''),
    transactionAt: body.transactionTimestamp ?? '',
    descriptor: body.merchantDescriptor,
    amount: body.amount.value,
    currency: body.amount.currencyCode,
    arn: body.arn ?? '',
    authCode: body.authCode ?? '',
    conditionCode: body.reasonCode ?? '',
    issuerName: body.issuer ?? '',
    age: body.age ?? '',
    transactionId: body.transactionId ?? '',
    mcc: body.mcc ?? '',
    providerDate: body.alertTimestamp ?? '',
    ...(body.eventSequence !== undefined && { sequence: body.eventSequence }),
  });

/** Reads a message in the neutral shape or in Ethoca's, however it arrived. Throws request_invalid. */
export const readProviderA = (sent: unknown): MessageOf<typeof providerA.name> => {
  const message = isEthocaAlert(sent) ? neutralOfEthoca(sent) : sent;
  const body = parse(providerABody(), message);
  return { alert: providerAToAlert(body, asSentOf(message, body)) };
};
