import { milliseconds, nowIso } from '#core/kernel/clock.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { pushTo } from './push-client.ts';
import { pushContent } from './push-text.ts';

type PushDevice = { id: string; endpoint: string; p256dh: string; auth: string; language: string };

/** Users as far as their devices are concerned; `sessionsEndedAt` is ISO. */
export type PushReader = { username: string; sessionsEndedAt: string | null };

export type PushPort = {
  /** The devices of a user that are notified, and their keys; undefined: none. */
  findNotifiedDevices: (
    username: string,
    sessionsEndedAt: string | null,
  ) => Promise<{ publicKey: string; privateKey: string; list: readonly PushDevice[] } | undefined>;
  forgetDevice: (username: string, id: string) => Promise<void>;
};

const longestKeptSeconds = 86_400;
const urgentKinds: readonly Mail['kind'][] = ['alert_deadline', 'alert_assigned', 'alert_mention'];

/** For how long a push service keeps a notification: until the deadline, for at most a day. */
const keptSeconds = (dueAt: string | null, now: string): number => {
  const left = dueAt === null ? longestKeptSeconds : (Date.parse(dueAt) - Date.parse(now)) / milliseconds.second;
  return left <= 0 ? longestKeptSeconds : Math.min(longestKeptSeconds, Math.max(60, Math.floor(left)));
};

/** Shows an e-mail on a user's devices that do not show it yet; returns those that need no further try. */
const showToReader = async (
  mail: Mail,
  letter: Letter,
  { username, sessionsEndedAt }: PushReader,
  { findNotifiedDevices, forgetDevice }: PushPort,
): Promise<string[]> => {
  const now = nowIso();
  const found = await findNotifiedDevices(username, sessionsEndedAt);
  if (!found) return [];
  const { list, ...keys } = found;
  const options = { ttlSeconds: keptSeconds(letter.dueAt, now), isUrgent: urgentKinds.includes(mail.kind) };
  const show = async ({ id, language, ...subscription }: PushDevice): Promise<string[]> => {
    const content = pushContent(mail, letter, language, now);
    if (!content || mail.shownOn?.includes(id)) return [];
    const result = await pushTo(subscription, keys, content, options);
    if (result.kind === 'failed') {
      log('warn', 'push_failed', { mailId: mail.id, device: id, detail: result.detail });
      return [];
    }
    if (result.kind === 'gone') await forgetDevice(username, id);
    return [id];
  };
  return (await Promise.all(list.map(show))).flat();
};

/**
 * Shows an e-mail on the devices of the users who get it, apart from those in `shownOn`; returns the devices that need no further try. Never
 * throws: the e-mail has the same content, so it neither waits for a device nor is repeated for one.
 */
export const showOnDevices = async (
  mail: Mail,
  letter: Letter,
  readers: readonly PushReader[],
  port: PushPort,
): Promise<string[]> => {
  if (!pushContent(mail, letter, 'en', nowIso())) return [];
  const results = await Promise.allSettled(readers.map((reader) => showToReader(mail, letter, reader, port)));
  for (const result of results)
    if (result.status === 'rejected')
      log('error', 'push_failed', { mailId: mail.id, error: describeError(result.reason) });
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};
