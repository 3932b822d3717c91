import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { queueHandler } from '../../core/batch.ts';
import { nowIso } from '../../core/clock.ts';
import { webhookUrlRules } from '../../merchants/url-rules.ts';
import { delayUntil, isEarly } from '../../notifications/delay.ts';
import { DeliveryMessage } from '../../notifications/messages.ts';
import { sendOrThrow } from '../../notifications/queue-store.ts';
import { makeAttempt, readSites } from '../attempt-store.ts';
import { createSender, type Sender } from '../sender.ts';

const WithSite = v.pipe(v.string(), v.parseJson(), v.object({ sid: v.number() }));

const sidsOf = ({ Records }: SQSEvent): number[] =>
  Records.flatMap(({ body }) => {
    const message = v.safeParse(WithSite, body);
    return message.success ? [message.output.sid] : [];
  });

let sender: Sender | undefined;

/** One per container, so that connections outlive a batch. */
const theSender = (): Sender => {
  sender ??= createSender(webhookUrlRules());
  return sender;
};

/** A batch's messages side by side, doubles among them as one, after one read of all their sites. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  let reading: ReturnType<typeof readSites> | undefined;
  const siteOf = async (sid: number) => {
    reading ??= readSites(sidsOf(event));
    return (await reading).get(sid);
  };
  const attempts = new Map<string, Promise<void>>();
  return queueHandler(DeliveryMessage, async ({ deliveryId, slot, sid }) => {
    const name = `${deliveryId} ${slot}`;
    const begin = async () => {
      const now = nowIso();
      if (!isEarly(slot, now)) return makeAttempt({ deliveryId, slot }, await siteOf(sid), theSender());
      // Slots may lie further ahead than a message can wait in one go.
      return sendOrThrow([{ queue: 'delivery', body: { deliveryId, slot, sid }, ...delayUntil(slot, now) }]);
    };
    const running = attempts.get(name) ?? begin();
    attempts.set(name, running);
    await running;
  })(event);
};
