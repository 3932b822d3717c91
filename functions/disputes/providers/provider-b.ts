import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { parse } from '#core/platform/http/parse.ts';
import { ArnField, ReasonCodeField, TransactionTime } from './field-schemas.ts';
import {
  asSentOf,
  CaseName,
  Cosmetic,
  completeDisputed,
  EventSequence,
  Informing,
  LenientAmount,
  LenientCard,
  LenientCurrency,
  Needed,
  WithdrawalDate,
} from './lenient.ts';
import { defineProvider } from './provider.ts';
import {
  blankProviderAlert,
  type MessageOf,
  type ProviderAlertOf,
  withdrawnCase,
  withoutCardNumbers,
} from './provider-alert.ts';
import { orAbsent, withAmounts } from './provider-fields.ts';
import { anyResult, type DisputeReason, reason, refundedOrNot } from './reasons.ts';

/** The reasons of its case system. */
const reasons: readonly DisputeReason[] = [
  reason('100', 'RESOLVED', ['001'], 'the alert allowed fraud to be stopped'),
  reason('101', 'RESOLVED', ['001'], 'resolved with partial refund'),
  reason('102', 'RESOLVED', ['003'], 'the transaction failed authorization'),
  reason('900', 'DECLINED', ['002'], 'not refunded for other reasons'),
  reason('901', 'DECLINED', ['002'], 'the descriptor does not belong to the merchant'),
  reason('902', 'DECLINED', ['002'], 'the transaction could not be found'),
  reason('940', 'DECLINED', anyResult, 'duplicate alert'),
  reason('950', 'DECLINED', ['002'], 'unable to process the refund'),
  reason('951', 'RESOLVED', ['001', '003'], 'refunded or cancelled before the alert'),
  reason('952', 'DECLINED', refundedOrNot, 'the transaction previously received a chargeback'),
  reason('953', 'DECLINED', refundedOrNot, 'older than 120 days'),
  reason('954', 'DECLINED', refundedOrNot, 'authenticated by 3DS'),
  reason('956', 'DECLINED', refundedOrNot, 'fulfilment cannot be stopped'),
  reason('957', 'DECLINED', ['002'], 'disagree, proceed to chargeback'),
  reason('999', 'WIP', ['002'], 'in progress'),
];

export const providerB = defineProvider({
  name: 'provider_b',
  secret: 'provider-b',
  enrolledBy: 'descriptor',
  revises: true,
  withdraws: true,
  reasons,
  codesWithAmount: ['101.'],
  // CDRN: https://www.chargebackstop.com (2026-11-28).
  answerHours: 72,
  ruleable: true,
  outcomes: {
    letter: 'b',
    secret: 'outcome-provider-b',
    connection: '{"base_url","username","password","secret"}',
  },
});

const caseFields = () => ({
  caseType: describeField(
    v.picklist(
      ['DISPUTE', 'CANCEL', 'DISPUTE_NOTICE', 'FRAUD_NOTICE'],
      'must be DISPUTE, CANCEL, DISPUTE_NOTICE or FRAUD_NOTICE',
    ),
    'The type of case.',
  ),
  caseDate: describeField(Informing(LenientTime), 'When the case was made.'),
  eventSequence: EventSequence,
  paymentType: describeField(Informing(Cosmetic(50)), 'The card’s scheme, as the provider names it.'),
  accountNumber: LenientCard,
  arn: ArnField,
  transactionDate: TransactionTime,
  transactionAmount: describeField(LenientAmount, 'The transaction’s amount.'),
  transactionCurrency: describeField(LenientCurrency, 'The transaction’s currency.'),
  caseAmount: describeField(orAbsent(LenientAmount), 'The disputed amount.'),
  caseCurrency: describeField(orAbsent(LenientCurrency), 'The currency of the disputed amount.'),
  authorizationCode: describeField(Informing(Cosmetic(20)), 'The authorisation code.'),
  reasonCode: ReasonCodeField,
  reasonText: describeField(Informing(Cosmetic(500)), 'Why the cardholder disputes, in words.'),
  descriptor: describeField(Needed(200), 'As it appears on the cardholder’s statement.'),
  issuerName: describeField(Informing(Cosmetic(200)), 'The card’s issuer.'),
  age: describeField(Informing(Cosmetic(20)), 'The alert’s age in hours.'),
  tier: describeField(Informing(Cosmetic(20)), 'The tier by which the provider bills.'),
});

const newCase = () =>
  withAmounts(
    v.object({
      status: describeField(v.literal('NEW'), 'NEW; REVOKED when the provider withdraws the case.'),
      caseId: describeField(CaseName, 'The provider’s identifier of the case.'),
      ...caseFields(),
    }),
    ['transactionAmount', 'transactionCurrency'],
    ['caseAmount', 'caseCurrency'],
  );
/** Of a withdrawn case, only its name and its place among the messages matter. */
const revokedCase = () =>
  v.object({
    status: describeField(v.literal('REVOKED'), 'NEW; REVOKED when the provider withdraws the case.'),
    caseId: describeField(CaseName, 'The provider’s identifier of the case.'),
    caseDate: WithdrawalDate,
    eventSequence: EventSequence,
  });

/** A case of the other network's case system, new or withdrawn. */
export const providerBBody = () => v.variant('status', [newCase(), revokedCase()], 'must be NEW or REVOKED');

/** Returns a new case in the shape of all providers. */
export const providerBToAlert = (
  body: v.InferOutput<ReturnType<typeof newCase>>,
  asSent?: Record<string, string>,
): ProviderAlertOf<typeof providerB.name> =>
  withoutCardNumbers({
    ...blankProviderAlert,
    ...(asSent && { asSent }),
    provider: providerB.name,
    caseId: body.caseId,
    type: body.caseType,
    card: body.accountNumber ?? '',
    transactionAt: body.transactionDate ?? '',
    descriptor: body.descriptor,
    amount: body.transactionAmount,
    currency: body.transactionCurrency,
    arn: body.arn ?? '',
    authCode: body.authorizationCode ?? '',
    conditionCode: body.reasonCode ?? '',
    conditionReason: body.reasonText ?? '',
    issuerName: body.issuerName ?? '',
    age: body.age ?? '',
    disputeAmount: body.caseAmount ?? '',
    disputeCurrency: body.caseCurrency ?? '',
    tier: body.tier ?? '',
    providerDate: body.caseDate ?? '',
    ...(body.eventSequence !== undefined && { sequence: body.eventSequence }),
  });

/** Throws request_invalid. */
export const readProviderB = (sent: unknown): MessageOf<typeof providerB.name> => {
  const body = parse(providerBBody(), completeDisputed(sent));
  return body.status === 'REVOKED'
    ? { withdrawn: withdrawnCase(body.caseId, body.caseDate, body.eventSequence) }
    : { alert: providerBToAlert(body, asSentOf(sent, body)) };
};
