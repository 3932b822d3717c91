import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { CallReply, TestStack } from './stack.ts';

/** The parts people play in the flows: providers who send alerts, merchants who answer, and what they find out. */

let cases = 0;

const tokens = new WeakMap<TestStack, { token: string; until: number }>();

/** The demo merchant's token: signing in takes its time on purpose, so one serves while it still counts as a fresh sign-in. */
export const merchantToken = async (service: TestStack): Promise<string> => {
  const now = service.clock.now().getTime();
  const held = tokens.get(service);
  if (held && held.until > now) return held.token;
  const token = await service.tokenOf('merchant');
  tokens.set(service, { token, until: now + 14 * 60_000 });
  return token;
};

/** An alert of provider_a for the demo site, changed as asked; each call makes a case of its own. */
export const providerAAlert = (service: TestStack, change: Record<string, unknown> = {}): Record<string, unknown> => {
  cases += 1;
  const name = `FLOW${String(cases).padStart(21, '0')}`;
  return {
    alertId: name,
    type: 'CUSTOMER_DISPUTE',
    alertTimestamp: service.clock.now().toISOString(),
    age: '1',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: '1111',
    transactionTimestamp: '2026-04-30T08:15:00Z',
    merchantDescriptor: 'demo  shop',
    mcc: '5732',
    amount: { value: '361.56', currencyCode: 'USD' },
    authCode: name.slice(-6),
    transactionId: '83773',
    reasonCode: '4837',
    ...change,
  };
};

/** Sends a body as a provider does: signed, at the service's time. */
export const sendSigned = (
  service: TestStack,
  provider: 'provider_a' | 'provider_b' | 'rdr',
  alert: unknown,
): Promise<CallReply> => {
  const body = JSON.stringify(alert);
  const seconds = Math.floor(service.clock.now().getTime() / 1000);
  const digest = createHmac('sha256', service.credentials.providers[provider])
    .update(`${seconds}.${body}`)
    .digest('hex');
  const headers = { 'x-signature': `t=${seconds},v1=${digest}` };
  return service.call(`/api/v3/providers/${provider}/alerts`, { body, headers });
};

/** Sends an alert and answers its identifier. */
export const send = async (service: TestStack, change: Record<string, unknown> = {}): Promise<number> => {
  const { status, body } = await sendSigned(service, 'provider_a', providerAAlert(service, change));
  expect(status).toBe(200);
  return Number(body['alert_id']);
};

/** The same, once everything it causes at once has happened. */
export const receive = async (service: TestStack, change: Record<string, unknown> = {}): Promise<number> => {
  const alertId = await send(service, change);
  await service.untilIdle();
  return alertId;
};

/** A merchant's update, with the demo site's rcode. */
export const update = async (service: TestStack, body: Record<string, unknown>): Promise<CallReply> => {
  const reply = await service.call('/secure/alert/update/v2/', {
    body,
    headers: { rcode: service.credentials.site.rcode },
  });
  await service.untilIdle();
  return reply;
};

/** Returns the forms that the demo merchant's endpoint received about an alert. */
export const formsFor = (service: TestStack, alertId: number, sink = 'demo'): URLSearchParams[] =>
  service.sinks
    .got(sink)
    .map(({ body }) => new URLSearchParams(body))
    .filter((form) => form.get('alert_id') === String(alertId));

type Delivery = {
  id: string;
  kind: string;
  state: string;
  next_attempt_at: string | null;
  attempts: { at: string; slot: string; status: number | null; error: string | null }[];
};

/** An alert's notifications as its merchant reads them. */
export const listDeliveries = async (service: TestStack, alertId: number): Promise<Delivery[]> => {
  const token = await merchantToken(service);
  const { body } = await service.call('/api/v3/notifications/list', { token, body: { alert_id: alertId } });
  return body['list'] as Delivery[];
};

/** One of an alert's notifications. */
export const findDelivery = async (service: TestStack, alertId: number, kind: string): Promise<Delivery> => {
  const found = (await listDeliveries(service, alertId)).find((one) => one.kind === kind);
  if (!found) throw new Error(`Alert ${alertId} has no ${kind} notification`);
  return found;
};

/** An alert with its history, as its merchant reads it. */
export const readAlert = async (service: TestStack, alertId: number): Promise<Record<string, unknown>> => {
  const token = await merchantToken(service);
  return (await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, { token })).body;
};

/** Changes the demo site's alert settings. */
export const settings = async (service: TestStack, body: Record<string, unknown>): Promise<CallReply> => {
  const { mid, rid, sid } = service.credentials.site;
  const token = await merchantToken(service);
  return service.call(`/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`, { token, body });
};

/**
 * Nothing the stack complained about, no function that failed, and none that told the operator of an error. `expected`: of
 * those that were brought about on purpose.
 */
export const expectNoErrors = ({ problems, invocations }: TestStack, expected?: RegExp): void => {
  expect(problems).toEqual([]);
  expect(invocations.filter(({ error }) => error)).toEqual([]);
  const lines = invocations.flatMap(({ logs }) => logs);
  expect(lines.filter((line) => line.includes('"level":"info"')).length).toBeGreaterThan(0);
  const told = lines.filter((line) => line.includes('"level":"error"'));
  expect(told.filter((line) => !expected?.test(line))).toEqual([]);
};
