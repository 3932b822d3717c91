import type { Letter } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { leftUntil, oneLine, type Reader, timeText, valueText } from './letter-words.ts';
import type { MailText } from './mail-text.ts';

/** At most 200 UTF-16 units; half a surrogate pair at the end, which cannot be sent, goes too. */
const shorten = (text: string): string => text.slice(0, 200).replace(/[\ud800-\udbff]$/, '');

/** Words without lines that begin as a header or a quotation might; their own line breaks stay. */
const quoteText = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${oneLine(line)}`)
    .join('\n');

const plainText = (letter: Letter, reader: Reader, dashboard: string | null): string => {
  const url = dashboardLink(letter.link, dashboard);
  const { kicker, heading, reason, lead, dueAt, quote, rows, link } = letter;
  const shown = rows
    .map(([name, value]) => [oneLine(name), valueText(value, reader)] as const)
    .filter(([, value]) => value);
  const due = dueAt === null ? [] : [['Answer by', dueText(dueAt, reader)] as const];
  const all = [...due, ...shown];
  const width = Math.max(0, ...all.map(([name]) => name.length)) + 2;
  return [
    oneLine(kicker).toUpperCase(),
    [heading, reason].filter(Boolean).map(oneLine).join(' – '),
    '',
    oneLine(lead),
    ...(quote ? ['', quoteText(quote)] : []),
    ...(all.length > 0 ? ['', ...all.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`)] : []),
    ...(letter.sections ?? []).flatMap((section) => sectionLines(section, reader, dashboard)),
    ...(link && url !== null ? ['', `${link.words}: ${url}`] : []),
    '',
  ].join('\n');
};

const dashboardLink = (link: { path: string } | null, dashboard: string | null): string | null =>
  link && dashboard !== null ? `${dashboard}${link.path}` : null;

type Section = NonNullable<Letter['sections']>[number];

const sectionLines = ({ title, items }: Section, reader: Reader, dashboard: string | null): string[] => [
  '',
  `${oneLine(title)}:`,
  ...items.flatMap((item) => [
    `- ${[item.title, item.words, item.dueAt === null ? '' : `answer by ${dueText(item.dueAt, reader)}`].filter(Boolean).map(oneLine).join(', ')}`,
    ...[dashboardLink(item, dashboard)].flatMap((url) => (url === null ? [] : [`  ${url}`])),
  ]),
];

const dueText = (dueAt: string, { zone, now }: Reader): string =>
  `${timeText(dueAt, zone)} (${leftUntil(dueAt, now).words})`;

/** Writes a letter for its reader. `dashboard`: the address of the dashboard; null: not known, then there is no link. */
export const writeLetter = (letter: Letter, reader: Reader, dashboard: string | null): MailText => {
  return {
    subject: shorten(oneLine(letter.subject)),
    text: plainText(letter, reader, dashboard),
    html: letterHtml(letter, reader, dashboard),
  };
};
