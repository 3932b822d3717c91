import { formatAmount } from '#core/kernel/money/money.ts';
import { blankProviderAlert, maskedCard, withoutCardNumbers } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import type { FraudWarning } from '#payments/processors/ports/dispute.ts';

/** The facts about a warning's payment, if it was taken here. */
export type WarnedPayment = { card: { first6: string; last4: string } | null; arn: string | null };

/** Turns an issuer's warning into the informational alert that its merchant receives. */
export const alertOfWarning = (warning: FraudWarning, payment: WarnedPayment | undefined): ProviderAlert => {
  const { first6, last4 } = payment?.card ?? warning;
  return withoutCardNumbers({
    ...blankProviderAlert,
    provider: 'stripe',
    caseId: warning.reference,
    type: 'FRAUD_NOTICE',
    card: maskedCard(first6, last4),
    transactionAt: warning.chargedAt,
    descriptor: warning.descriptor,
    amount: formatAmount(warning.money),
    currency: warning.money.currency,
    arn: payment?.arn ?? '',
    authCode: warning.authCode,
    conditionReason: warning.reason,
    issuerName: warning.issuer,
    transactionId: warning.charge,
    providerDate: warning.warnedAt,
  });
};
