import * as v from 'valibot';
import { defineDue, type Row, type RowChange } from '#core/platform/work/due.ts';

/** Ask the rules about this alert. */
export const DecisionMessage = v.object({ alertId: v.number() });

const decideBody = ({ id }: Row) => ({ alertId: Number(id) });

const messagesForDecision = ({ before, after }: RowChange) => {
  const at = after['nextAt'];
  if (typeof at !== 'string') return before ? [] : [{ body: decideBody(after) }];
  return before?.['nextAt'] === at ? [] : [{ body: decideBody(after), at }];
};

/** Rules are evaluated when that falls due, and again when it is time to retry a processor that could not be asked. */
export const decisionDue = defineDue({
  kind: 'DECISION',
  queue: 'rules',
  message: DecisionMessage,
  swept: decideBody,
  wakes: { DECISION: { messages: messagesForDecision } },
});
