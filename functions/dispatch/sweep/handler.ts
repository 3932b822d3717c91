import { queueHandler } from '../../core/batch.ts';
import { SweepMessage } from '../../notifications/messages.ts';
import { sendOrThrow } from '../../notifications/queue-store.ts';
import { slotMessages } from '../due-row.ts';
import { replayOnce } from '../replay-store.ts';
import { sweepShard } from '../sweep-flow.ts';

export const handler = queueHandler(SweepMessage, async (message) => {
  if ('replays' in message) for (const id of message.replays) await replayOnce(id, message.at);
  else if (message.shard === undefined) await sendOrThrow(slotMessages(message.slot));
  else await sweepShard(message, message.shard);
});
