import { dueShards } from '#core/platform/table/keys.ts';
import type { Item } from '#core/platform/table/table.ts';
import type { Outgoing } from '#core/platform/work/messages.ts';
import { readOutcomeId } from '#disputes/alerts/answer/outcome.ts';
import { outcomeQueueOf } from '#disputes/providers/providers.ts';
import { graceMilliseconds } from '#messaging/webhooks/delivery/policy.ts';

/** The messages that spread the sweep of a slot over the shards, and the one that starts whatever must be swept from then on. */
export const slotMessages = (slot: string): Outgoing[] => [
  ...Array.from({ length: dueShards }, (_, shard) => ({ queue: 'sweep' as const, body: { slot, shard } })),
  { queue: 'chargebacks', body: { looksAfter: null } },
];

/** When a row of the `due` index is owed: its sort key begins with it. */
export const dueAt = (row: Item): string => String(row['dueSk']).split('#')[0] ?? '';

/**
 * The slot of an attempt that a sweep starts. Whatever has been owed for longer than a queue takes gets the sweep's slot:
 * one attempt makes up for a missed slot. What became due a moment ago, such as a first attempt in progress, keeps its own
 * slot, and the sweep's slot is still to come for it.
 */
export const slotOf = (row: Item, slot: string): string =>
  Date.parse(slot) - Date.parse(dueAt(row)) < graceMilliseconds ? dueAt(row) : slot;

/** The message for one row of the `due` index. */
export const dueMessage = (row: Item, slot: string): Outgoing => {
  const { entity, id, sid } = row;
  if (entity === 'DELIVERY')
    return { queue: 'delivery', body: { deliveryId: String(id), slot: slotOf(row, slot), sid: Number(sid) } };
  if (entity === 'MAIL') return { queue: 'mail', body: { mailId: String(id) } };
  if (entity === 'DECISION') return { queue: 'rules', body: { alertId: Number(id) } };
  if (entity === 'TRANSACTION') return { queue: 'settlement', body: { txid: Number(id) } };
  if (entity === 'TRANSACTION_NEWS') return { queue: 'settlement', body: { txid: Number(id), told: true } };
  if (entity === 'AUTHENTICATION') return { queue: 'settlement', body: { authenticationId: Number(id) } };
  if (entity === 'HOLD') return { queue: 'settlement', body: { alertId: Number(id) } };
  if (entity === 'REFUND') return { queue: 'refunds', body: { alertId: Number(id) } };
  if (entity === 'ALERT_ORDER') return { queue: 'lookups', body: { alertId: Number(id) } };
  if (entity === 'OUTCOME') return sweptOutcome(String(id));
  if (entity === 'LOOKUP') return { queue: 'lookups', body: { lookupId: String(id) } };
  if (entity === 'CHARGEBACK') return { queue: 'chargebacks', body: { chargebackId: String(id) } };
  if (entity === 'DISPUTE_NOTICE') return { queue: 'chargebacks', body: { noticeId: String(id) } };
  if (entity === 'DISPUTE_LOOK') return { queue: 'chargebacks', body: { lookId: String(id) } };
  if (entity === 'SANDBOX_DISPUTE') return { queue: 'chargebacks', body: { sandboxDispute: String(id) } };
  if (entity === 'BACK_TEST') return { queue: 'back-tests', body: { backTestId: String(id) } };
  if (entity === 'INBOX_MATCH') return { queue: 'inbox', body: { enrollmentId: Number(id) } };
  if (entity === 'ENROLLMENT') return { queue: 'enrollment', body: { enrollmentId: Number(id) } };
  return { queue: 'deadline', body: { alertId: Number(id) } };
};

const sweptOutcome = (id: string): Outgoing => {
  const named = readOutcomeId(id);
  if (!named) throw new Error(`${id} is no outcome`);
  return { queue: outcomeQueueOf(named.provider), body: { alertId: named.alertId } };
};

/** For how many seconds at the slot the longest-owed delivery of a page has been owed; undefined without deliveries. */
export const oldestSeconds = (rows: readonly Item[], slot: string): number | undefined => {
  const oldest = rows.find(({ entity }) => entity === 'DELIVERY');
  return oldest && Math.max(0, (Date.parse(slot) - Date.parse(dueAt(oldest))) / 1000);
};
