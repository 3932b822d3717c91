import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { type AlertRow, listAlerts } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { sumByCurrency } from '../parts/money.ts';
import { dayText } from '../parts/times.ts';

const pieceSize = 200;
/** The number of pages that are read; screens say so if there are more. */
const maxPages = 5;

export type AlertsRead = { rows: readonly AlertRow[]; isWhole: boolean };
type Asked = NonNullable<Parameters<typeof listAlerts>[0]['body']>;

/** Reads the first thousand alerts of a list at most. */
export const readAlerts = async (asked: Omit<Asked, 'size' | 'cursor'>, signal?: AbortSignal): Promise<AlertsRead> => {
  const { mid } = ofMerchant();
  const rows: AlertRow[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const read: Awaited<ReturnType<typeof listAlerts>> = await listAlerts({
      body: {
        ...(mid !== undefined && { mid: [mid] }),
        ...asked,
        size: pieceSize,
        ...(cursor !== null && { cursor }),
      },
      ...(signal && { signal }),
    });
    rows.push(...read.list);
    cursor = read.next_cursor;
    if (cursor === null) break;
  }
  return { rows, isWhole: cursor === null };
};

const maxNamed = 100;

/** The alerts with these numbers, as far as one may see them; other lists have only their numbers. */
export const readNamedAlerts = async (
  ids: readonly (number | null)[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, AlertRow>> => {
  const named = [...new Set(ids)].filter((id) => id !== null);
  const pieces = Array.from({ length: Math.ceil(named.length / maxNamed) }, (_, n) =>
    named.slice(n * maxNamed, (n + 1) * maxNamed),
  );
  const pages = await Promise.all(
    pieces.map((alert_ids) => listAlerts({ body: { alert_ids }, ...(signal && { signal }) })),
  );
  return new Map(pages.flatMap(({ list }) => list.map((row) => [row.alert_id, row] as const)));
};

/** Said under figures of a list that was not read to its end. */
export const newestOnly = (): string => translate('Of the newest 1,000 alerts.');

/** The alerts that arrived this month, newest first. */
export const readMonth = (signal?: AbortSignal): Promise<AlertsRead> =>
  readAlerts({ date_from: `${dayText(serviceNow()).slice(0, '2026-05'.length)}-01` }, signal);

export type RuleWork = { id: number; name: string; answered: number; refunded: { amount: string; currency: string }[] };
const answers: ReadonlySet<string> = new Set(['refunded', 'resolved', 'declined']);

/** The answers of each rule, the rule with most of them first. Test alerts are left out. */
export const sumRules = (rows: readonly Pick<AlertRow, 'rule' | 'amount' | 'currency' | 'test'>[]): RuleWork[] => {
  const answered = rows.flatMap(({ rule, ...row }) =>
    rule && answers.has(rule.result) && !row.test ? [{ ...row, rule }] : [],
  );
  return [...Map.groupBy(answered, ({ rule }) => rule.rule_id)]
    .map(([id, own]) => ({
      id,
      name: own[0]?.rule.name ?? '',
      answered: own.length,
      refunded: sumByCurrency(own.filter(({ rule }) => rule.result === 'refunded')),
    }))
    .sort((left, right) => right.answered - left.answered);
};
