import * as v from 'valibot';
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
      event: v.pipe(v.literal('DECISION'), v.description('DECISION, or DELETE when the network withdraws one.')),
      decisionId: v.pipe(CaseName, v.description('The network’s identifier of its decision.')),
      decision: v.pipe(
        v.picklist(['ACCEPTED', 'DECLINED'], 'must be ACCEPTED or DECLINED'),
        v.description('What the network decided.'),
      ),
      declineCode: v.pipe(Informing(Cosmetic(50)), v.description('Why the network declined.')),
      caseDate: v.pipe(Informing(LenientTime), v.description('When the case was made.')),
      eventSequence: EventSequence,
      paymentDescriptor: v.pipe(Informing(Cosmetic(200)), v.description('The descriptor, as the provider has it.')),
      acquirerBin: v.pipe(Informing(AcquirerBin), v.description('The acquirer’s BIN.')),
      cardAcceptorId: v.pipe(Informing(Cosmetic(50)), v.description('The card acceptor ID.')),
      transactionId: v.pipe(
        Informing(Cosmetic(100)),
        v.description('The transaction’s identifier, as the provider has it.'),
      ),
      cardBin: LenientBin,
      cardLast4: LenientLast4,
      authCode: v.pipe(Informing(Cosmetic(20)), v.description('The authorisation code of the transaction.')),
      transactionDate: TransactionTime,
      arn: ArnField,
      mcc: v.pipe(Informing(Cosmetic(4)), v.description('The merchant category code (ISO 18245), four digits.')),
      reasonCode: ReasonCodeField,
      transactionAmount: v.pipe(LenientAmount, v.description('The transaction’s amount.')),
      transactionCurrency: v.pipe(LenientCurrency, v.description('The transaction’s currency.')),
      caseAmount: v.pipe(orAbsent(LenientAmount), v.description('The disputed amount.')),
      caseCurrency: v.pipe(orAbsent(LenientCurrency), v.description('The currency of the disputed amount.')),
    }),
    ['transactionAmount', 'transactionCurrency'],
    ['caseAmount', 'caseCurrency'],
  );
/** Of a withdrawn decision, only its name and its place among the messages matter. */
const deletion = () =>
  v.object({
    event: v.pipe(v.literal('DELETE'), v.description('DECISION, or DELETE when the network withdraws one.')),
    decisionId: v.pipe(CaseName, v.description('The network’s identifier of its decision.')),
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
