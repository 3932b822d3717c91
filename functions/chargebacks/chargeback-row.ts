import { dueKeys, keys } from '../core/keys.ts';
import { facetOf, listKeys, listPosition } from '../core/listing.ts';
import { visibleOrRefuse } from '../core/merchant-access.ts';
import type { Caller } from '../core/operation.ts';
import type { Item, Write } from '../core/table.ts';
import type { Chargeback } from './chargeback.ts';

/** The entity under which chargebacks are listed. */
export const chargebackEntity = 'CHARGEBACK';

/** A chargeback as lists show it, names as on the wire. */
export const chargebackSummary = (chargeback: Chargeback) => ({
  chargeback_id: chargeback.id,
  processor: chargeback.processor,
  reference: chargeback.paymentReference,
  dispute_reference: chargeback.reference,
  txid: chargeback.txid,
  alert_id: chargeback.alertId,
  mid: chargeback.mid,
  sid: chargeback.sid,
  reason_code: chargeback.reasonCode,
  network: chargeback.network,
  amount: chargeback.amount,
  currency: chargeback.currency,
  stage: chargeback.stage,
  status: chargeback.status,
  due_by: chargeback.dueBy,
  opened_at: chargeback.openedAt,
  closed_at: chargeback.closedAt,
});
export type ChargebackSummary = ReturnType<typeof chargebackSummary>;

/** The same with all that is known. */
export const toChargebackDto = (chargeback: Chargeback) => ({
  ...chargebackSummary(chargeback),
  money_taken: chargeback.isTaken,
  accepted: chargeback.accepted,
  history: chargeback.history.map((entry) => ({ ...entry })),
});

const toChargebackItem = (chargeback: Chargeback): Item => {
  const { id, mid, sid, alertId, stage, status, openedAt, nextLookAt } = chargeback;
  return {
    ...keys.chargeback(id),
    entity: chargebackEntity,
    id,
    ...listKeys(
      chargebackEntity,
      ['all', `M${mid}`, alertId === null ? null : `A${alertId}`, `S${sid}`],
      facetOf(status, stage),
      listPosition(openedAt, id),
    ),
    ...(nextLookAt !== null && dueKeys('CHARGEBACK', nextLookAt, id)),
    summary: chargebackSummary(chargeback),
    chargeback,
  };
};

/** Reads a chargeback back. The table holds only what toChargebackItem wrote. */
export const fromChargebackItem = (item: Item | undefined): Chargeback | undefined =>
  item?.['chargeback'] as Chargeback | undefined;

/** The part of a transaction that writes a chargeback. Its condition fails if it is not as it was read. */
export const chargebackWrite = (chargeback: Chargeback): Write => ({
  Put: {
    Item: toChargebackItem(chargeback),
    ...(chargeback.version === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#chargeback.#version = :seen',
          ExpressionAttributeNames: { '#chargeback': 'chargeback', '#version': 'version' },
          ExpressionAttributeValues: { ':seen': chargeback.version - 1 },
        }),
  },
});

/** The chargeback of an item that was read, if the caller may see it. Throws chargeback_not_found. */
export const chargebackVisibleTo = (caller: Caller, item: Item | undefined): Chargeback =>
  visibleOrRefuse(fromChargebackItem(item), caller, 'chargeback_not_found', 'id: you have no such chargeback.');
