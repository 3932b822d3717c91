import * as v from 'valibot';
import { nullableTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Quarantined } from './quarantine.ts';

export const quarantineEntity = 'QUARANTINE';

/** An entry as lists show it, names as on the wire. */
export const toQuarantinedDto = (one: Quarantined) => ({
  id: one.id,
  provider: one.provider,
  state: one.state,
  problems: one.problems,
  received_at: one.receivedAt,
  last_at: one.lastAt,
  times: one.times,
  settled_by: one.settledBy,
  settled_at: one.settledAt,
  reason: one.reason,
  alert_id: one.alertId,
});
export type QuarantinedSummary = ReturnType<typeof toQuarantinedDto>;

const QuarantineRow = defineRow<Quarantined>({
  entity: quarantineEntity,
  attribute: 'quarantined',
  schema: v.looseObject({
    ...texts('id', 'provider', 'state', 'text', 'problems', 'receivedAt', 'lastAt'),
    times: v.number(),
    ...nullableTexts('settledBy', 'settledAt', 'reason'),
    alertId: v.nullable(v.number()),
    version: v.number(),
  }),
});

export const toQuarantinedItem = (one: Quarantined): Item => ({
  ...keys.quarantined(one.id),
  ...QuarantineRow.stamp,
  ...listKeys(quarantineEntity, ['all'], facetOf(one.state, one.provider), listPosition(one.receivedAt, one.id)),
  summary: toQuarantinedDto(one),
  quarantined: one,
});

/** Reads it back. */
export const fromQuarantinedItem = QuarantineRow.find;
