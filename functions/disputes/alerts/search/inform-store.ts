import { type OwnerScopes, ownersFilter } from '#accounts/merchants/merchant/owners-store.ts';
import { readSummaries } from '#core/platform/lists/count-repair-store.ts';
import { listNameOf } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { getItems, type Item } from '#core/platform/table/table.ts';
import { everyTerm, type LookUp, listTerms, lookUpOf } from './alert-search.ts';
import type { InformFilters, InformItem } from './inform-filters.ts';
import { fromInformItem, informEntity, informFacet, informKey } from './inform-row.ts';

export type InformPage = { list: InformItem[]; totalResult: number };

const nothing: InformPage = { list: [], totalResult: 0 };

const lookUp = ({ field, keyword }: InformFilters): LookUp => {
  if (field === '' || keyword.trim() === '') return { term: everyTerm };
  const found = lookUpOf(field, keyword);
  if (typeof found === 'object' && 'wrong' in found) throw new Refusal('request_invalid', `keyword: ${found.wrong}`);
  return found;
};

/** One page of the informational alerts that a caller's filters allow. Throws request_invalid for a wrong keyword. */
export const listInform = async (filters: InformFilters, caller: Caller): Promise<InformPage> => {
  const wanted = lookUp(filters);
  const scope = await ownersFilter(filters, caller);
  if (wanted === 'nothing' || 'wrong' in wanted || !scope) return nothing;
  if ('alertId' in wanted) return findOne(wanted.alertId, filters, scope);
  const { reseller, date_from: from, date_to: to, order, size, page } = filters;
  const term = 'term' in wanted ? wanted.term : everyTerm;
  const { list, totalResult } = await readPage<InformItem>({
    entity: reseller ? reseller.map((one) => informEntity(term, one)) : informEntity(term),
    ...scope,
    facets: 'type' in wanted ? [informFacet(wanted.type)] : undefined,
    from,
    to,
    order,
    size,
    offset: (page - 1) * size,
  });
  return { list, totalResult };
};

/** The page with one alert, if the filters allow it. */
const findOne = async (alertId: number, filters: InformFilters, scope: OwnerScopes): Promise<InformPage> => {
  const { reseller, date_from: from = '', date_to: to = '9', page } = filters;
  const sellers: readonly (number | undefined)[] = reseller ?? [undefined];
  if (sellers.length === 0) return nothing;
  const lists = sellers.flatMap((one) => scope.scope.map((owner) => listNameOf(informEntity(everyTerm, one), owner)));
  const items = await getItems(sellers.map((one) => informKey(alertId, everyTerm, one)));
  const isAllowed = (item: Item) => {
    const position = String(item['listSk']);
    return lists.includes(String(item[`list${scope.scopeIndex}Pk`])) && position >= from && position < to;
  };
  const found = items.find((item) => item !== undefined && isAllowed(item));
  if (!found) return nothing;
  return { list: page === 1 ? [fromInformItem(found)] : [], totalResult: 1 };
};

/** Returns the names of all lists of informational alerts of a merchant, or of all merchants. */
export const findInformEntities = async (owner: number | 'all'): Promise<string[]> => {
  const entities = new Set([informEntity(everyTerm)]);
  for await (const item of readSummaries<InformItem>({ entity: informEntity(everyTerm), owner })) {
    for (const term of listTerms({
      descriptor: item.descriptor,
      card: item.cardnumber,
      amount: item.transaction_amount,
    })) {
      entities.add(informEntity(term));
      if (item.partnerid !== '') entities.add(informEntity(term, Number(item.partnerid)));
    }
  }
  return [...entities];
};
