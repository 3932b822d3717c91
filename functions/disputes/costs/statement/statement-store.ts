import { crossFacets } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { type AlertCost, creditReasons } from '#disputes/alerts/cost/cost.ts';
import { type CreditSummary, creditEntity, fromCostItem } from '#disputes/alerts/cost/cost-row.ts';
import { toStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import { fromCaseItem } from '#disputes/alerts/intake/case-row.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import { compareStatement, type KnownCase, type StatementComparison, type StatementLine } from './statement.ts';

/** DynamoDB's limit for one call. */
const keysPerCall = 100;

const readInGroups = async <T>(list: readonly T[], keyOf: (one: T) => { pk: string; sk: string }) => {
  const items = [];
  for (let from = 0; from < list.length; from += keysPerCall) {
    items.push(...(await getItems(list.slice(from, from + keysPerCall).map(keyOf))));
  }
  return items;
};

/** Returns the cases of a statement that are stored here, by their stored names. */
const readKnownCases = async (
  provider: SigningProvider,
  caseIds: readonly string[],
): Promise<Map<string, KnownCase>> => {
  const unique = [...new Set(caseIds)];
  const cases = (await readInGroups(unique, (caseId) => keys.providerCase(provider, caseId))).map(fromCaseItem);
  const found = unique.flatMap((caseId, index) => {
    const alertId = cases[index]?.alertId;
    return alertId === undefined ? [] : [{ caseId, alertId }];
  });
  const costs = await readInGroups(found, ({ alertId }) => keys.alertCost(alertId));
  return new Map(found.map(({ caseId }, index) => [caseId, fromCostItem(costs[index]) ?? ('unassigned' as const)]));
};

/** The costs of a provider's alerts of a month whose credit was claimed or granted. `month`: `2026-05`. */
const readExpectedCredits = async (provider: SigningProvider, month: string): Promise<AlertCost[]> => {
  const listed: CreditSummary[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<CreditSummary>({
      ...{ entity: creditEntity, scopeIndex: 1, scope: 'all', order: 'ASC', size: 500, cursor },
      facets: crossFacets(['claimed', 'granted'], creditReasons),
      ...{ from: `${month}-01T00:00:00.000Z`, to: `${month}-31T23:59:59.999Z` },
    });
    listed.push(...page.list.filter((one) => one.provider === provider));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const items = await readInGroups(listed, ({ alert_id }) => keys.alertCost(alert_id));
  return items.flatMap((item) => fromCostItem(item) ?? []);
};

/** Compares a provider's statement of a month with the alerts that were received, and with their credits. */
export const compareWithStatement = async (
  { provider, month }: { provider: SigningProvider; month: string },
  sent: readonly StatementLine[],
): Promise<StatementComparison & { claimable: number[] }> => {
  // Credits name their cases as they are stored, which for a name like a card number is not as it was sent.
  const lines = await Promise.all(
    sent.map(async (line) => ({ ...line, caseId: (await toStoredCaseName(provider, line.caseId)).caseId })),
  );
  const [known, expected] = await Promise.all([
    readKnownCases(
      provider,
      lines.map(({ caseId }) => caseId),
    ),
    readExpectedCredits(provider, month),
  ]);
  const claimable = [...known.values()].flatMap((one) =>
    typeof one === 'object' && one.credit.state === 'claimable' ? [one.alertId] : [],
  );
  return { ...compareStatement(lines, (caseId) => known.get(caseId), expected), claimable };
};
