import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { createSender, type Sender } from '#core/platform/post/sender.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { deliveryBatch } from '../../attempt/delivery-batch-flow.ts';
import { DeliveryMessage } from '../../delivery/delivery-due.ts';

const WithSite = v.pipe(v.string(), v.parseJson(), v.object({ sid: v.number() }));

const messageSites = ({ Records }: SQSEvent): number[] =>
  Records.flatMap(({ body }) => {
    const message = v.safeParse(WithSite, body);
    return message.success ? [message.output.sid] : [];
  });

/** One per container, so that connections outlive a batch. */
let sender: Sender | undefined;

export const handler = (event: SQSEvent): Promise<SQSBatchResponse> => {
  sender ??= createSender(webhookUrlRules());
  return queueHandler(DeliveryMessage, deliveryBatch(messageSites(event), sender))(event);
};
