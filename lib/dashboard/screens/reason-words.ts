import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';

/** The claim of a dispute, as far as it matters for the answer. */
export type Claim = 'fraud' | 'not_received' | 'not_as_described' | 'cancelled' | 'no_credit' | 'twice' | 'other';

const claims: Readonly<Record<Claim, { words: string; codes: readonly string[] }>> = {
  fraud: {
    words: translate('Cardholder denies purchase'),
    codes: [
      '10.1',
      '10.2',
      '10.3',
      '10.4',
      '10.5',
      '4837',
      '4840',
      '4863',
      '4870',
      '4871',
      'F24',
      'F29',
      'F30',
      'UA02',
      'fraudulent',
    ],
  },
  not_received: { words: translate('Item not received'), codes: ['13.1', 'C08', 'RG', '4855', 'product_not_received'] },
  not_as_described: {
    words: translate('Not as described'),
    codes: ['13.3', '13.4', '13.5', '4853', 'C31', 'C32', 'RM', 'product_unacceptable'],
  },
  cancelled: {
    words: translate('Cancelled, still charged'),
    codes: ['13.2', '13.7', '4841', 'C18', 'C28', 'AP', 'subscription_canceled'],
  },
  no_credit: { words: translate('Refund not received'), codes: ['13.6', '4860', 'C02', 'RN2', 'credit_not_processed'] },
  twice: { words: translate('Charged twice'), codes: ['12.6', '12.6.1', '12.6.2', '4834', 'P08', 'DP', 'duplicate'] },
  other: { words: translate('Disputed by the cardholder'), codes: [] },
};

/** The claim that a scheme's code or a processor's word stands for; undefined for an unknown one. */
export const claimOfCode = (code: string): Claim | undefined =>
  (Object.keys(claims) as Claim[]).find((claim) => claims[claim].codes.includes(code.trim()));

/** The meaning of a scheme's code; undefined for an unknown code. */
export const codeWords = (code: string): string | undefined => {
  const claim = claimOfCode(code);
  return claim && claims[claim].words;
};

type Disputed = Pick<AlertRow, 'condition_code' | 'alert_type'>;

/** The claim of a dispute: by the scheme's code, or by the alert's type if the code is unknown. */
export const claimOf = ({ condition_code: code, alert_type }: Disputed): Claim => {
  const known = claimOfCode(code);
  if (known) return known;
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
  const claim = claimOf(alert);
  if (alert.alert_type === 'FRAUD_NOTICE') return translate('Fraud report');
  if (claim !== 'other') return claims[claim].words;
  return alert.dispute_condition_code_reason || (typeWords[alert.alert_type] ?? claims.other.words);
};
