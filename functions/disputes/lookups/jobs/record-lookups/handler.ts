import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { AlertOrderMessage } from '#disputes/alerts/alert-order-due.ts';
import { LookupMessage } from '../../lookup/lookup-due.ts';
import { LookupShape } from '../../lookup/lookup-row.ts';
import { recordLookup, settleLookup } from '../../lookup/record-store.ts';
import { settleAlertOrder } from '../../order/disputed-order-store.ts';

export const handler = queueHandler(v.union([LookupMessage, AlertOrderMessage]), (message) => {
  if ('alertId' in message) return settleAlertOrder(message.alertId);
  return 'lookup' in message ? recordLookup(v.parse(LookupShape, message.lookup)) : settleLookup(message.lookupId);
});
