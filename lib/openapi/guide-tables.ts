import { explainCode, explainedCodes } from '#accounts/documents/error-help.ts';
import { type Operation, type Permission, permissions } from '#core/platform/operation/operation.ts';
import { codesInForceSince, listCodes } from '#disputes/alerts/answer/reason-codes.ts';
import { agentTools } from './agent-tools.ts';

/** Tables of the guides that follow from the code. */

const results = ['001', '002', '003'] as const;
const marks = { alert_outcome_amount: '\\*', comments: '†', duplicate_alertid: '‡' } as const;

type Code = ReturnType<typeof listCodes>[number];

const cell = (codes: readonly Code[], reason: string, result: string): string => {
  const found = codes.find(({ reason_code }) => reason_code === `${reason}.${result}`);
  return found ? `${found.reason_code}${found.needs.map((need) => marks[need]).join('')}` : '';
};

const codeRows = (provider: 'provider_a' | 'provider_b'): string[] => {
  const codes = listCodes(provider);
  const reasons = new Map(codes.map((code) => [code.reason_code.split('.')[0] ?? '', code]));
  return [...reasons].map(([reason, { meaning, outcome }]) =>
    `| ${[reason, meaning, outcome, ...results.map((result) => cell(codes, reason, result))].join(' | ')} |`.replaceAll(
      '  ',
      ' ',
    ),
  );
};

const sinceText = (provider: 'provider_a' | 'provider_b'): string => {
  const since = codesInForceSince(provider);
  return since === null ? '' : `, in force since ${since}`;
};

/** The reason codes of both networks, in Markdown. */
export const reasonCodesTable = (): string => {
  const head = '| reason | meaning | status | refunded | not refunded | never settled |\n|---|---|---|---|---|---|';
  return (['provider_a', 'provider_b'] as const)
    .map((provider) => `**${provider}**${sinceText(provider)}\n\n${head}\n${codeRows(provider).join('\n')}`)
    .join('\n\n');
};

const permissionMeanings: Readonly<Record<Permission, string>> = {
  'alerts:read': 'Read alerts, notifications and outcomes.',
  'alerts:answer': 'Answer alerts, add notes, link payments.',
  refunds: 'Refund payments and alerts.',
  'payments:read': 'Read payments, authentications and fraud checks.',
  payments: 'Search cards and e-mail the payers; change fraud lists.',
  'orders:read': 'Read orders and look-ups.',
  orders: 'Send, change and delete orders.',
  'chargebacks:read': 'Read chargebacks.',
  chargebacks: 'Accept chargebacks, submit evidence, claim credits.',
  'reports:read': 'Read reports, costs and credits.',
  'audit:read': 'Read the audit log.',
  'settings:read': 'Read merchants, sites, rules, enrollments and connections.',
  settings: 'Change settings that divert nothing; enroll descriptors; create test alerts.',
  'settings:money': 'Change where money goes: connections, processors, rules.',
  'settings:data': 'Change where data goes: webhook URLs and addresses, replays.',
  'settings:secrets': 'Create sites, rotate secrets, change 3-D Secure settings.',
};

/** Every permission of API keys with the operations that it allows, in Markdown. */
export const permissionsTable = (operations: readonly Operation[]): string => {
  const rows = permissions.map((permission) => {
    const own = operations.filter((one) => one.permission === permission && one.auth === 'bearer');
    return `| \`${permission}\` | ${permissionMeanings[permission]} | ${own.map(callName).join('<br>')} |`;
  });
  return `| permission | what the key may do | operations |\n|---|---|---|\n${rows.join('\n')}`;
};

/** Every tool of agents with the permission that it needs, in Markdown. */
export const toolsTable = (operations: readonly Operation[]): string => {
  const rows = agentTools(operations)
    .toSorted((one, other) => other.kind.localeCompare(one.kind))
    .map(({ name, kind, summary, permission }) => {
      const use = kind === 'act' ? `\`propose\` with \`${name}\`` : `\`${name}\``;
      return `| ${use} | ${summary} | \`${permission}\` |`;
    });
  return `| tool | what it does | permission |\n|---|---|---|\n${rows.join('\n')}`;
};

/** A star: also for keys that are limited to sites. */
const callName = ({ path, siteKeys }: Operation): string => `\`${path}\`${siteKeys ? ' \\*' : ''}`;

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
