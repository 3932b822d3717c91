/**
 * A text that a spreadsheet would take for a formula gets an apostrophe before it. Some take the full-width signs of Japanese keyboards too.
 * Every text is quoted: where lists are separated by semicolons or tabs, these would begin a new cell.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text);

const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value);
  return `"${(isFormula(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

/** Rows as RFC 4180 has them, in UTF-8 with a mark by which spreadsheets know it. */
export const csvText = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
};

/** A file's name that says what was exported, by which filters and when: `alerts-OPEN-2026-05-02T1000Z.csv`. */
export const csvName = (title: string, filters: readonly string[], at: number): string => {
  const time = `${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z`;
  const parts = [title, ...filters, time].map((part) => part.trim().replaceAll(/[^\w.-]+/g, '_')).filter(Boolean);
  return `${parts.join('-').slice(0, 120)}.csv`;
};
