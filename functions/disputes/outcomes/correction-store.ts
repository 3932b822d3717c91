import { nowIso } from '#core/kernel/clock.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { type Alert, isOpen } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import type { ChangeSource } from '#disputes/alerts/history/history.ts';
import { outcomeForCaller } from './outcome-access-store.ts';
import { mark, replay, takesMark, takesReplay } from './outcome-changes.ts';
import { saveChanges } from './outcome-store.ts';

/** Changes an outcome by hand; `change` throws to refuse, or returns undefined if nothing has to change. */
const correct = (
  id: string,
  caller: Caller,
  change: (outcome: NetworkOutcome, alert: Alert, at: string) => NetworkOutcome | undefined,
): Promise<NetworkOutcome> =>
  retryOnConflict(
    async () => {
      const outcome = await outcomeForCaller(id, caller);
      const item = await getItem(keys.alert(outcome.alertId));
      if (!item) throw new Error(`Alert ${outcome.alertId} of outcome ${id} is gone`);
      const alert = fromAlertItem(item);
      const at = nowIso();
      const after = change(outcome, alert, at);
      if (!after) return outcome;
      const source: ChangeSource = { by: caller.subject, via: 'outcomes' };
      await saveChanges(alert, [{ before: outcome, after }], at, source);
      return after;
    },
    { onExhausted: changedMeanwhile },
  );

/** A final answer no longer counts once its provider has opened the case again. */
const isOutdated = ({ isFinal }: NetworkOutcome, alert: Alert): boolean => isFinal && isOpen(alert);

const refuseReplay = (outcome: NetworkOutcome, alert: Alert): void => {
  const { state, number } = outcome;
  const { outcomes, withdrawnAt } = alert;
  if (withdrawnAt !== null) throw new Refusal('outcome_settled', 'The provider has taken the case back.');
  if (number < outcomes) throw new Refusal('outcome_settled', 'A later outcome of the alert has taken its place.');
  if (isOutdated(outcome, alert)) throw new Refusal('outcome_settled', 'The provider has opened the case again.');
  throw new Refusal('outcome_settled', `It is ${state}.`);
};

/** Records that an outcome must be sent to the provider once more. Throws outcome_not_found, outcome_settled, changed_meanwhile. */
export const replayForCaller = (id: string, caller: Caller): Promise<NetworkOutcome> =>
  correct(id, caller, (outcome, alert, at) => {
    const isLatest = outcome.number === alert.outcomes && alert.withdrawnAt === null;
    if (!isLatest || isOutdated(outcome, alert) || !takesReplay(outcome)) refuseReplay(outcome, alert);
    return replay(outcome, at);
  });

type Mark = { state: 'ACCEPTED' | 'REFUSED'; note?: string | undefined };

/** Records what a person has found or done at the provider. Throws outcome_not_found, outcome_settled, changed_meanwhile. */
export const markForCaller = (id: string, { state, note = '' }: Mark, caller: Caller): Promise<NetworkOutcome> =>
  correct(id, caller, (outcome, _, at) => {
    const said = redactText(note);
    if (outcome.mark && outcome.state === state && outcome.mark.note === said) return undefined;
    if (!takesMark(outcome))
      throw new Refusal('outcome_settled', `state: it is ${outcome.state}, which cannot be marked.`);
    return mark(outcome, state, { by: caller.subject, at, note: said });
  });
