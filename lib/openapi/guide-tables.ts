import { explainCode, explainedCodes } from '#accounts/documents/error-help.ts';
import { codesOf } from '#disputes/alerts/answer/reason-codes.ts';

/** Tables of the guides that follow from the code. */

const results = ['001', '002', '003'] as const;
const marks = { alert_outcome_amount: '\\*', comments: '†', duplicate_alertid: '‡' } as const;

type Code = ReturnType<typeof codesOf>[number];

const cell = (codes: readonly Code[], reason: string, result: string): string => {
  const found = codes.find(({ reason_code }) => reason_code === `${reason}.${result}`);
  return found ? `${found.reason_code}${found.needs.map((need) => marks[need]).join('')}` : '';
};

const rowsOf = (provider: 'provider_a' | 'provider_b'): string[] => {
  const codes = codesOf(provider);
  const reasons = new Map(codes.map((code) => [code.reason_code.split('.')[0] ?? '', code]));
  return [...reasons].map(([reason, { meaning, outcome }]) =>
    `| ${[reason, meaning, outcome, ...results.map((result) => cell(codes, reason, result))].join(' | ')} |`.replaceAll(
      '  ',
      ' ',
    ),
  );
};

/** The reason codes of both networks, in Markdown. */
export const reasonCodesTable = (): string => {
  const head = '| reason | meaning | status | refunded | not refunded | never settled |\n|---|---|---|---|---|---|';
  return (['provider_a', 'provider_b'] as const)
    .map((provider) => `**${provider}**\n\n${head}\n${rowsOf(provider).join('\n')}`)
    .join('\n\n');
};

/** Every code of a refusal, by the status under which it travels, in Markdown. */
export const errorCodesTable = (): string => {
  const byStatus = Map.groupBy(
    explainedCodes.flatMap((code) => explainCode(code) ?? []),
    ({ status }) => status,
  );
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, own]) => {
      const rows = own.map(({ code, msg, help }) => `| <a id="${code}"></a>\`${code}\` | ${msg} | ${help} |`);
      return `## ${status}\n\n| code | it says | what to do |\n|---|---|---|\n${rows.join('\n')}`;
    })
    .join('\n\n');
};

/** The text with a table put between its two comments. Throws if the text has no such place. */
export const withTable = (text: string, name: string, table: string): string => {
  const place = new RegExp(`(<!-- table: ${name} -->\n)[\\s\\S]*?(<!-- end of table -->)`);
  if (!place.test(text)) throw new Error(`There is no place for the table "${name}".`);
  return text.replace(place, (_, begin: string, close: string) => `${begin}\n${table}\n\n${close}`);
};
