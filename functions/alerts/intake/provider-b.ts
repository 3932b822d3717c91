import * as v from 'valibot';
import { Text, Timestamp } from '../../core/schema.ts';
import { AmountText, Arn, CurrencyCode, MaskedCard, orAbsent, withAmounts } from './fields.ts';
import { blankProviderAlert, maskedCard, type ProviderAlert, withoutCardNumbers } from './provider-alert.ts';

const caseFields = {
  caseType: v.picklist(
    ['DISPUTE', 'CANCEL', 'DISPUTE_NOTICE', 'FRAUD_NOTICE'],
    'must be DISPUTE, CANCEL, DISPUTE_NOTICE or FRAUD_NOTICE',
  ),
  caseDate: orAbsent(Timestamp),
  paymentType: orAbsent(Text(50)),
  accountNumber: MaskedCard,
  arn: orAbsent(Arn),
  transactionDate: Timestamp,
  transactionAmount: AmountText,
  transactionCurrency: CurrencyCode,
  caseAmount: orAbsent(AmountText),
  caseCurrency: orAbsent(CurrencyCode),
  authorizationCode: orAbsent(Text(20)),
  reasonCode: orAbsent(Text(20)),
  reasonText: orAbsent(Text(500)),
  descriptor: Text(200),
  issuerName: orAbsent(Text(200)),
  age: orAbsent(Text(20)),
  tier: orAbsent(Text(20)),
};

const NewCase = v.pipe(
  v.object({ status: v.literal('NEW'), caseId: Text(100), ...caseFields }),
  withAmounts(['transactionAmount', 'transactionCurrency'], ['caseAmount', 'caseCurrency']),
);
/** Of a case that is withdrawn only its name matters. */
const RevokedCase = v.object({ status: v.literal('REVOKED'), caseId: Text(100) });

/** A case of the other network's case system, new or withdrawn. */
export const ProviderBBody = v.variant('status', [NewCase, RevokedCase], 'must be NEW or REVOKED');

/** What a new case says, in the shape of all providers. */
export const providerBToAlert = (body: v.InferOutput<typeof NewCase>): ProviderAlert =>
  withoutCardNumbers({
    ...blankProviderAlert,
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
