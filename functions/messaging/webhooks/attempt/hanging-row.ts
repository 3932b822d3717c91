import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Hanging } from './hanging-sites.ts';

const HangingRow = defineRow<Hanging>({
  entity: 'SITE_HANGING',
  attribute: 'hanging',
  schema: v.looseObject({ sid: v.number(), slot: v.string(), until: v.string() }),
});

export const toHangingItem = (hanging: Hanging): Item => ({
  ...keys.siteHanging(hanging.sid),
  ...HangingRow.stamp,
  hanging,
  ttl: Math.ceil((Date.parse(hanging.until) + milliseconds.day) / 1000),
});

/** Reads one back; undefined if there is none. */
export const fromHangingItem = HangingRow.find;
