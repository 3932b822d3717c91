import { streamHandler } from '../../core/batch.ts';
import { nowIso } from '../../core/clock.ts';
import { changeOf } from '../../core/stream-store.ts';
import { messageFor } from '../message-row.ts';
import { sendAll } from '../queue-store.ts';

export const handler = streamHandler(async (records) => {
  const now = nowIso();
  const routed = records.flatMap((record) => {
    const message = messageFor(changeOf(record), now);
    return message ? [{ record, message }] : [];
  });
  const failed = await sendAll(routed.map(({ message }) => message));
  return routed.find((_, index) => failed.has(index))?.record;
});
