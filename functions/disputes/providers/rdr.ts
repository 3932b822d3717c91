import * as v from 'valibot';
import { parse } from '#core/platform/http/parse.ts';
import { orAbsent, withAmounts } from './fields.ts';
import {
  asSentOf,
  CaseName,
  Cosmetic,
  LenientAmount,
  LenientArn,
  LenientBin,
  LenientCurrency,
  LenientLast4,
  LenientTime,
} from './lenient.ts';
import { defineProvider } from './provider.ts';
import {
  blankProviderAlert,
  type MessageOf,
  maskedCard,
  type ProviderAlertOf,
  withoutCardNumbers,
} from './provider-alert.ts';

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
      event: v.literal('DECISION'),
      decisionId: CaseName,
      decision: v.picklist(['ACCEPTED', 'DECLINED'], 'must be ACCEPTED or DECLINED'),
      declineCode: orAbsent(Cosmetic(50)),
      caseDate: orAbsent(LenientTime),
      paymentDescriptor: orAbsent(Cosmetic(200)),
      acquirerBin: orAbsent(v.pipe(v.string('must be digits'), v.regex(/^\d{6,11}$/, 'must be 6 to 11 digits'))),
      cardAcceptorId: orAbsent(Cosmetic(50)),
      transactionId: orAbsent(Cosmetic(100)),
      cardBin: LenientBin,
      cardLast4: LenientLast4,
      authCode: orAbsent(Cosmetic(20)),
      transactionDate: LenientTime,
      arn: orAbsent(LenientArn),
      mcc: orAbsent(Cosmetic(4)),
      reasonCode: orAbsent(Cosmetic(20)),
      transactionAmount: LenientAmount,
      transactionCurrency: LenientCurrency,
      caseAmount: orAbsent(LenientAmount),
      caseCurrency: orAbsent(LenientCurrency),
    }),
    ['transactionAmount', 'transactionCurrency'],
    ['caseAmount', 'caseCurrency'],
  );
/** Of a withdrawn decision only its name matters. */
const deletion = () => v.object({ event: v.literal('DELETE'), decisionId: CaseName });

/** A refund that the network decided on, or the end of it. */
export const rdrBody = () => v.variant('event', [decision(), deletion()], 'must be DECISION or DELETE');

/** What a decision says, in the shape of all providers. */
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
    card: maskedCard(body.cardBin, body.cardLast4),
    transactionAt: body.transactionDate,
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
  });

/** Throws request_invalid. */
export const readRdr = (sent: unknown): MessageOf<typeof rdr.name> => {
  const body = parse(rdrBody(), sent);
  return body.event === 'DELETE' ? { withdrawn: body.decisionId } : { alert: rdrToAlert(body, asSentOf(sent, body)) };
};
