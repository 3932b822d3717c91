import type { RuleProvider } from '#disputes/providers/providers.ts';
import { allowedCodes, needsAmount } from '../answer/reason-codes.ts';

/** The further effects that a rule may have in addition to its action. */
export type RuleExtras = { cancel_subscription?: true; block?: true; hold_order?: true };

/**
 * The action of a rule on an alert or an early fraud warning that it matches. `comments` and `reason_code` go into the outcome as a merchant's
 * would; the comments of `notify`, of warnings alone, go to the site's people.
 */
export type RuleAction =
  | ({ type: 'refund'; already?: Already } & RuleExtras)
  | { type: 'decline' | 'resolve'; reason_code: string; comments?: string }
  | ({ type: 'notify'; comments?: string } & RuleExtras)
  | ({ type: 'review' } & Pick<RuleExtras, 'hold_order'>);

/** The choices for a transaction that is already refunded or charged back: answer the network so, or leave the alert to the merchant. */
export const alreadyChoices = ['answer', 'leave'] as const;
type Already = (typeof alreadyChoices)[number];

export const actionTypes = ['refund', 'decline', 'resolve', 'notify', 'review'] as const;

/** The actions of rules about early fraud warnings, which take no answer. */
export const warningActionTypes = ['notify', 'refund', 'review'] as const;

/** The outcomes of alerts by what became of their transactions; every provider that takes outcomes knows them. */
export const refundedCode = '100.001';
export const partlyRefundedCode = '101.001';
export const refundedBeforeCode = '951.001';
export const chargedBackCode = '952.002';

/** The status an action ends an alert with; undefined if it leaves it open. */
export const actionStatusOf = ({ type }: Pick<RuleAction, 'type'>): 'RESOLVED' | 'DECLINED' | undefined =>
  type === 'decline' ? 'DECLINED' : type === 'refund' || type === 'resolve' ? 'RESOLVED' : undefined;

type SentAction = {
  type: RuleAction['type'];
  reason_code?: string | undefined;
  comments?: string | undefined;
  already?: Already | undefined;
  cancel_subscription?: boolean | undefined;
  block?: boolean | undefined;
  hold_order?: boolean | undefined;
};

/** Fields that only a refund takes, in rules about alerts. */
const ofRefunds = ['already', 'cancel_subscription', 'block'] as const;

/** The further effects that were asked for with an action. */
export const pickExtras = (sent: RuleAction | SentAction): RuleExtras => {
  const { cancel_subscription, block, hold_order } = sent as SentAction;
  return {
    ...(cancel_subscription && { cancel_subscription }),
    ...(block && { block }),
    ...(hold_order && { hold_order }),
  };
};

/** Checks whether an action does anything next to it. */
export const hasExtras = (action: RuleAction): boolean => Object.keys(pickExtras(action)).length > 0;

/** The codes that all of the providers allow with a status and that need nothing a rule cannot know. */
export const codesFor = (providers: readonly RuleProvider[], status: 'RESOLVED' | 'DECLINED'): string[] => {
  const [first = [], ...rest] = providers.map((provider) =>
    allowedCodes(provider, status).filter((code) => !needsAmount(provider, code)),
  );
  return first.filter((code) => rest.every((codes) => codes.includes(code)));
};

const refundAction = ({ already, ...sent }: SentAction): RuleAction => ({
  type: 'refund',
  ...(already !== undefined && { already }),
  ...pickExtras({ ...sent }),
});

/** The action of a rule about early fraud warnings as stored, or what is wrong with it. */
export const readWarningAction = (sent: SentAction): RuleAction | string => {
  const { type, comments } = sent;
  if (sent.reason_code !== undefined || sent.already !== undefined)
    return 'action: a warning takes no answer, so neither reason_code nor already';
  if (type !== 'notify' && comments !== undefined) return `action.comments: ${type} does not take it`;
  if (type === 'notify') return { type, ...(comments !== undefined && { comments }), ...pickExtras(sent) };
  if (type === 'refund') return refundAction(sent);
  return Object.keys(pickExtras(sent)).length > 0
    ? 'action: review leaves a warning to people, and does nothing else'
    : { type: 'review' };
};

/** The action as stored, or what is wrong with it, in words that follow the field's name. */
export const readRuleAction = (sent: SentAction, providers: readonly RuleProvider[]): RuleAction | string => {
  const { type, reason_code: code, comments } = sent;
  const strange = type === 'refund' ? undefined : ofRefunds.find((name) => sent[name] !== undefined);
  if (strange) return `action.${strange}: ${type} does not take it`;
  if (type !== 'decline' && type !== 'resolve') {
    if (code !== undefined || comments !== undefined) {
      return `action: ${type} takes neither reason_code nor comments`;
    }
    if (type === 'refund') return refundAction(sent);
    return { type, ...(sent.hold_order && { hold_order: true }) };
  }
  if (sent.hold_order !== undefined) return `action.hold_order: ${type} does not take it`;
  const allowed = codesFor(providers, type === 'decline' ? 'DECLINED' : 'RESOLVED');
  if (code === undefined || !allowed.includes(code)) {
    return `action.reason_code: for ${type} at ${providers.join(' and ')} must be one of ${allowed.join(', ')}`;
  }
  if (code === '900.002' && !comments) {
    return 'action.comments: must say why nothing is refunded, as reason code 900.002 does not';
  }
  return { type, reason_code: code, ...(comments !== undefined && { comments }) };
};
