import * as v from 'valibot';
import { nullableTexts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SiteProcessors } from './routing.ts';

export type { SiteProcessors };

const RouteShape = v.looseObject({
  id: v.string(),
  processor: v.string(),
  schemes: v.nullable(v.array(v.string())),
  currencies: v.nullable(v.array(v.string())),
  ...nullableTexts('min', 'max', 'sealed'),
  shown: v.record(v.string(), v.string()),
});

const ProcessorsRow = defineRow<SiteProcessors>({
  entity: 'PROCESSORS',
  attribute: 'processors',
  schema: v.looseObject({ routes: v.array(RouteShape), retired: v.array(RouteShape), version: v.number() }),
});

export const toSiteProcessorsItem = (sid: number, processors: SiteProcessors): Item => ({
  ...keys.siteProcessors(sid),
  ...ProcessorsRow.stamp,
  processors,
});

/** Reads a site's routes back; a site that never had any has none. */
export const fromSiteProcessorsItem = (item: Item | undefined): SiteProcessors =>
  ProcessorsRow.find(item) ?? { routes: [], retired: [], version: 0 };
