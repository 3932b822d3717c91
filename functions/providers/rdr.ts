import * as v from 'valibot';
import { Text, Timestamp } from '../core/schema.ts';
import { AmountText, Arn, CardBin, CardLast4, CurrencyCode, orAbsent, withAmounts } from './fields.ts';
import { defineProvider } from './provider.ts';
import { blankProviderAlert, maskedCard, type ProviderAlertOf, withoutCardNumbers } from './provider-alert.ts';

/** The network decides by itself, and says what it did. */
export const rdr = defineProvider({
  name: 'rdr',
  secret: 'rdr',
  enrolledBy: 'network',
  reasons: [],
  codesWithAmount: [],
  ruleable: false,
  outcomes: null,
});

const decision = () =>
  v.pipe(
    v.object({
      event: v.literal('DECISION'),
      decisionId: Text(100),
      decision: v.picklist(['ACCEPTED', 'DECLINED'], 'must be ACCEPTED or DECLINED'),
      declineCode: orAbsent(Text(50)),
      caseDate: orAbsent(Timestamp),
      paymentDescriptor: orAbsent(Text(200)),
      acquirerBin: orAbsent(v.pipe(v.string('must be digits'), v.regex(/^\d{6,11}$/, 'must be 6 to 11 digits'))),
      cardAcceptorId: orAbsent(Text(50)),
      transactionId: orAbsent(Text(100)),
      cardBin: CardBin,
      cardLast4: CardLast4,
      authCode: orAbsent(Text(20)),
      transactionDate: Timestamp,
      arn: orAbsent(Arn),
      mcc: orAbsent(Text(4)),
      reasonCode: orAbsent(Text(20)),
      transactionAmount: AmountText,
      transactionCurrency: CurrencyCode,
      caseAmount: orAbsent(AmountText),
      caseCurrency: orAbsent(CurrencyCode),
    }),
    withAmounts(['transactionAmount', 'transactionCurrency'], ['caseAmount', 'caseCurrency']),
  );
/** Of a decision that is taken back only its name matters. */
const deletion = () => v.object({ event: v.literal('DELETE'), decisionId: Text(100) });

/** A refund that the network decided on, or the end of it. */
export const rdrBody = () => v.variant('event', [decision(), deletion()], 'must be DECISION or DELETE');

/** What a decision says, in the shape of all providers. */
export const rdrToAlert = (body: v.InferOutput<ReturnType<typeof decision>>): ProviderAlertOf<typeof rdr.name> =>
  withoutCardNumbers({
    ...blankProviderAlert,
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
