import * as v from 'valibot';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SiteProcessors } from './routing.ts';

export type { SiteProcessors };

const ProcessorsRow = defineRow<SiteProcessors>({
  entity: 'PROCESSORS',
  attribute: 'processors',
  fields: { routes: v.array(v.unknown()), retired: v.array(v.unknown()), version: v.number() },
});

export const toSiteProcessorsItem = (sid: number, processors: SiteProcessors): Item => ({
  ...keys.siteProcessors(sid),
  ...ProcessorsRow.stamp,
  processors,
});

/** Reads a site's routes back; a site that never had any has none. */
export const fromSiteProcessorsItem = (item: Item | undefined): SiteProcessors =>
  ProcessorsRow.find(item) ?? { routes: [], retired: [], version: 0 };
