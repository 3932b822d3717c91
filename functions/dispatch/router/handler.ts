import { streamHandler } from '../../core/batch.ts';
import { nowIso } from '../../core/clock.ts';
import { changeOf } from '../../core/stream-store.ts';
import { sendAll } from '../../notifications/queue-store.ts';
import { messagesFor } from '../message-row.ts';

export const handler = streamHandler(async (records) => {
  const now = nowIso();
  const routed = records.flatMap((record) =>
    messagesFor(changeOf(record), now).map((message) => ({ record, message })),
  );
  const failed = await sendAll(routed.map(({ message }) => message));
  return routed.find((_, index) => failed.has(index))?.record;
});
