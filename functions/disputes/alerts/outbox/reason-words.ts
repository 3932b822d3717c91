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

/** The reason of a dispute by the schemes' codes, in the dashboard's words: test/disputes/alerts/reason-words.test.ts compares both. */
const reasons: readonly (readonly [words: string, codes: string])[] = [
  ['Cardholder denies purchase', '10.1 10.2 10.3 10.4 10.5 4837 4840 4863 4870 4871 F24 F29 F30 UA02 fraudulent'],
  ['Item not received', '13.1 C08 RG 4855 product_not_received'],
  ['Not as described', '13.3 13.4 13.5 4853 C31 C32 RM product_unacceptable'],
  ['Cancelled, still charged', '13.2 13.7 4841 C18 C28 AP subscription_canceled'],
  ['Refund not received', '13.6 4860 C02 RN2 credit_not_processed'],
  ['Charged twice', '12.6 12.6.1 12.6.2 4834 P08 DP duplicate'],
];
const wordsByCode: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([words, codes]) => codes.split(' ').map((code) => [code, words] as const)),
);

const typeWords: Readonly<Record<AlertType, string>> = {
  FRAUD: 'Cardholder denies purchase',
  CANCEL: 'Cancelled, still charged',
  DISPUTE: 'Disputed by the cardholder',
  FRAUD_NOTICE: 'Fraud report',
  DISPUTE_NOTICE: 'Notice of a dispute',
  DISPUTE_RDR: 'Decided by RDR',
};

/** Types whose reason follows from the type where the code is unknown, whatever the provider says. */
const certain: readonly AlertType[] = ['FRAUD', 'CANCEL'];

/** The reason of a dispute in words: those of its code, or else of its type, or else the provider's. */
export const reasonWords = ({ type, conditionCode, conditionReason }: ProviderAlert): string => {
  if (type === 'FRAUD_NOTICE') return typeWords.FRAUD_NOTICE;
  const known = wordsByCode.get(conditionCode.trim());
  if (known !== undefined) return known;
  return certain.includes(type) ? typeWords[type] : conditionReason || typeWords[type];
};
