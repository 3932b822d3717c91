import * as v from 'valibot';
import { defineDue, type Row, type RowChange, whenDue } from '#core/platform/work/due.ts';

/** See which payment this alert holds, or releases. */
export const HoldMessage = v.object({ alertId: v.number() });

const bodyOf = ({ id }: Row) => ({ alertId: Number(id) });

/** An alert that has its outcome releases what it held. */
const messagesForOutcome = ({ replaced, after }: RowChange) =>
  replaced?.['open'] === true && after['open'] === false ? [{ body: bodyOf(after) }] : [];

/** Find the payment of a dispute alert and hold it, or release it. */
export const holdDue = defineDue({
  kind: 'HOLD',
  queue: 'settlement',
  message: HoldMessage,
  swept: bodyOf,
  wakes: { HOLD: whenDue(bodyOf), ALERT: { messages: messagesForOutcome } },
});
