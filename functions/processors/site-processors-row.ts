import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { SiteProcessors } from './routing.ts';

export type { SiteProcessors };

export const toSiteProcessorsItem = (sid: number, processors: SiteProcessors): Item => ({
  ...keys.siteProcessors(sid),
  entity: 'PROCESSORS',
  processors,
});

/** Reads a site's routes back; a site that never had any has none. The table holds only what toSiteProcessorsItem wrote. */
export const fromSiteProcessorsItem = (item: Item | undefined): SiteProcessors =>
  (item?.['processors'] as SiteProcessors | undefined) ?? { routes: [], retired: [], version: 0 };
