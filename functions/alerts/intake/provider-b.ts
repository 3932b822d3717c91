import * as v from 'valibot';
import { MaskedCard, orAbsent, withAmounts } from './fields.ts';
import { CaseName, Cosmetic, LenientAmount, LenientArn, LenientCurrency, LenientTime, Needed } from './lenient.ts';
import { blankProviderAlert, maskedCard, type ProviderAlert, withoutCardNumbers } from './provider-alert.ts';

const caseFields = {
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
};

const NewCase = v.pipe(
  v.object({ status: v.literal('NEW'), caseId: CaseName, ...caseFields }),
  withAmounts(['transactionAmount', 'transactionCurrency'], ['caseAmount', 'caseCurrency']),
);
/** Of a case that is withdrawn only its name matters. */
const RevokedCase = v.object({ status: v.literal('REVOKED'), caseId: CaseName });

/** A case of the other network's case system, new or withdrawn. */
export const ProviderBBody = v.variant('status', [NewCase, RevokedCase], 'must be NEW or REVOKED');

/** What a new case says, in the shape of all providers. */
export const providerBToAlert = (body: v.InferOutput<typeof NewCase>, asSent?: Record<string, string>): ProviderAlert =>
  withoutCardNumbers({
    ...blankProviderAlert,
    ...(asSent && { asSent }),
    provider: 'provider_b',
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
