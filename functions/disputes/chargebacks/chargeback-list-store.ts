import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { type ChargebackSummary, chargebackEntity, fromChargebackItem, toChargebackSummary } from './chargeback-row.ts';
import { chargebackSummaryFields } from './schemas.ts';

const fields = Object.keys(chargebackSummaryFields);
const isWhole = (summary: object): boolean => fields.every((name) => name in summary);

/**
 * Reads a page of chargebacks. Summaries that an earlier release stored lack fields of this one: those chargebacks are read themselves, so
 * that no field is guessed.
 */
export const readChargebackPage = async (request: Omit<PageRequest<ChargebackSummary>, 'entity'>) => {
  const page = await readPage<ChargebackSummary>({ entity: chargebackEntity, ...request });
  const older = page.list.filter((one) => !isWhole(one)).map((one) => one.chargeback_id);
  if (older.length === 0) return page;
  const items = await getItems(older.map(keys.chargeback));
  const found = new Map(
    items.flatMap((item) => fromChargebackItem(item) ?? []).map((one) => [one.id, toChargebackSummary(one)]),
  );
  return { ...page, list: page.list.map((one) => found.get(one.chargeback_id) ?? one) };
};
