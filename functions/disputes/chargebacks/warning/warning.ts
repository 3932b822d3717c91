import { formatAmount } from '#core/kernel/money/money.ts';
import { blankProviderAlert, maskedCard, withoutCardNumbers } from '#disputes/providers/provider-alert.ts';
import type { AlertProvider, ProviderAlert } from '#disputes/providers/providers.ts';
import type { FraudWarning } from '#payments/processors/ports/dispute.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';

/** The facts about a warning's payment, if it was taken here. */
export type WarnedPayment = Pick<Transaction, 'card' | 'arn' | 'authCode' | 'createdAt' | 'descriptor'>;

/** Turns an issuer's warning into the informational alert that its merchant receives. */
export const alertOfWarning = (
  warning: FraudWarning,
  provider: AlertProvider,
  payment: WarnedPayment | undefined,
): ProviderAlert => {
  const { first6, last4 } = payment?.card ?? warning;
  return withoutCardNumbers({
    ...blankProviderAlert,
    provider,
    caseId: warning.reference,
    type: 'FRAUD_NOTICE',
    card: maskedCard(first6, last4),
    transactionAt: warning.chargedAt || (payment?.createdAt ?? ''),
    descriptor: warning.descriptor || (payment?.descriptor ?? ''),
    amount: formatAmount(warning.money),
    currency: warning.money.currency,
    arn: payment?.arn ?? '',
    authCode: warning.authCode || (payment?.authCode ?? ''),
    conditionReason: warning.reason,
    issuerName: warning.issuer,
    transactionId: warning.charge,
    providerDate: warning.warnedAt,
  });
};
