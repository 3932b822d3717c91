import * as v from 'valibot';
import { Nested } from '../../core/schema.ts';
import { orAbsent, withAmounts } from './fields.ts';
import {
  CaseName,
  Cosmetic,
  LenientAmount,
  LenientArn,
  LenientBin,
  LenientCurrency,
  LenientLast4,
  LenientTime,
  Needed,
} from './lenient.ts';
import { blankProviderAlert, maskedCard, type ProviderAlert, withoutCardNumbers } from './provider-alert.ts';

const typeOf = { CONFIRMED_FRAUD: 'FRAUD', CUSTOMER_DISPUTE: 'DISPUTE', FRAUD_NOTICE: 'FRAUD_NOTICE' } as const;

/** A fraud or dispute alert of one card network. Of a card, only the first six and last four digits are read. */
export const ProviderABody = v.object({
  alertId: CaseName,
  type: v.picklist(
    ['CONFIRMED_FRAUD', 'CUSTOMER_DISPUTE', 'FRAUD_NOTICE'],
    'must be CONFIRMED_FRAUD, CUSTOMER_DISPUTE or FRAUD_NOTICE',
  ),
  alertTimestamp: orAbsent(LenientTime),
  age: orAbsent(Cosmetic(20)),
  issuer: orAbsent(Cosmetic(200)),
  cardBin: LenientBin,
  cardLast4: LenientLast4,
  arn: orAbsent(LenientArn),
  transactionTimestamp: LenientTime,
  merchantDescriptor: Needed(200),
  mcc: orAbsent(Cosmetic(4)),
  amount: v.pipe(
    Nested({ value: LenientAmount, currencyCode: LenientCurrency }, 'must be an object with value and currencyCode'),
    withAmounts(['value', 'currencyCode']),
  ),
  authCode: orAbsent(Cosmetic(20)),
  transactionId: orAbsent(Cosmetic(100)),
  reasonCode: orAbsent(Cosmetic(20)),
});

/** What the alert says, in the shape of all providers. */
export const providerAToAlert = (
  body: v.InferOutput<typeof ProviderABody>,
  asSent?: Record<string, string>,
): ProviderAlert =>
  withoutCardNumbers({
    ...blankProviderAlert,
    ...(asSent && { asSent }),
    provider: 'provider_a',
    caseId: body.alertId,
    type: typeOf[body.type],
    card: maskedCard(body.cardBin, body.cardLast4),
    transactionAt: body.transactionTimestamp,
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
  });
