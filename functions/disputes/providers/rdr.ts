import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { parse } from '#core/platform/http/parse.ts';
import { ArnField, ReasonCodeField, TransactionTime } from './field-schemas.ts';
import {
  AcquirerBin,
  asSentOf,
  CaseName,
  Cosmetic,
  completeDisputed,
  EventSequence,
  Informing,
  LenientAmount,
  LenientBin,
  LenientCurrency,
  LenientLast4,
  WithdrawalDate,
} from './lenient.ts';
import { defineProvider } from './provider.ts';
import {
  blankProviderAlert,
  type MessageOf,
  maskedCard,
  type ProviderAlertOf,
  withdrawnCase,
  withoutCardNumbers,
} from './provider-alert.ts';
import { orAbsent, withAmounts } from './provider-fields.ts';

/** The network decides by itself, and says what it did. */
export const rdr = defineProvider({
  name: 'rdr',
  secret: 'rdr',
  enrolledBy: 'network',
  withdraws: true,
  reasons: [],
  codesWithAmount: [],
  ruleable: false,
  outcomes: null,
});

const decision = () =>
  withAmounts(
    v.object({
      event: describeField(v.literal('DECISION'), 'DECISION, or DELETE when the network withdraws one.'),
      decisionId: describeField(CaseName, 'The network’s identifier of its decision.'),
      decision: describeField(
        v.picklist(['ACCEPTED', 'DECLINED'], 'must be ACCEPTED or DECLINED'),
        'What the network decided.',
      ),
      declineCode: describeField(Informing(Cosmetic(50)), 'Why the network declined.'),
      caseDate: describeField(Informing(LenientTime), 'When the case was made.'),
      eventSequence: EventSequence,
      paymentDescriptor: describeField(Informing(Cosmetic(200)), 'The descriptor, as the provider has it.'),
      acquirerBin: describeField(Informing(AcquirerBin), 'The acquirer’s BIN.'),
      cardAcceptorId: describeField(Informing(Cosmetic(50)), 'The card acceptor ID.'),
      transactionId: describeField(Informing(Cosmetic(100)), 'The transaction’s identifier, as the provider has it.'),
      cardBin: LenientBin,
      cardLast4: LenientLast4,
      authCode: describeField(Informing(Cosmetic(20)), 'The authorisation code of the transaction.'),
      transactionDate: TransactionTime,
      arn: ArnField,
      mcc: describeField(Informing(Cosmetic(4)), 'The merchant category code (ISO 18245), four digits.'),
      reasonCode: ReasonCodeField,
      transactionAmount: describeField(LenientAmount, 'The transaction’s amount.'),
      transactionCurrency: describeField(LenientCurrency, 'The transaction’s currency.'),
      caseAmount: describeField(orAbsent(LenientAmount), 'The disputed amount.'),
      caseCurrency: describeField(orAbsent(LenientCurrency), 'The currency of the disputed amount.'),
    }),
    ['transactionAmount', 'transactionCurrency'],
    ['caseAmount', 'caseCurrency'],
  );
/** Of a withdrawn decision, only its name and its place among the messages matter. */
const deletion = () =>
  v.object({
    event: describeField(v.literal('DELETE'), 'DECISION, or DELETE when the network withdraws one.'),
    decisionId: describeField(CaseName, 'The network’s identifier of its decision.'),
    caseDate: WithdrawalDate,
    eventSequence: EventSequence,
  });

/** A refund that the network decided on, or the end of it. */
export const rdrBody = () => v.variant('event', [decision(), deletion()], 'must be DECISION or DELETE');

/** Returns a decision in the shape of all providers. */
export const rdrToAlert = (
  body: v.InferOutput<ReturnType<typeof decision>>,
  asSent?: Record<string, string>,
): ProviderAlertOf<typeof rdr.name> =>
  withoutCardNumbers({
    ...blankProviderAlert,
    ...(asSent && { asSent }),
    provider: rdr.name,
    caseId: body.decisionId,
    type: 'DISPUTE_RDR',
    decision: body.decision,
    declineCode: body.decision === 'DECLINED' ? (body.declineCode ?? '') : '',
    card: maskedCard(body.cardBin ?? '', body.cardLast4 ?? ''),
    transactionAt: body.transactionDate ?? '',
    descriptor: body.paymentDescriptor ?? '',
    amount: body.transactionAmount,
    currency: body.transactionCurrency,
    arn: body.arn ?? '',
    authCode: body.authCode ?? '',
    conditionCode: body.reasonCode ?? '',
    transactionId: body.transactionId ?? '',
    disputeAmount: body.caseAmount ?? '',
    disputeCurrency: body.caseCurrency ?? '',
    bin: body.acquirerBin ?? '',
    caid: body.cardAcceptorId ?? '',
    mcc: body.mcc ?? '',
    providerDate: body.caseDate ?? '',
    ...(body.eventSequence !== undefined && { sequence: body.eventSequence }),
  });

/** Throws request_invalid. */
export const readRdr = (sent: unknown): MessageOf<typeof rdr.name> => {
  const body = parse(rdrBody(), completeDisputed(sent));
  return body.event === 'DELETE'
    ? { withdrawn: withdrawnCase(body.decisionId, body.caseDate, body.eventSequence) }
    : { alert: rdrToAlert(body, asSentOf(sent, body)) };
};
