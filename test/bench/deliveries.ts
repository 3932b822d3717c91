import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SQSEvent } from 'aws-lambda';
import { Agent } from 'undici';
import { type Site, sealContext } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { seal } from '#core/kernel/crypto.ts';
import { createSender } from '#core/platform/post/sender.ts';
import { putItem } from '#core/platform/table/table.ts';
import { formType, newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { makeHeaders } from '#messaging/webhooks/attempt/attempt.ts';
import { createDelivery, type Delivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { handler as deliverHandler } from '#messaging/webhooks/jobs/deliver/handler.ts';
import { anAlert, aSite, settings } from '#test/disputes/alerts/samples.ts';
import { type Call, type CallCounter, countCalls } from '#test/support/call-counter.ts';
import { sqsRecord } from '#test/support/sqs-record.ts';
import { theSecret } from '#test/support/tls-dynamo.ts';
import { median } from './measure.ts';

const key = Buffer.from('a signing key of twenty-four');
const secret = `whsec_${key.toString('base64')}`;
const batchSize = 10;

/**
 * The observations of a receiver: the most requests at once, the connections opened to it, and the requests since it began to
 * count.
 */
type Seen = { most: number; connections: number; taken: number; firstAt: number; lastAt: number };

export type Sink = AsyncDisposable & {
  url: string;
  seen(): Promise<Seen>;
  /** Counts from here on. */
  begin(): Promise<void>;
  /** Lets it answer only once this many requests are there. */
  answerTogether(count: number): Promise<void>;
};

/** A receiver on loopback that answers 200 at once, in a thread of its own. */
export const startSink = async (): Promise<Sink> => {
  const worker = new Worker(new URL('sink.ts', import.meta.url));
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  const ask = async (message: { together?: number; anew?: boolean }) => {
    worker.postMessage(message);
    const [answer] = (await once(worker, 'message')) as [Seen];
    return answer;
  };
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    seen: () => ask({}),
    begin: async () => {
      await ask({ anew: true });
    },
    answerTogether: async (together) => {
      await ask({ together });
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
};

const body = newAlertForm(anAlert());
const nthDelivery = (n: number, at: string): Delivery => {
  const { sid, mid, rid } = aSite();
  const id = deliveryIdOf(2_000_000_000_000_000 + n);
  return createDelivery({ id, kind: 'new_alert', sid, mid, rid, alertId: n, contentType: formType, body, at });
};

type Post = (n: number) => Promise<number | null>;

/** Signed and sent as the service does, without the table. */
const ourPost = (url: string): { post: Post; close: () => Promise<void> } => {
  const sender = createSender({ allowLoopbackHttp: true, extraPorts: [] });
  // The content of the table before an attempt is made.
  const delivery = nthDelivery(0, nowIso());
  return {
    post: async (n) => {
      const secrets = { signingSecrets: [secret], token: 'a-token', username: '' };
      const headers = makeHeaders({ ...delivery, id: `ntf_${n}` }, secrets, nowIso());
      return (await sender.post({ url, headers, body })).status;
    },
    close: () => sender.close(),
  };
};

/** The least that signs and sends: undici's pool, one HMAC, the reply read to its end. */
export const barePost = (url: string): { post: Post; close: () => Promise<void> } => {
  const agent = new Agent({ connections: batchSize });
  const { origin, pathname: path } = new URL(url);
  return {
    post: async (n) => {
      const [id, timestamp] = [`ntf_${n}`, String(Math.floor(Date.now() / 1000))];
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': formType,
        authorization: 'Bearer a-token',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      const reply = await agent.request({ origin, path, method: 'POST', headers, body });
      await reply.body.text();
      return reply.statusCode;
    },
    close: () => agent.close(),
  };
};

/** Batches of ten, one after the other; answers how many were sent a second. */
export const measureRate = async (post: Post, batches: number): Promise<number> => {
  const begin = performance.now();
  for (let batch = 0; batch < batches; batch += 1) {
    const statuses = await Promise.all(Array.from({ length: batchSize }, (_, n) => post(batch * batchSize + n)));
    if (statuses.some((status) => status !== 200)) throw new Error('A notification was not taken');
  }
  return (batches * batchSize * 1000) / (performance.now() - begin);
};

export type Rates = { ours: number; bare: number };

/** Measures deliveries a second, the service's and the bare loop's, as medians of rounds taken in turn. */
export const measureRates = async (
  rounds: number,
  batches: number,
  progress: (done: number) => void,
): Promise<Rates> => {
  await using sink = await startSink();
  const [ours, bare] = [ourPost(sink.url), barePost(sink.url)];
  const rates = { ours: [] as number[], bare: [] as number[] };
  await measureRate(ours.post, batches);
  await measureRate(bare.post, batches);
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const name of order) rates[name].push(await measureRate(name === 'ours' ? ours.post : bare.post, batches));
    progress(round);
  }
  await Promise.all([ours.close(), bare.close()]);
  return { ours: median(rates.ours), bare: median(rates.bare) };
};

const siteFor = (url: string): Site => {
  const ring = { current: 'k1', keys: { k1: theSecret } };
  const site = aSite({ alert: settings({ alertapiurl: url }) });
  const sealed = seal(ring, sealContext.signingSecret(site.sid), secret);
  return { ...site, signingSecrets: [{ sealed, validUntil: null }] };
};

const toEvent = (deliveries: readonly Delivery[]): SQSEvent => ({
  Records: deliveries.map(({ id, sid, createdAt }) => sqsRecord(id, { deliveryId: id, slot: createdAt, sid })),
});

export type DeliverHandler = typeof deliverHandler;

export type DeliverCost = {
  /** The calls of each batch, the first one's too, which also reads the encryption secret. */
  batches: Record<string, number>[];
  most: number;
  connections: number;
};

/**
 * Whole batches through a function: the site's row read, each delivery claimed, signed, sent and recorded. `handler` is
 * the sources' unless given.
 */
export const costOfDelivering = async (
  counter: CallCounter,
  batches: number,
  handler: DeliverHandler = deliverHandler,
): Promise<DeliverCost> => {
  await using sink = await startSink();
  await sink.answerTogether(batchSize);
  await putItem(toSiteItem(siteFor(sink.url)));
  const taken: Call[][] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const at = nowIso();
    const deliveries = Array.from({ length: batchSize }, (_, n) => nthDelivery(batch * batchSize + n, at));
    for (const delivery of deliveries) await putItem(toDeliveryItem(delivery));
    counter.take();
    const { batchItemFailures } = await handler(toEvent(deliveries));
    if (batchItemFailures.length > 0) throw new Error('Deliveries were given back');
    taken.push(counter.take());
  }
  const { most, connections } = await sink.seen();
  return { batches: taken.map(countCalls), most, connections };
};
