import type { ReasonCode } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { isAbove } from '../parts/money.ts';
import { evidenceText } from './advice.ts';
import type { Advised } from './alert-facts.ts';
import { type PlainRefund, pickDisputed, plainRefund } from './plain-refund.ts';

/** What applying a recommendation does with an alert. Only what is certain is done; all else is left to a person. */
export type Planned =
  | { kind: 'refund'; refund: PlainRefund; why: string }
  | { kind: 'decline'; code: ReasonCode; comments: string; why: string }
  | { kind: 'left'; why: string };

const withoutVerb = (title: string): string => title.replace(/^[^.。]+\.\s*/, '') || title;

const leave = (why: string): Planned => ({ kind: 'left', why });

const planRefund = ({ facts, charges, advice }: Advised): Planned => {
  const refund = plainRefund(facts, charges);
  if (!refund) return leave(translate('No certain charge was found.'));
  if (refund.isPart) return leave(translate('Only a part of the disputed amount is left to refund.'));
  const { amount, currency } = pickDisputed(facts.alert);
  if (refund.currency !== currency || isAbove(refund.amount, amount) || isAbove(amount, refund.amount))
    return leave(translate('The refund would not be of the disputed amount.'));
  return { kind: 'refund', refund, why: withoutVerb(advice.title) };
};

/** The best code that the network takes and that needs nothing else than the facts. */
const planDecline = (
  { facts: { alert, payment, order }, charges, advice }: Advised,
  codes: readonly ReasonCode[],
  now: number,
): Planned => {
  const comments = evidenceText({ alert, payment, order: order?.order, charges, now });
  const isEnough = ({ needs }: ReasonCode) => needs.every((need) => need === 'comments' && comments !== '');
  const code = advice.codes
    .map((wanted) => codes.find(({ reason_code, outcome }) => reason_code === wanted && outcome === 'DECLINED'))
    .find((one) => one !== undefined && isEnough(one));
  return code
    ? { kind: 'decline', code, comments, why: withoutVerb(advice.title) }
    : leave(translate('The network wants words of yours with this answer.'));
};

/** `codes`: of the alert's network; `now`: milliseconds. */
export const planAnswer = (advised: Advised, codes: readonly ReasonCode[], now: number): Planned => {
  switch (advised.advice.verb) {
    case 'refund':
      return planRefund(advised);
    case 'decline':
      return planDecline(advised, codes, now);
    case 'already':
      return leave(translate('The network wants the date of the refund, which you give.'));
    case 'decide':
      return leave(withoutVerb(advised.advice.title));
  }
};
