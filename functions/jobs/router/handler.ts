import { nowIso } from '#core/kernel/clock.ts';
import { toStreamChange } from '#core/platform/table/stream-store.ts';
import { streamHandler } from '#core/platform/work/batch.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import { messagesFor } from '../due-routing.ts';

export const handler = streamHandler(async (records) => {
  const now = nowIso();
  const routed = records.flatMap((record) =>
    messagesFor(toStreamChange(record), now).map((message) => ({ record, message })),
  );
  const failed = await sendAll(routed.map(({ message }) => message));
  return routed.find((_, index) => failed.has(index))?.record;
});
