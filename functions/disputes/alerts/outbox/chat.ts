import { milliseconds } from '#core/kernel/clock.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import { leftUntil, timeText } from '#core/platform/mail/letter-words.ts';
import type { ChatKind } from '#messaging/webhooks/delivery/delivery-policy.ts';
import { type Alert, isOpen } from '../alert.ts';
import { askWords } from './alert-mail.ts';
import { alertNouns, reasonWords } from './reason-words.ts';

/** `at`: ISO, when it is sent. `dashboard`: its address; null: not known. */
type Context = { at: string; dashboard: string | null };

/** Slack takes 150 characters in a heading, the lowest limit of either service for any text here. */
const longestText = 150;

/**
 * One line of plain text. Descriptors come from issuers and acquirers and may contain anything: without angle brackets, Slack reads
 * no mentions or links in them, however it parses the text.
 */
const plainLine = (text: string): string => {
  const line = redactText(text)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
  const characters = [...line.trim()];
  return characters.length > longestText ? `${characters.slice(0, longestText - 1).join('')}…` : characters.join('');
};

/** The deadline of an alert that awaits an answer, for people whose time zones differ; null: no answer is awaited. */
type Due = { at: string; left: string; urgency: 'calm' | 'soon' | 'late' };

const toDue = ({ deadlineAt, ...alert }: Alert, at: string): Due | null => {
  if (deadlineAt === null || !isOpen(alert)) return null;
  const { words, urgency } = leftUntil(deadlineAt, at);
  return { at: deadlineAt, left: words, urgency };
};

/** The last four digits; an issuer may have sent none. */
const cardEnd = (card: string): string => (/\d{4}$/.test(card) ? `ends in ${card.slice(-4)}` : '');

/** `due`: the deadline, which each service shows in the zone of who reads it. */
type Message = {
  title: string;
  due: Due | null;
  rows: (readonly [name: string, value: string])[];
  link: string | null;
};

const toMessage = (alert: Alert, { at, dashboard }: Context): Message => {
  const { alertId, providerAlert, owner } = alert;
  const { type, amount, currency, card, descriptor, test } = providerAlert;
  const rows = [
    ['Reason', reasonWords(providerAlert)],
    ['Amount', `${amount} ${currency}`],
    ['Card', cardEnd(card)],
    ['Descriptor', descriptor],
    ['What to do', askWords(alert)],
    ['Site', owner?.siteName ?? ''],
    ['Alert', String(alertId)],
  ] as const;
  return {
    title: plainLine(`${test ? '[Test] ' : ''}${alertNouns[type]}: ${amount} ${currency}`),
    due: toDue(alert, at),
    // The number is Forewarn's and must not be mistaken for a card's.
    rows: rows
      .map(([name, value]) => [name, name === 'Alert' ? value : plainLine(value)] as const)
      .filter(([, value]) => value),
    link: dashboard === null ? null : `${dashboard}#/alerts/${alertId}`,
  };
};

const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** The rows that the summary repeats after the title. */
const summarised: ReadonlySet<string> = new Set(['Reason', 'Card', 'Descriptor']);

/** For lists and push notifications, which show no blocks. Slack always reads this text as its markup. */
const slackSummary = (text: string): string => text.replaceAll('&', '&amp;').replace(/[*_~`]/g, ' ');

/**
 * Slack shows a date element in the reader's own time zone. It is structured: no markup is read.
 * @see https://docs.slack.dev/reference/block-kit/block-elements/date-element
 */
const slackDue = ({ at, left, urgency }: Due) => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        {
          type: 'text',
          text: `${capital(left)}. ${urgency === 'late' ? 'It was ' : 'Answer by '}`,
          style: { bold: true },
        },
        {
          type: 'date',
          timestamp: Date.parse(at) / milliseconds.second,
          format: '{date_short_pretty} at {time}',
          fallback: timeText(at, null),
          style: { bold: true },
        },
      ],
    },
  ],
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Block Kit. Outside texts are all `plain_text`, in which Slack reads no markup. */
const slackMessage = ({ title, due, rows, link }: Message) => ({
  text: slackSummary(
    [title, ...rows.flatMap(([name, value]) => (summarised.has(name) ? [value] : [])), due?.left ?? '']
      .filter(Boolean)
      .join(', '),
  ),
  mrkdwn: false,
  unfurl_links: false,
  blocks: [
    { type: 'header', text: plainText(title) },
    ...(due === null ? [] : [slackDue(due)]),
    { type: 'section', fields: rows.map(([name, value]) => plainText(`${name}\n${value}`)) },
    ...(link === null
      ? []
      : [{ type: 'actions', elements: [{ type: 'button', text: plainText('Open the alert'), url: link }] }]),
  ],
});

const textRun = (text: string, format = {}) => ({ type: 'TextRun', text, ...format });

const teamsTones = { calm: 'Default', soon: 'Warning', late: 'Attention' } as const;

/**
 * Teams shows these functions in the reader's own time zone. They work in text blocks, which read Markdown: this one has no outside text.
 * @see https://learn.microsoft.com/en-us/adaptive-cards/create/textfeatures
 */
const teamsDue = ({ at, left, urgency }: Due) => {
  const utc = `${at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`;
  const before = urgency === 'late' ? 'It was' : 'Answer by';
  return {
    type: 'TextBlock',
    text: `${capital(left)}. ${before} {{DATE(${utc},SHORT)}} at {{TIME(${utc})}}`,
    weight: 'Bolder',
    color: teamsTones[urgency],
    wrap: true,
  };
};

/** An Adaptive Card, as a Teams workflow takes it. Outside texts are text runs: unlike text blocks and facts, they do not read Markdown. */
const teamsMessage = ({ title, due, rows, link }: Message) => ({
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
          ...(due === null ? [] : [teamsDue(due)]),
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
  const message = toMessage(alert, context);
  return JSON.stringify(kind === 'slack' ? slackMessage(message) : teamsMessage(message));
};
