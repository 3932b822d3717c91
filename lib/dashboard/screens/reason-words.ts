import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';

export const claimWords: Readonly<Record<Claim, string>> = {
  fraud: translate('Cardholder denies purchase'),
  not_received: translate('Item not received'),
  not_as_described: translate('Not as described'),
  cancelled: translate('Cancelled, still charged'),
  no_credit: translate('Refund not received'),
  twice: translate('Charged twice'),
  other: translate('Disputed by the cardholder'),
};

/** The meaning of a scheme's code; undefined for a code whose claim is unknown, or has no words of its own. */
export const codeWords = (code: string): string | undefined => {
  const claim = claimOfCode(code);
  return claim && claim !== 'other' ? claimWords[claim] : undefined;
};

type Disputed = Pick<AlertRow, 'condition_code' | 'alert_type'>;

/** The claim of a dispute: by the scheme's code, or by the alert's type if the code is unknown. */
export const findClaim = ({ condition_code: code, alert_type }: Disputed): Claim => {
  const known = claimOfCode(code);
  if (known && known !== 'other') return known;
  if (alert_type === 'FRAUD' || alert_type === 'FRAUD_NOTICE') return 'fraud';
  return alert_type === 'CANCEL' ? 'cancelled' : 'other';
};

const typeWords: Readonly<Partial<Record<AlertRow['alert_type'], string>>> = {
  FRAUD_NOTICE: translate('Fraud report'),
  DISPUTE_NOTICE: translate('Notice of a dispute'),
  DISPUTE_RDR: translate('Decided by RDR'),
};

type Explained = Disputed & Pick<AlertRow, 'dispute_condition_code_reason'>;

/** The reason of a dispute: the same words for all schemes, or the provider's words. */
export const reasonWords = (alert: Explained): string => {
  const claim = findClaim(alert);
  if (alert.alert_type === 'FRAUD_NOTICE') return translate('Fraud report');
  if (claim !== 'other') return claimWords[claim];
  return alert.dispute_condition_code_reason || (typeWords[alert.alert_type] ?? claimWords.other);
};
