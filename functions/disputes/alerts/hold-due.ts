import * as v from 'valibot';
import { defineDue, type Row, type RowChange, whenDue } from '#core/platform/work/due.ts';

/** See which payment this alert holds, or releases. */
export const HoldMessage = v.object({ alertId: v.number() });

const holdBody = ({ id }: Row) => ({ alertId: Number(id) });

/** An alert that has its outcome releases what it held. */
const messagesForOutcome = ({ replaced, after }: RowChange) =>
  replaced?.['open'] === true && after['open'] === false ? [{ body: holdBody(after) }] : [];

/** Find the payment of a dispute alert and hold it, or release it. */
export const holdDue = defineDue({
  kind: 'HOLD',
  queue: 'settlement',
  message: HoldMessage,
  swept: holdBody,
  wakes: { HOLD: whenDue(holdBody), ALERT: { messages: messagesForOutcome } },
});
