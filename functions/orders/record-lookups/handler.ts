import * as v from 'valibot';
import { queueHandler } from '../../core/batch.ts';
import { LookupMessage } from '../../notifications/messages.ts';
import { settleAlertOrder } from '../dispute-store.ts';
import { LookupShape } from '../lookup/lookup-row.ts';
import { recordLookup, settleLookup } from '../lookup/record-store.ts';

export const handler = queueHandler(LookupMessage, (message) => {
  if ('alertId' in message) return settleAlertOrder(message.alertId);
  return 'lookup' in message ? recordLookup(v.parse(LookupShape, message.lookup)) : settleLookup(message.lookupId);
});
