import * as v from 'valibot';
import type { Site } from '#accounts/merchants/site/site.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import type { Item, Key, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import type { Alert } from '../alert.ts';
import { everyTerm, listTerms } from './alert-search.ts';
import { type InformItem, informItem, readReseller } from './inform-filters.ts';

const termEntity = 'INFORM';
const resellerTermEntity = 'INFORM@';

const InformRow = defineRow<InformItem>({
  entity: termEntity,
  attribute: 'summary',
  schema: v.looseObject({
    id: v.number(),
    ...texts('alertdate', 'descriptor', 'transaction_date', 'transaction_currency', 'transaction_amount'),
    ...texts('cardnumber', 'providername', 'provider_caseid', 'arn', 'authcode', 'alert_type', 'partnerid'),
    ...texts('retailername', 'sitename', 'issuername', 'source', 'chargeback_proceeded', 'is_duplicate'),
    ...texts('matched_descriptor', 'merchantname'),
    duplicate_alertid: v.nullable(v.number()),
  }),
});

/** The name of the list of alerts with a term: those of all sites, or of a reseller's sites. */
export const informEntity = (term: string, reseller?: number): string =>
  reseller === undefined ? `${termEntity}#${term}` : `${resellerTermEntity}${reseller}#${term}`;

export const informFacet = (type: AlertType): string => facetOf(type, '-');

export const informKey = (alertId: number, term: string, reseller?: number): Key =>
  keys.informTerm(alertId, reseller === undefined ? term : `@${reseller}#${term}`);

/** Only the list of all alerts is filtered by type; the rows of other terms need no such indexes. */
const informLists = (item: InformItem, { mid, rid, sid }: Site, term: string, reseller?: number): Item => {
  const listed = listKeys(
    informEntity(term, reseller),
    ['all', `M${mid}`, `R${rid}`, `S${sid}`],
    informFacet(item.alert_type),
    listPosition(item.alertdate, item.id),
  );
  return term === everyTerm
    ? listed
    : Object.fromEntries(Object.entries(listed).filter(([name]) => !name.endsWith('fPk')));
};

/** An informational alert's rows, one per term, and again per term for its site's reseller. */
const informItems = (alert: Alert, site: Site): (Key & Item)[] => {
  const item = informItem(alert, site);
  if (!item) return [];
  const reseller = readReseller(site);
  const sellers = reseller === undefined ? [undefined] : [undefined, reseller];
  return listTerms(alert.providerAlert).flatMap((term) =>
    sellers.map((seller) => ({
      ...informKey(alert.alertId, term, seller),
      ...InformRow.stamp,
      ...informLists(item, site, term, seller),
      summary: item,
    })),
  );
};

/** The parts of a transaction that make a site's informational alert searchable. */
export const informWrites = (alert: Alert, site: Site): Write[] =>
  informItems(alert, site).map((Item) => ({ Put: { Item } }));

/** The same after its provider changed it: terms it no longer has, such as its former amount, no longer find it. */
export const changedInformWrites = (before: Alert, after: Alert, site: Site): Write[] => {
  const present = new Set(informItems(after, site).map(({ pk }) => pk));
  const former = informItems(before, site).filter(({ pk }) => !present.has(pk));
  return [...informWrites(after, site), ...former.map(({ pk, sk }) => ({ Delete: { Key: { pk, sk } } }))];
};

/** An informational alert from one of its rows. */
export const fromInformItem = InformRow.read;
