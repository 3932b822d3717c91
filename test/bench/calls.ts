import { createHmac } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamedValue } from 'aws-lambda';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { normaliseDescriptor } from '#core/kernel/descriptor.ts';
import { type Item, putItem } from '#core/platform/table/table.ts';
import { handler as receiveProviderAHandler } from '#disputes/alerts/api/receive-provider-a/handler.ts';
import { receiveProviderAOperation } from '#disputes/alerts/api/receive-provider-a/operation.ts';
import { handler as updateAlertHandler } from '#disputes/alerts/api/update-alert/handler.ts';
import { toClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { handler as routerHandler } from '#jobs/router/handler.ts';
import { createDelivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { aSite, bodyA, start } from '#test/disputes/alerts/samples.ts';
import { type CallCounter, countCalls, sumCalls } from '#test/support/call-counter.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { theSecret } from '#test/support/tls-dynamo.ts';
import { rowsOfUpdate, updateEvent } from './cold-cases.ts';

/** The cost of one piece of work: the number of calls of each operation, and of messages. */
export type WorkCost = { counts: Record<string, number>; messages: number };

export const during = async (counter: CallCounter, work: () => Promise<unknown>): Promise<WorkCost> => {
  counter.take();
  await work();
  const calls = counter.take();
  return { counts: countCalls(calls), messages: sumCalls(calls, 'messages') };
};

const expectOk = ({ status, body }: { status: number; body: unknown }) => {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
};

/** Measures a merchant's answer that cancels a notification and creates the outcome for the provider. */
export const costOfUpdate = async (counter: CallCounter): Promise<WorkCost> => {
  for (const row of rowsOfUpdate()) await putItem(row);
  return during(counter, async () => expectOk(await call(updateAlertHandler, structuredClone(updateEvent))));
};

const providerEvent = (body: object) => {
  const text = JSON.stringify(body);
  const time = Math.floor(nowMilliseconds() / 1000);
  const signature = createHmac('sha256', theSecret).update(`${time}.${text}`).digest('hex');
  return gatewayEvent({
    path: receiveProviderAOperation.path,
    headers: { 'content-type': 'application/json', 'x-signature': `t=${time},v1=${signature}` },
    body: text,
  });
};

/** The site that claims the sample's descriptor; it wants notifications and e-mails. */
const storeOwner = async () => {
  const site = aSite();
  const text = normaliseDescriptor(bodyA().merchantDescriptor);
  const { sid, mid, rid } = site;
  const claimant = { sid, mid, rid, enrollmentId: 1, itemNumber: 0, descriptor: text, enrolledAt: start };
  await putItem(toSiteItem(site));
  await putItem(
    toClaimsItem({
      rule: 'EXACT',
      text,
      provider: 'provider_a',
      claimants: [{ ...claimant, matchType: 'Exact' }],
      version: 1,
    }),
  );
};

export type IntakeCosts = { matched: WorkCost; duplicate: WorkCost; unmatched: WorkCost; replayed: WorkCost };

/** A provider's alert in each of the ways it can go. The first call, which also reads the secret, is not counted. */
export const costsOfIntake = async (counter: CallCounter): Promise<IntakeCosts> => {
  const take = (change: Record<string, unknown>) =>
    during(counter, async () => expectOk(await call(receiveProviderAHandler, providerEvent(bodyA(change)))));
  await storeOwner();
  await take({ alertId: 'A0', merchantDescriptor: 'SOMEBODY ELSE' });
  return {
    matched: await take({ alertId: 'A1' }),
    duplicate: await take({ alertId: 'A2' }),
    unmatched: await take({ alertId: 'A3', merchantDescriptor: 'NOBODY' }),
    replayed: await take({ alertId: 'A1' }),
  };
};

/** Lambda's typings describe the same notation as the SDK's, only less exactly. */
const toImage = (item: Item) => marshall(item) as Record<string, StreamedValue>;

const deliveryRecord = (n: number): DynamoDBRecord => {
  const { sid, mid, rid } = aSite();
  const fields = { kind: 'status_update', alertId: 1, contentType: 'application/json', body: '{}' } as const;
  const delivery = createDelivery({ id: deliveryIdOf(n), sid, mid, rid, at: start, ...fields });
  return { eventName: 'INSERT', dynamodb: { SequenceNumber: String(n), NewImage: toImage(toDeliveryItem(delivery)) } };
};

/** Measures a full batch of the stream, each record of it a notification that is due. */
export const costOfRouting = async (counter: CallCounter, records: number): Promise<WorkCost> =>
  during(counter, async () => {
    const { batchItemFailures } = await routerHandler({
      Records: Array.from({ length: records }, (_, n) => deliveryRecord(n + 1)),
    });
    if (batchItemFailures.length > 0) throw new Error('The router gave records back');
  });
