import * as v from 'valibot';
import { defineDue, type Row, type RowChange } from '#core/platform/work/due.ts';

/** Ask the rules about this alert. */
export const DecisionMessage = v.object({ alertId: v.number() });

const bodyOf = ({ id }: Row) => ({ alertId: Number(id) });

const messagesForDecision = ({ before, after }: RowChange) => {
  const at = after['nextAt'];
  if (typeof at !== 'string') return before ? [] : [{ body: bodyOf(after) }];
  return before?.['nextAt'] === at ? [] : [{ body: bodyOf(after), at }];
};

/** Rules are evaluated when that falls due, and again when it is time to retry a processor that could not be asked. */
export const decisionDue = defineDue({
  kind: 'DECISION',
  queue: 'rules',
  message: DecisionMessage,
  swept: bodyOf,
  wakes: { DECISION: { messages: messagesForDecision } },
});
