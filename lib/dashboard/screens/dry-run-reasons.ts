import { translate } from '../language/translate.ts';
import type { DryRunPage } from './rule-operations.ts';

/** Why a dry run did not refund. Pure. */

const reasons: Readonly<Record<string, string>> = {
  no_transaction: translate('no payment was found'),
  several_matches: translate('several payments fit'),
  evidence_insufficient: translate('the payment that fits is not certain'),
  connection_unavailable: translate('a processor could not be asked'),
  daily_cap: translate('the day’s limit of refunds was reached'),
  above_max_refund_amount: translate('above the site’s limit for automatic refunds'),
  max_refund_amount_of_other_currency: translate('the site’s limit is in another currency'),
  amount_unknown: translate('the amount is unknown'),
  disputed_amount_unclear: translate('the disputed amount is unclear'),
  amount_not_available: translate('less than the amount is left of the payment'),
  only_whole_refundable: translate('the processor refunds only the whole payment'),
  transaction_state_wrong: translate('the payment cannot be refunded'),
  already_refunded: translate('already refunded'),
  already_charged_back: translate('already charged back'),
  refunded_by_network: translate('the network refunded the cardholder'),
  duplicate: translate('it repeats another alert'),
  not_a_duplicate: translate('it repeats no other alert'),
  test_alert: translate('a test alert'),
};

/** Why a rule would do something else than its action; the service's own word where it is not known here. */
export const reasonText = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ');

/** Alerts that a rule for refunds applies to and would not refund, counted by reason, the most frequent first. */
export const countUnrefunded = (
  list: readonly Pick<DryRunPage['list'][number], 'action' | 'would' | 'reason'>[],
): { reason: string; count: number }[] => {
  const unrefunded = list.filter(({ action, would }) => action === 'refund' && would !== 'refund');
  const groups = Map.groupBy(unrefunded, ({ reason }) => reason ?? '');
  return [...groups]
    .map(([reason, members]) => ({ reason, count: members.length }))
    .sort((left, right) => right.count - left.count);
};

type Lacking = { fact: string; alerts: number };

/** The facts that alerts of any page lack, those of most alerts first. */
export const sumNotCompared = (pages: readonly { not_compared: readonly Lacking[] }[]): Lacking[] => {
  const byFact = Map.groupBy(
    pages.flatMap((page) => page.not_compared),
    ({ fact }) => fact,
  );
  return [...byFact]
    .map(([fact, own]) => ({ fact, alerts: own.reduce((sum, { alerts }) => sum + alerts, 0) }))
    .toSorted((one, other) => other.alerts - one.alerts);
};
