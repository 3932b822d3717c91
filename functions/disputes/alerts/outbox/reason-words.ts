import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';

/** The noun for each type of alert, as a title has it. */
export const alertNouns: Readonly<Record<AlertType, string>> = {
  FRAUD: 'Fraud alert',
  DISPUTE: 'Dispute alert',
  CANCEL: 'Cancellation alert',
  DISPUTE_RDR: 'RDR decision',
  FRAUD_NOTICE: 'Fraud notice',
  DISPUTE_NOTICE: 'Dispute notice',
};

/** In the dashboard's words: test/disputes/alerts/reason-words.test.ts compares both. */
const claimWords: Readonly<Partial<Record<Claim, string>>> = {
  fraud: 'Cardholder denies purchase',
  not_received: 'Item not received',
  not_as_described: 'Not as described',
  cancelled: 'Cancelled, still charged',
  no_credit: 'Refund not received',
  twice: 'Charged twice',
};

const typeWords: Readonly<Record<AlertType, string>> = {
  FRAUD: 'Cardholder denies purchase',
  CANCEL: 'Cancelled, still charged',
  DISPUTE: 'Disputed by the cardholder',
  FRAUD_NOTICE: 'Fraud report',
  DISPUTE_NOTICE: 'Notice of a dispute',
  DISPUTE_RDR: 'Decided by RDR',
};

/** The cardholder's claim, in the words that group alerts. */
export const claimText = ({ alert_type, condition_code }: { alert_type: AlertType; condition_code: string }): string =>
  claimWords[claimOfCode(condition_code) ?? 'other'] ??
  typeWords[alert_type === 'DISPUTE_RDR' ? 'DISPUTE' : alert_type];

/** Types whose reason follows from the type where the code is unknown, whatever the provider says. */
const certain: readonly AlertType[] = ['FRAUD', 'CANCEL'];

/** The reason of a dispute in words: those of its code, or else of its type, or else the provider's. */
export const reasonWords = ({ type, conditionCode, conditionReason }: ProviderAlert): string => {
  if (type === 'FRAUD_NOTICE') return typeWords.FRAUD_NOTICE;
  const known = claimWords[claimOfCode(conditionCode) ?? 'other'];
  if (known !== undefined) return known;
  return certain.includes(type) ? typeWords[type] : conditionReason || typeWords[type];
};
