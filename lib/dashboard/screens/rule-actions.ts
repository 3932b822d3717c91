import { listText, translate } from '../language/translate.ts';
import { resultWords } from './answer-words.ts';
import { type ChargebackActionType, chargebackActions, chargebackActionWords } from './chargeback-rule.tsx';
import type { RuleAbout } from './rule-facts.ts';
import type { RuleDto } from './rule-operations.ts';
import { refundWords } from './rule-refund.tsx';

/** The actions of rules, by what they decide. */

const actions = [
  { value: 'refund', label: translate('Refund the payment and notify the network') },
  { value: 'decline', label: translate('Decline') },
  { value: 'resolve', label: translate('Resolve without a refund') },
  { value: 'notify', label: translate('Only notify') },
  { value: 'review', label: translate('Leave it to people') },
] as const;
type ActionType = (typeof actions)[number]['value'];
const readType = (text: string | undefined): ActionType =>
  actions.find(({ value }) => value === text)?.value ?? 'refund';
const warningActions = [
  { value: 'notify', label: translate('Notify people') },
  { value: 'refund', label: translate('Refund the payment') },
  { value: 'review', label: translate('Leave it to people') },
] as const satisfies readonly { value: ActionType; label: string }[];
const rdrActions = [
  { value: 'accept', label: translate('Let RDR refund the cardholder') },
  { value: 'review', label: translate('Let the dispute continue') },
] as const;
export const actionsAbout = {
  rdr: rdrActions,
  alerts: actions,
  warnings: warningActions,
  chargebacks: chargebackActions,
} as const;
export const needsCode = (type: AnyActionType): boolean => type === 'decline' || type === 'resolve';
export type AnyActionType = ActionType | ChargebackActionType;
export const anyActionOf = (about: RuleAbout, text: string | undefined): AnyActionType =>
  about === 'chargebacks' || about === 'rdr'
    ? (actionsAbout[about].find(({ value }) => value === text)?.value ?? actionsAbout[about][0].value)
    : readType(text);
export const isOfChargebacks = (type: AnyActionType): type is ChargebackActionType =>
  chargebackActions.some(({ value }) => value === type);

/** The action of a rule, as the end of its sentence. */
const doneWords: Readonly<Record<string, string>> = {
  refund: translate('refund it'),
  decline: translate('decline it'),
  resolve: translate('resolve it without a refund'),
  notify: translate('only notify people'),
  review: translate('leave it to people'),
  submit: translate('submit the evidence'),
  accept: translate('accept the loss'),
  assign: translate('assign it to someone'),
};

const ownWords = ({ type, assignee }: RuleDto['action'], about: RuleAbout): string => {
  if (assignee) return translate('assign it to {name}', { name: assignee });
  if (about === 'rdr') return type === 'accept' ? translate('let Visa refund it') : translate('let it continue');
  return doneWords[type] ?? type;
};

/** The action of a rule with its further effects. */
export const actionWords = (action: RuleDto['action'], about: RuleAbout = 'alerts'): string => {
  const own = ownWords(action, about);
  const notes = [...chargebackActionWords(action), resultWords(action.reason_code ?? ''), action.reason_code]
    .filter(Boolean)
    .join(', ');
  return listText([notes === '' ? own : `${own} (${notes})`, ...refundWords(action)]);
};
