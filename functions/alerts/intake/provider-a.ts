import * as v from 'valibot';
import { Nested, Text, Timestamp } from '../../core/schema.ts';
import { AmountText, Arn, CardBin, CardLast4, CurrencyCode, orAbsent, withAmounts } from './fields.ts';
import { blankProviderAlert, maskedCard, type ProviderAlert, withoutCardNumbers } from './provider-alert.ts';

const typeOf = { CONFIRMED_FRAUD: 'FRAUD', CUSTOMER_DISPUTE: 'DISPUTE', FRAUD_NOTICE: 'FRAUD_NOTICE' } as const;

/** A fraud or dispute alert of one card network. Of a card, only the first six and last four digits are read. */
export const ProviderABody = v.object({
  alertId: Text(100),
  type: v.picklist(
    ['CONFIRMED_FRAUD', 'CUSTOMER_DISPUTE', 'FRAUD_NOTICE'],
    'must be CONFIRMED_FRAUD, CUSTOMER_DISPUTE or FRAUD_NOTICE',
  ),
  alertTimestamp: orAbsent(Timestamp),
  age: orAbsent(Text(20)),
  issuer: orAbsent(Text(200)),
  cardBin: CardBin,
  cardLast4: CardLast4,
  arn: orAbsent(Arn),
  transactionTimestamp: Timestamp,
  merchantDescriptor: Text(200),
  mcc: orAbsent(Text(4)),
  amount: v.pipe(
    Nested({ value: AmountText, currencyCode: CurrencyCode }, 'must be an object with value and currencyCode'),
    withAmounts(['value', 'currencyCode']),
  ),
  authCode: orAbsent(Text(20)),
  transactionId: orAbsent(Text(100)),
  reasonCode: orAbsent(Text(20)),
});

/** What the alert says, in the shape of all providers. */
export const providerAToAlert = (body: v.InferOutput<typeof ProviderABody>): ProviderAlert =>
  withoutCardNumbers({
    ...blankProviderAlert,
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
