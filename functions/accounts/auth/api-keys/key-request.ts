import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';

/** A call with an API key, as the gateway logged it: neither its query, its headers nor the values in its path. */
export type KeyRequest = {
  keyId: number;
  at: string;
  requestId: string;
  method: string;
  /** The route's pattern, such as `/api/v3/orders/{id}/details`. */
  path: string;
  status: number;
  milliseconds: number;
};

/** `refused`: with a status of 4xx; `failed`: 5xx. */
export const keyRequestResults = ['refused', 'failed'] as const;
export type KeyRequestResult = (typeof keyRequestResults)[number];

/** The time for which an entry is kept. */
export const keptDays = 30;

/** The gateway logs every value as text, and those that it lacks as `-`. */
const number = v.pipe(v.string(), v.digits(), v.transform(Number));
const Line = v.object({
  requestId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  time: number,
  method: v.string(),
  route: v.string(),
  status: number,
  milliseconds: v.fallback(number, 0),
  subject: v.pipe(
    v.string(),
    v.regex(/^key:\d{1,12}$/),
    v.transform((text) => Number(text.slice(4))),
  ),
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a line of the gateway's access log; undefined if it is not about a call with an API key. */
export const readAccessLine = (text: string): KeyRequest | undefined => {
  const { success, output } = v.safeParse(Line, parseJson(text));
  if (!success) return undefined;
  const { subject, time, route, ...others } = output;
  return { ...others, keyId: subject, at: iso(time), path: route };
};

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html, read on 2026-11-29 */
const Batch = v.object({ messageType: v.string(), logEvents: v.array(v.object({ message: v.string() })) });

/** Reads a batch of lines as CloudWatch Logs sends it: in base64, compressed. Messages of other types only test the way. */
export const readAccessLines = (data: string): KeyRequest[] => {
  const { messageType, logEvents } = v.parse(Batch, parseJson(gunzipSync(Buffer.from(data, 'base64')).toString()));
  return messageType === 'DATA_MESSAGE' ? logEvents.flatMap(({ message }) => readAccessLine(message) ?? []) : [];
};

/** Checks whether a call had a result. */
export const hasResult = ({ status }: Pick<KeyRequest, 'status'>, result: KeyRequestResult): boolean =>
  result === 'failed' ? status >= 500 : status >= 400 && status < 500;

/** Until when an entry of a time (ISO) is kept, in seconds since 1970. */
export const keyRequestEnd = (at: string): number => Math.ceil((Date.parse(at) + keptDays * milliseconds.day) / 1000);
