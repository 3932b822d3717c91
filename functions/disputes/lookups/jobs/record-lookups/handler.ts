import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { LookupMessage } from '#core/platform/work/messages.ts';
import { LookupShape } from '../../lookup/lookup-row.ts';
import { recordLookup, settleLookup } from '../../lookup/record-store.ts';
import { settleAlertOrder } from '../../order/dispute-store.ts';

export const handler = queueHandler(LookupMessage, (message) => {
  if ('alertId' in message) return settleAlertOrder(message.alertId);
  return 'lookup' in message ? recordLookup(v.parse(LookupShape, message.lookup)) : settleLookup(message.lookupId);
});
