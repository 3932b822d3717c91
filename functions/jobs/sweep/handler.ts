import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { ReplayMessage, replayOnce } from '#messaging/webhooks/replay-store.ts';
import { SweepMessage } from '../schemas.ts';
import { spreadSweep, sweepShard } from '../sweep-flow.ts';

export const handler = queueHandler(v.union([SweepMessage, ReplayMessage]), async (message) => {
  if ('replays' in message) for (const id of message.replays) await replayOnce(id, message.at);
  else if (message.shard === undefined) await spreadSweep(message.slot);
  else await sweepShard(message, message.shard);
});
