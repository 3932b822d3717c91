import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import * as v from 'valibot';
import { call, signIn } from '#lib/local/demo/demo-calls.ts';
import type { Sink } from './deliveries.ts';
import type { LocalProcess } from './local-process.ts';

/** Providers that send alerts to a local stack, each one after the other, and the results. */

const clients = 16;

export type Load = {
  alerts: number;
  cpuSeconds: number;
  /** The time after the last alert at which its webhook arrived, and the list of alerts counted it. */
  webhooksBehind: number;
  countsBehind: number;
  /** Of the calls, in milliseconds. */
  latencies: readonly number[];
};

const nthBody = (n: number, run: string, seconds: number): string =>
  JSON.stringify({
    alertId: `${run}${String(n).padStart(20, '0')}`,
    type: 'CUSTOMER_DISPUTE',
    alertTimestamp: new Date(seconds * 1000).toISOString(),
    age: '12',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: String(n % 10_000).padStart(4, '0'),
    arn: `7453${String(n).padStart(19, '1')}`,
    transactionTimestamp: new Date((seconds - 259_200 - (n % 86_400)) * 1000).toISOString(),
    merchantDescriptor: 'DEMO*CONCERT TICKETS',
    mcc: '7922',
    amount: { value: `${10 + (n % 400)}.56`, currencyCode: 'USD' },
    authCode: String(n % 1_000_000).padStart(6, '0'),
    transactionId: String(n),
  });

/** Alerts that a merchant's list counts. */
const counted = async (url: string, token: string): Promise<number> => {
  const reply = v.object({ totalResult: v.number() });
  return (await call(url, '/service_alerts/alerts', { records: 1 }, token, reply)).totalResult;
};

const sinceAbout = (instant: number): number => Math.max(0, (Date.now() - instant) / 1000);

/** Has the demo site notify this receiver. */
export const notify = async ({ url, credentials }: LocalProcess, sink: Sink): Promise<void> => {
  const { mid, rid, sid } = credentials.site;
  const path = `/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`;
  await call(url, path, { alertapiurl: sink.url }, await signIn(url, credentials.admin), v.looseObject({}));
};

/** `run`: some letters, other ones for each load of a data folder. */
export const loadWithAlerts = async (
  stack: LocalProcess,
  sink: Sink,
  { run, seconds }: { run: string; seconds: number },
  progress: (sent: number) => void = () => undefined,
): Promise<Load> => {
  const { url, credentials } = stack;
  const token = await signIn(url, credentials.merchant);
  const before = await counted(url, token);
  await sink.begin();
  const agent = new Agent({ connections: clients });
  const offset = stack.endpoints.clockOffsetMilliseconds;
  const latencies: number[] = [];
  let sent = 0;
  const cpuBefore = stack.cpuSeconds();
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      sent += 1;
      if (sent % 20 === 0) progress(sent);
      const at = Math.floor((Date.now() + offset) / 1000);
      const body = nthBody(sent, run, at);
      const digest = createHmac('sha256', credentials.providers.provider_a).update(`${at}.${body}`).digest('hex');
      const begun = performance.now();
      const reply = await agent.request({
        origin: url,
        path: '/api/v3/providers/provider_a/alerts',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-signature': `t=${at},v1=${digest}` },
        body,
      });
      const text = await reply.body.text();
      if (reply.statusCode !== 200) throw new Error(`An alert was answered ${reply.statusCode} ${text}`);
      latencies.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const ended = Date.now();
  await agent.close();
  const webhooks = async () => {
    while ((await sink.seen()).taken < sent) await wait(50);
    return sinceAbout(ended);
  };
  const counts = async () => {
    while ((await counted(url, token)) < before + sent) await wait(500);
    return sinceAbout(ended);
  };
  const [webhooksBehind, countsBehind] = await Promise.all([webhooks(), counts()]);
  await stack.untilCalm();
  return { alerts: sent, cpuSeconds: stack.cpuSeconds() - cpuBefore, webhooksBehind, countsBehind, latencies };
};
