import { keys } from '../../core/keys.ts';
import { facetOf, listKeys, listPosition } from '../../core/listing.ts';
import type { Item } from '../../core/table.ts';
import type { Quarantined } from './quarantine.ts';

export const quarantineEntity = 'QUARANTINE';

/** As lists show it, names as on the wire. */
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

export const toQuarantinedItem = (one: Quarantined): Item => ({
  ...keys.quarantined(one.id),
  entity: quarantineEntity,
  ...listKeys(quarantineEntity, ['all'], facetOf(one.state, one.provider), listPosition(one.receivedAt, one.id)),
  summary: toQuarantinedDto(one),
  quarantined: one,
});

/** Reads it back. The table holds only what toQuarantinedItem wrote. */
export const fromQuarantinedItem = (item: Item | undefined): Quarantined | undefined =>
  item?.['quarantined'] as Quarantined | undefined;
