import { escapeHtml } from '#core/kernel/html.ts';

/** An e-mail's words: subject, plain text and HTML of the same content. */
export type MailText = { subject: string; text: string; html: string };
export const day = (time: string): string => time.replace('T', ' ').replace(/(?::\d\d)?(?:\.\d+)?Z$/, ' UTC');
/** One line without control characters: providers may put anything in a descriptor, and a subject is a header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** At most 200 UTF-16 units; half a surrogate pair at the end, which cannot be sent, goes too. */
const shorten = (text: string): string => text.slice(0, 200).replace(/[\ud800-\udbff]$/, '');
/** An e-mail of one sentence and a table of names and values; empty values are left out. */
export const tableMail = (
  subject: string,
  introduction: string,
  rows: readonly (readonly [name: string, value: string])[],
): MailText => {
  const shown = rows.map(([name, value]) => [name, oneLine(value)] as const).filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  const lines = shown.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`);
  const cells = shown.map(
    ([name, value]) =>
      `<tr><th align="left" style="padding:4px 16px 4px 0;font-weight:normal;color:#666">${escapeHtml(name)}</th><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  );
  return {
    subject: shorten(oneLine(subject)),
    text: `${introduction}\n\n${lines.join('\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;color:#111"><p>${introduction}</p><table style="border-collapse:collapse">${cells.join('')}</table></body></html>`,
  };
};
