import colours from 'picocolors';
import * as v from 'valibot';

/** An attempt at a notification, as the list of notifications shows it. */
const Attempt = v.object({
  at: v.string(),
  status: v.nullable(v.number()),
  latency_ms: v.number(),
  error: v.nullable(v.string()),
  reply_update: v.optional(v.object({ accepted: v.boolean(), reason: v.optional(v.string()) })),
});
export const Notification = v.object({
  id: v.string(),
  kind: v.string(),
  state: v.string(),
  url: v.nullable(v.string()),
  alert_id: v.nullable(v.number()),
  next_attempt_at: v.nullable(v.string()),
  attempts: v.array(Attempt),
});
export type Notification = v.InferOutput<typeof Notification>;

/** The reason why an attempt did not count, for a developer who checks their own endpoint. */
const reasons: Readonly<Record<string, string>> = {
  connect: 'connection refused: no server is listening there',
  dns: 'DNS: the name is not known',
  tls: 'TLS: the certificate or the handshake is not right',
  timeout: 'time-out: no whole reply within 15 seconds',
  reset: 'the connection broke off',
  redirect: 'redirects are not followed',
  protocol: 'the reply is not valid HTTP',
  http_status: 'only 2xx counts as delivered',
  address_refused: 'only public addresses are called, and on this machine loopback addresses',
  url_refused: 'this URL may not be called',
  no_url: 'the site has no URL for it',
  request_invalid: 'the request could not be made',
};

const clock = (iso: string): string => iso.slice(11, 19);

/** Returns the attempts since `known` of each notification: one line each, the oldest first. `known` is updated. */
export const newLines = (list: readonly Notification[], known: Map<string, number>): string[] => {
  const fresh = list.flatMap((notification) => {
    const seen = known.get(notification.id) ?? 0;
    known.set(notification.id, notification.attempts.length);
    return notification.attempts.slice(seen).map((attempt, index) => ({
      at: attempt.at,
      line: attemptLine(notification, attempt, seen + index === notification.attempts.length - 1),
    }));
  });
  return fresh.sort((left, right) => (left.at < right.at ? -1 : 1)).map(({ line }) => line);
};

const attemptLine = (notification: Notification, attempt: v.InferOutput<typeof Attempt>, isLast: boolean): string =>
  `${colours.dim(clock(attempt.at))}  ${attemptText(notification, attempt, isLast)}`;

/** An attempt in words: status, kind, time taken, URL; below it why it failed, and when the next one is made. */
export const attemptText = (
  { kind, url, next_attempt_at: next, alert_id: alertId }: Notification,
  attempt: v.InferOutput<typeof Attempt>,
  isLast: boolean,
): string => {
  const result = String(attempt.status ?? '---');
  const parts = [
    attempt.error === null ? colours.green(result) : colours.red(result),
    kind.padEnd(17),
    `${attempt.latency_ms} ms`.padStart(8),
    url ?? '',
    alertId === null ? '' : colours.dim(`alert ${alertId}`),
  ];
  const why = attempt.error === null ? [] : [reasons[attempt.error] ?? attempt.error];
  const then =
    attempt.error !== null && isLast ? [next === null ? 'not tried again' : `next try ${next.slice(0, 16)}Z`] : [];
  const update = attempt.reply_update;
  const answered = update
    ? [update.accepted ? 'the reply answered the alert' : `the answer in the reply was refused: ${update.reason ?? ''}`]
    : [];
  const words = [...why, ...then, ...answered].join('; ');
  return `${parts.filter(Boolean).join('  ')}${words && `\n          ${words}`}`;
};
