import { milliseconds } from '#core/kernel/clock.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import { oneLine } from '#core/platform/mail/letter-words.ts';
import type { Mail, MailKind } from '#core/platform/mail/mail.ts';
import words from './push-words.json' with { type: 'json' };

type Words = typeof words.en;

/** The texts of notifications by the language of a device. `{time}`: the time left. */
export const pushWords: Readonly<Record<string, Words>> = words;

/** The e-mails that devices show as well. Others can wait for the inbox. */
const titles: Partial<Record<MailKind, Exclude<keyof Words, 'left' | 'test'>>> = {
  new_alert: 'newAlert',
  alert_changed: 'changed',
  alert_review: 'review',
  alert_deadline: 'dueSoon',
  alert_assigned: 'assigned',
  alert_mention: 'mentioned',
};

/** Hours and minutes, which all languages abbreviate alike. */
const timeLeft = (length: number): string => {
  const minutes = Math.floor(length / milliseconds.minute);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ');
};

/** A notification as a device shows it. `path`: the rest of the dashboard's address. `tag`: a later one with the same tag replaces it. */
export type PushContent = { title: string; body: string; path: string; tag: string; lang: string };

/** At most this many characters of a site's name: push services take 4 KB, and devices show two lines. */
const longestSite = 60;

/**
 * Writes the notification about an e-mail at a time (ISO): no card, no reason and no words of people, because a locked screen shows it too.
 * Undefined if devices do not show it.
 */
export const pushContent = (
  { id, kind }: Pick<Mail, 'id' | 'kind'>,
  { notice, dueAt, link }: Letter,
  language: string,
  now: string,
): PushContent | undefined => {
  const key = titles[kind];
  const words = pushWords[language] ?? pushWords['en'];
  if (!key || !words || !notice || !link) return undefined;
  const left = dueAt === null ? 0 : Date.parse(dueAt) - Date.parse(now);
  const title = words[key === 'dueSoon' && left <= 0 ? 'overdue' : key];
  const site = oneLine(notice.site).slice(0, longestSite).toWellFormed();
  const time = left > 0 ? words.left.replace('{time}', timeLeft(left)) : '';
  return {
    title: notice.isTest ? `[${words.test}] ${title}` : title,
    body: [oneLine(notice.amount), site, time].filter(Boolean).join(' · '),
    path: link.path,
    tag: id,
    lang: language,
  };
};
