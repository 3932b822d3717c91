import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { connectAlertSource } from '../../pull/alert-source-client.ts';
import { pullAtSlot } from '../../pull/pull-flow.ts';

const PullMessage = v.object({ slot: v.pipe(v.string(), v.isoTimestamp()) });

export const handler = queueHandler(PullMessage, ({ slot }) => pullAtSlot(slot, connectAlertSource));
