import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { defineDue, type Row, type RowChange, whenDue } from '#core/platform/work/due.ts';

/** See which order this alert is about. */
export const AlertOrderMessage = v.object({ alertId: v.number() });

const alertSearchBody = ({ id }: Row) => ({ alertId: Number(id) });

const heldTxid = (row: Row | undefined): unknown => {
  const hold = row?.['hold'];
  return isObject(hold) ? (hold['txid'] ?? null) : null;
};

/** The payment of an alert can lead to its order, so the order is searched again when the payment is found. */
const messagesForFoundPayment = ({ before, after }: RowChange) =>
  heldTxid(after) !== null && heldTxid(before) === null ? [{ body: alertSearchBody(after) }] : [];

/** An alert looks for its order, or removes its mark. */
export const alertOrderDue = defineDue({
  kind: 'ALERT_ORDER',
  queue: 'lookups',
  message: AlertOrderMessage,
  swept: alertSearchBody,
  wakes: { ALERT_ORDER: whenDue(alertSearchBody), HOLD: { messages: messagesForFoundPayment } },
});
