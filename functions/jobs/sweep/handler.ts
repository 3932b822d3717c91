import { queueHandler } from '#core/platform/work/batch.ts';
import { SweepMessage } from '#core/platform/work/messages.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { replayOnce } from '#messaging/webhooks/replay-store.ts';
import { slotMessages } from '../due-row.ts';
import { sweepShard } from '../sweep-flow.ts';

export const handler = queueHandler(SweepMessage, async (message) => {
  if ('replays' in message) for (const id of message.replays) await replayOnce(id, message.at);
  else if (message.shard === undefined) await sendOrThrow(slotMessages(message.slot));
  else await sweepShard(message, message.shard);
});
