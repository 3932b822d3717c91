import { queueHandler } from '../../core/batch.ts';
import { SweepMessage } from '../../notifications/messages.ts';
import { sendOrThrow } from '../../notifications/queue-store.ts';
import { shardMessages } from '../due-row.ts';
import { sweepShard } from '../sweep-flow.ts';

export const handler = queueHandler(SweepMessage, async (message) =>
  message.shard === undefined ? sendOrThrow(shardMessages(message.slot)) : sweepShard(message, message.shard),
);
