import { keys } from '../core/keys.ts';
import type { Item } from '../core/table.ts';
import type { Fee } from './fee.ts';

export type SiteFees = { sid: number; fees: readonly Fee[]; at: string; by: string };

export const toSiteFeesItem = (siteFees: SiteFees): Item => ({
  ...keys.siteFees(siteFees.sid),
  entity: 'SITE_FEES',
  siteFees,
});

/** Reads a site's fees back; undefined where none were ever set. */
export const fromSiteFeesItem = (item: Item | undefined): SiteFees | undefined =>
  item?.['siteFees'] as SiteFees | undefined;
