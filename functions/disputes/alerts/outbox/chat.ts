import { milliseconds } from '#core/kernel/clock.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { day } from '#core/platform/mail/mail-text.ts';
import type { ChatKind } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { type Alert, isOpen } from '../alert.ts';
import { asksOf } from './alert-mail.ts';

/** `at`: ISO, when it is sent. `dashboard`: its address; null: not known. */
type Context = { at: string; dashboard: string | null };

/** Slack takes 150 characters in a heading, the lowest limit of either service for any text here. */
const longestText = 150;

/**
 * One line of plain text. Descriptors come from issuers and acquirers and may contain anything: without angle brackets, Slack reads
 * no mentions or links in them, however it parses the text.
 */
const plain = (text: string): string => {
  const line = redactText(text)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
  const characters = [...line.trim()];
  return characters.length > longestText ? `${characters.slice(0, longestText - 1).join('')}…` : characters.join('');
};

/** Describes the time left, in words; null if none is. */
const timeLeft = (until: string, at: string): string | null => {
  const minutes = Math.floor((Date.parse(until) - Date.parse(at)) / milliseconds.minute);
  if (minutes < 0) return null;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const deadlineOf = (alert: Alert, at: string): string => {
  if (alert.deadlineAt === null || !isOpen(alert)) return '';
  const until = day(alert.deadlineAt);
  const left = timeLeft(alert.deadlineAt, at);
  return left === null ? `since ${until}: the deadline has passed` : `${left}, until ${until}`;
};

/** The last four digits; an issuer may have sent none. */
const endsOf = (card: string): string => (/\d{4}$/.test(card) ? `ends in ${card.slice(-4)}` : '');

type Message = { title: string; rows: (readonly [name: string, value: string])[]; link: string | null };

const messageOf = (alert: Alert, { at, dashboard }: Context): Message => {
  const { alertId, providerAlert, owner } = alert;
  const { type, amount, currency, card, descriptor, test } = providerAlert;
  const rows = [
    ['Amount', `${amount} ${currency}`],
    ['Card', endsOf(card)],
    ['Descriptor', descriptor],
    ['Time left', deadlineOf(alert, at)],
    ['What to do', asksOf(alert)],
    ['Site', owner ? `${owner.siteName} (${owner.sid})` : ''],
    ['Alert', String(alertId)],
  ] as const;
  return {
    title: plain(`${test ? '[Test] ' : ''}${type} alert: ${amount} ${currency}`),
    // The number is Forewarn's and must not be mistaken for a card's.
    rows: rows
      .map(([name, value]) => [name, name === 'Alert' ? value : plain(value)] as const)
      .filter(([, value]) => value),
    link: dashboard === null ? null : `${dashboard}#/alerts/${alertId}`,
  };
};

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** The rows that the summary repeats after the title. */
const summarised: ReadonlySet<string> = new Set(['Card', 'Descriptor', 'Time left']);

/** For lists and push notifications, which show no blocks. Slack always reads this text as its markup. */
const slackSummary = (text: string): string => text.replaceAll('&', '&amp;').replace(/[*_~`]/g, ' ');

/** Block Kit. Every text is `plain_text`, in which Slack reads no markup. */
const slackMessage = ({ title, rows, link }: Message) => ({
  text: slackSummary([title, ...rows.flatMap(([name, value]) => (summarised.has(name) ? [value] : []))].join(', ')),
  mrkdwn: false,
  unfurl_links: false,
  blocks: [
    { type: 'header', text: plainText(title) },
    { type: 'section', fields: rows.map(([name, value]) => plainText(`${name}\n${value}`)) },
    ...(link === null
      ? []
      : [{ type: 'actions', elements: [{ type: 'button', text: plainText('Open the alert'), url: link }] }]),
  ],
});

const textRun = (text: string, format = {}) => ({ type: 'TextRun', text, ...format });

/** An Adaptive Card, as a Teams workflow takes it, in text runs: unlike text blocks and facts, they do not read Markdown. */
const teamsMessage = ({ title, rows, link }: Message) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        fallbackText: title,
        body: [
          { type: 'RichTextBlock', inlines: [textRun(title, { size: 'Large', weight: 'Bolder' })] },
          ...rows.map(([name, value]) => ({
            type: 'RichTextBlock',
            spacing: 'Small',
            inlines: [textRun(`${name}: `, { weight: 'Bolder' }), textRun(value)],
          })),
        ],
        ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open the alert', url: link }] }),
      },
    },
  ],
});

/** The body of a message that tells a chat of an alert. */
export const chatBody = (kind: ChatKind, alert: Alert, context: Context): string => {
  const message = messageOf(alert, context);
  return JSON.stringify(kind === 'slack' ? slackMessage(message) : teamsMessage(message));
};
