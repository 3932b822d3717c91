import { escapeHtml } from '#core/kernel/html.ts';
import type { Letter, LetterItem } from './letter.ts';
import { leftUntil, oneLine, type Reader, timeText, valueText } from './letter-words.ts';

/**
 * The HTML part. Mail programs differ from browsers: the layout is tables, and each element has its light colours in `style`, which all
 * programs read. Programs that know a dark theme read the sheet, whose colours are the dashboard's.
 */
const sheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#0a1112!important}.sheet{background:#111a1b!important;border-color:#223031!important}
.ink{color:#e8f0ee!important}.soft{color:#b7c5c2!important}.faint{color:#9aaba8!important}.line{border-color:#1a2627!important}
.brand{color:#6fcacb!important}.button{background:#5cc2c4!important;color:#06191a!important}
.calm{background:#10292c!important;color:#6fcacb!important}.soon{background:#2d220d!important;color:#f0b34a!important}
.late{background:#2f1714!important;color:#ff8d7d!important}.quote{background:#0d1516!important;border-color:#24494c!important}}
@media (max-width:480px){.outer{padding:0!important}.sheet{border-radius:0!important;border-width:0!important}.pad{padding-left:20px!important;padding-right:20px!important}
.name,.value{display:block!important;width:auto!important;padding-right:0!important}.name{padding-bottom:0!important}.value{padding-top:1px!important;border-width:0!important}}`;

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const tones = {
  calm: 'background:#e4f0f0;color:#0a545b',
  soon: 'background:#fdf2dd;color:#875200',
  late: 'background:#fdece9;color:#b3261e',
} as const;

const escapeLine = (value: string): string => escapeHtml(oneLine(value));

const dueBox = (dueAt: string, { zone, now }: Reader): string => {
  const { words, urgency } = leftUntil(dueAt, now);
  const head = urgency === 'late' ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  const at = `${urgency === 'late' ? 'It was' : 'Answer by'} ${timeText(dueAt, zone)}`;
  return `<tr><td class="pad" style="padding:20px 32px 0"><table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td class="${urgency}" style="padding:14px 18px;border-radius:10px;${tones[urgency]}"><div style="font-size:20px;line-height:1.3;font-weight:600">${escapeLine(head)}</div><div style="font-size:14px;line-height:1.5">${escapeLine(at)}</div></td></tr></table></td></tr>`;
};

const quoteBox = (quote: string): string => {
  const lines = quote
    .split(/\r\n|[\r\n]/)
    .map(escapeLine)
    .join('<br>');
  return `<tr><td class="pad" style="padding:20px 32px 0"><div class="quote ink" style="padding:12px 16px;border-left:3px solid #b6d4d4;border-radius:0 8px 8px 0;background:#f6f8f8;color:#12201f;font-size:15px;line-height:1.55;overflow-wrap:anywhere">${lines}</div></td></tr>`;
};

const buttonHtml = (words: string, url: string): string =>
  `<tr><td class="pad" style="padding:22px 32px 0"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#0b5a62;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escapeLine(words)}</a></td></tr>`;

const rowHtml = (name: string, value: string): string =>
  `<tr><td class="name faint line" valign="top" style="padding:8px 16px 8px 0;border-top:1px solid #ecf0ef;color:#566663;font-size:13px;line-height:1.5;width:34%">${escapeLine(name)}</td><td class="value ink line" valign="top" style="padding:8px 0;border-top:1px solid #ecf0ef;color:#12201f;font-size:14px;line-height:1.5;overflow-wrap:anywhere">${escapeLine(value)}</td></tr>`;

const itemHtml = (
  { title, words, path, dueAt }: LetterItem,
  { zone, now }: Reader,
  dashboard: string | null,
): string => {
  const due = dueAt === null ? null : leftUntil(dueAt, now);
  const head =
    dashboard === null
      ? escapeLine(title)
      : `<a class="ink" href="${escapeHtml(`${dashboard}${path}`)}" style="color:#12201f;text-decoration:underline">${escapeLine(title)}</a>`;
  const left =
    due === null || dueAt === null
      ? ''
      : `<td class="line" valign="top" align="right" style="padding:12px 0 12px 12px;border-top:1px solid #ecf0ef;white-space:nowrap"><span class="${due.urgency}" style="display:inline-block;padding:3px 9px;border-radius:7px;font-size:13px;font-weight:600;${tones[due.urgency]}">${escapeLine(due.urgency === 'late' ? 'Late' : due.words)}</span><div class="faint" style="padding-top:3px;color:#566663;font-size:12px">${escapeLine(timeText(dueAt, zone))}</div></td>`;
  return `<tr><td class="line" valign="top" style="padding:12px 0;border-top:1px solid #ecf0ef;overflow-wrap:anywhere"><div class="ink" style="color:#12201f;font-size:15px;line-height:1.4;font-weight:600">${head}</div><div class="soft" style="color:#42524f;font-size:13px;line-height:1.5">${escapeLine(words)}</div></td>${left}</tr>`;
};

type Section = NonNullable<Letter['sections']>[number];

const sectionHtml = ({ title, items }: Section, reader: Reader, dashboard: string | null): string =>
  `<tr><td class="pad" style="padding:26px 32px 0"><div class="ink" style="padding-bottom:8px;color:#12201f;font-size:16px;font-weight:600">${escapeLine(title)}</div><table width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse">${items.map((item) => itemHtml(item, reader, dashboard)).join('')}</table></td></tr>`;

const brand =
  '<tr><td class="pad brand" style="padding:22px 32px 0;color:#0a545b;font-size:14px;font-weight:700;letter-spacing:-0.01em">Forewarn</td></tr>';

/** The HTML of a letter for its reader. `dashboard`: its address; null: without links. Every text is escaped. */
export const letterHtml = (letter: Letter, reader: Reader, dashboard: string | null): string => {
  const url = letter.link && dashboard !== null ? `${dashboard}${letter.link.path}` : null;
  const { subject, kicker, heading, reason, lead, dueAt, quote, rows, link } = letter;
  const shown = rows.map(([name, value]) => [name, valueText(value, reader)] as const).filter(([, value]) => value);
  return `<!doctype html><html lang="${escapeLine(letter.language ?? 'en')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeLine(subject)}</title><style>${sheet}</style></head>
<body class="page" style="margin:0;padding:0;background:#eef2f1;${font}">
<table role="presentation" class="page" width="100%" cellspacing="0" cellpadding="0" style="background:#eef2f1"><tr><td class="outer" align="center" style="padding:32px 12px">
<table role="presentation" class="sheet" width="100%" cellspacing="0" cellpadding="0" style="max-width:580px;background:#ffffff;border:1px solid #e0e7e5;border-radius:14px;text-align:left">
${letter.forPayer ? '' : brand}
<tr><td class="pad" style="padding:18px 32px 0"><div class="faint" style="color:#566663;font-size:13px;line-height:1.5;font-weight:600">${escapeLine(kicker)}</div><div class="ink" style="color:#12201f;font-size:30px;line-height:1.2;font-weight:600;letter-spacing:-0.02em;overflow-wrap:anywhere">${escapeLine(heading)}</div>${reason ? `<div class="ink" style="padding-top:4px;color:#12201f;font-size:17px;line-height:1.4;overflow-wrap:anywhere">${escapeLine(reason)}</div>` : ''}<div class="soft" style="padding-top:10px;color:#42524f;font-size:15px;line-height:1.55">${escapeLine(lead)}</div></td></tr>
${quote ? quoteBox(quote) : ''}${dueAt === null ? '' : dueBox(dueAt, reader)}${link && url !== null ? buttonHtml(link.words, url) : ''}
${(letter.sections ?? []).map((section) => sectionHtml(section, reader, dashboard)).join('')}
${shown.length > 0 ? `<tr><td class="pad" style="padding:24px 32px 0"><table width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse">${shown.map(([name, value]) => rowHtml(name, value)).join('')}</table></td></tr>` : ''}
<tr><td class="pad faint" style="padding:24px 32px 28px;color:#566663;font-size:12px;line-height:1.5">${escapeLine(footerHtml(letter, reader))}</td></tr>
</table></td></tr></table></body></html>`;
};

/** The time zone is named, and where to change it: a reader must not take UTC for their own time. */
const footerHtml = ({ dueAt, rows, sections }: Letter, { zone }: Reader): string => {
  if (!sections && dueAt === null && rows.every(([, value]) => typeof value === 'string')) return '';
  return zone === null
    ? 'Times are in UTC. Choose your time zone in the dashboard under “Your account”.'
    : `Times are in your time zone, ${zone.replaceAll('_', ' ')}.`;
};
