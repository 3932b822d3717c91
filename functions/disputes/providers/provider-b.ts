import * as v from 'valibot';
import { parse } from '#core/platform/http/parse.ts';
import { MaskedCard, orAbsent, withAmounts } from './fields.ts';
import {
  asSentOf,
  CaseName,
  Cosmetic,
  LenientAmount,
  LenientArn,
  LenientCurrency,
  LenientTime,
  Needed,
} from './lenient.ts';
import { defineProvider } from './provider.ts';
import {
  blankProviderAlert,
  type MessageOf,
  maskedCard,
  type ProviderAlertOf,
  withoutCardNumbers,
} from './provider-alert.ts';
import { anyResult, type Reason, reason, refundedOrNot } from './reasons.ts';

/** The reasons of its case system. */
const reasons: readonly Reason[] = [
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
  ruleable: true,
  outcomes: {
    letter: 'b',
    secret: 'outcome-provider-b',
    connection: '{"base_url","username","password","secret"}',
  },
});

const caseFields = () => ({
  caseType: v.picklist(
    ['DISPUTE', 'CANCEL', 'DISPUTE_NOTICE', 'FRAUD_NOTICE'],
    'must be DISPUTE, CANCEL, DISPUTE_NOTICE or FRAUD_NOTICE',
  ),
  caseDate: orAbsent(LenientTime),
  paymentType: orAbsent(Cosmetic(50)),
  accountNumber: MaskedCard,
  arn: orAbsent(LenientArn),
  transactionDate: LenientTime,
  transactionAmount: LenientAmount,
  transactionCurrency: LenientCurrency,
  caseAmount: orAbsent(LenientAmount),
  caseCurrency: orAbsent(LenientCurrency),
  authorizationCode: orAbsent(Cosmetic(20)),
  reasonCode: orAbsent(Cosmetic(20)),
  reasonText: orAbsent(Cosmetic(500)),
  descriptor: Needed(200),
  issuerName: orAbsent(Cosmetic(200)),
  age: orAbsent(Cosmetic(20)),
  tier: orAbsent(Cosmetic(20)),
});

const newCase = () =>
  withAmounts(
    v.object({ status: v.literal('NEW'), caseId: CaseName, ...caseFields() }),
    ['transactionAmount', 'transactionCurrency'],
    ['caseAmount', 'caseCurrency'],
  );
/** Of a withdrawn case only its name matters. */
const revokedCase = () => v.object({ status: v.literal('REVOKED'), caseId: CaseName });

/** A case of the other network's case system, new or withdrawn. */
export const providerBBody = () => v.variant('status', [newCase(), revokedCase()], 'must be NEW or REVOKED');

/** What a new case says, in the shape of all providers. */
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
    card: maskedCard(body.accountNumber.slice(0, 6), body.accountNumber.slice(-4)),
    transactionAt: body.transactionDate,
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
  });

/** Throws request_invalid. */
export const readProviderB = (sent: unknown): MessageOf<typeof providerB.name> => {
  const body = parse(providerBBody(), sent);
  return body.status === 'REVOKED'
    ? { withdrawn: body.caseId }
    : { alert: providerBToAlert(body, asSentOf(sent, body)) };
};
