import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { defineDue, type Row, type RowChange, whenDue } from '#core/platform/work/due.ts';

/** See which order this alert is about. */
export const AlertOrderMessage = v.object({ alertId: v.number() });

const bodyOf = ({ id }: Row) => ({ alertId: Number(id) });

const txidOf = (row: Row | undefined): unknown => {
  const hold = row?.['hold'];
  return isObject(hold) ? (hold['txid'] ?? null) : null;
};

/** The payment of an alert can lead to its order, so the order is searched again when the payment is found. */
const messagesForFoundPayment = ({ before, after }: RowChange) =>
  txidOf(after) !== null && txidOf(before) === null ? [{ body: bodyOf(after) }] : [];

/** An alert looks for its order, or removes its mark. */
export const alertOrderDue = defineDue({
  kind: 'ALERT_ORDER',
  queue: 'lookups',
  message: AlertOrderMessage,
  swept: bodyOf,
  wakes: { ALERT_ORDER: whenDue(bodyOf), HOLD: { messages: messagesForFoundPayment } },
});
