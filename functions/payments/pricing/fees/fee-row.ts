import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Fee } from './fee.ts';

export type SiteFees = { sid: number; fees: readonly Fee[]; at: string; by: string };

const SiteFeesRow = defineRow<SiteFees>({
  entity: 'SITE_FEES',
  attribute: 'siteFees',
  schema: v.looseObject({
    sid: v.number(),
    fees: v.array(
      v.looseObject({
        ...texts('paymethod', 'percentage', 'fixed'),
        currency: v.nullable(v.string()),
      }),
    ),
    at: v.string(),
    by: v.string(),
  }),
});

export const toSiteFeesItem = (siteFees: SiteFees): Item => ({
  ...keys.siteFees(siteFees.sid),
  ...SiteFeesRow.stamp,
  siteFees,
});

/** Reads a site's fees back; undefined where none were ever set. */
export const fromSiteFeesItem = SiteFeesRow.find;
