import * as v from 'valibot';
import { nullableNumbers, nullableTexts, optionalTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { ChargebackActionShape } from '#disputes/alerts/stored-shapes.ts';
import type { ChargebackDecision } from './automatic/handling.ts';
import type { Chargeback } from './chargeback.ts';
import { chargebackDue } from './chargeback-due.ts';

/** The entity under which chargebacks are listed. */
export const chargebackEntity = 'CHARGEBACK';

/** A chargeback as lists show it, names as on the wire. */
export const toChargebackSummary = (chargeback: Chargeback) => ({
  chargeback_id: chargeback.id,
  processor: chargeback.processor,
  reference: chargeback.paymentReference,
  dispute_reference: chargeback.reference,
  txid: chargeback.txid,
  alert_id: chargeback.alertId,
  mid: chargeback.mid,
  sid: chargeback.sid,
  connection: chargeback.connection,
  reason_code: chargeback.reasonCode,
  network: chargeback.network,
  amount: chargeback.amount,
  currency: chargeback.currency,
  stage: chargeback.stage,
  status: chargeback.status,
  unmapped_state: chargeback.unmapped ?? null,
  due_by: chargeback.dueBy,
  opened_at: chargeback.openedAt,
  closed_at: chargeback.closedAt,
  evidence_submitted_at: chargeback.evidence?.at ?? null,
  evidence_kinds: chargeback.files.map(({ kind }) => kind),
  assignee: chargeback.assignee ?? null,
});
export type ChargebackSummary = ReturnType<typeof toChargebackSummary>;

/** The same with everything known about it. */
export const toChargebackDto = (chargeback: Chargeback) => ({
  ...toChargebackSummary(chargeback),
  money_taken: chargeback.isTaken,
  accepted: chargeback.accepted,
  files: chargeback.files.map(({ id, ...file }) => ({ file_id: id, ...file })),
  response: chargeback.response,
  contest_fee: chargeback.contestFee ?? null,
  automatic: toHandlingDto(chargeback.automatic),
  history: chargeback.history.map((entry) => ({ ...entry })),
});

const toDecisionDto = ({ ruleId, version, name, action, facts, result, reason, words, at }: ChargebackDecision) => ({
  rule_id: ruleId,
  ...{ version, name, action, facts, result, reason },
  ...{ words: words ?? null, at },
});

const toHandlingDto = (handling: Chargeback['automatic']) =>
  handling === undefined
    ? null
    : {
        decision: handling.decision && toDecisionDto(handling.decision),
        shadows: handling.shadows.map(toDecisionDto),
      };

const DecisionShape = v.looseObject({
  ruleId: v.number(),
  version: v.number(),
  ...texts('name', 'result', 'at'),
  action: ChargebackActionShape,
  facts: v.record(v.string(), v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
  reason: v.nullable(v.string()),
  words: v.exactOptional(v.string()),
});

const ChargebackRow = defineRow<Chargeback>({
  entity: chargebackEntity,
  attribute: 'chargeback',
  schema: v.looseObject({
    ...texts('id', 'processor', 'reference', 'paymentReference', 'reasonCode', 'network', 'amount', 'currency'),
    ...texts('stage', 'status', 'openedAt'),
    mid: v.number(),
    ...nullableNumbers('sid', 'txid', 'alertId'),
    ...nullableTexts('routeId', 'connection', 'dueBy', 'closedAt', 'nextLookAt'),
    isTaken: v.boolean(),
    ...optionalTexts('unmapped', 'submittingUntil', 'assignee'),
    accepted: v.nullable(v.looseObject({ by: v.string(), at: v.string() })),
    evidence: v.nullable(v.looseObject({ by: v.string(), at: v.string() })),
    contestFee: v.exactOptional(v.looseObject({ amount: v.string(), currency: v.string() })),
    automatic: v.exactOptional(
      v.looseObject({
        decision: v.nullable(DecisionShape),
        shadows: v.array(DecisionShape),
        assignments: v.exactOptional(v.array(DecisionShape)),
      }),
    ),
    files: v.array(
      v.looseObject({
        ...texts('id', 'kind', 'name', 'type', 'by', 'at'),
        bytes: v.number(),
        pages: v.exactOptional(v.number()),
      }),
    ),
    droppedFiles: v.array(v.string()),
    response: v.nullable(v.looseObject({ text: v.string(), by: v.string(), at: v.string() })),
    history: v.array(v.looseObject({ at: v.string(), by: v.string(), stage: v.string(), status: v.string() })),
    version: v.number(),
  }),
  upgrades: [
    (before) => ({ connection: null, evidence: null, ...before }),
    (before) => ({ files: [], response: null, ...before }),
    (before) => ({ droppedFiles: [], ...before }),
  ],
});

const toChargebackItem = (chargeback: Chargeback): Item => {
  const { id, mid, sid, alertId, stage, status, openedAt, nextLookAt } = chargeback;
  return {
    ...keys.chargeback(id),
    ...ChargebackRow.stamp,
    id,
    ...listKeys(
      chargebackEntity,
      ['all', `M${mid}`, alertId === null ? null : `A${alertId}`, sid === null ? null : `S${sid}`],
      facetOf(status, stage),
      listPosition(openedAt, id),
    ),
    ...(nextLookAt !== null && chargebackDue.keys(nextLookAt, id)),
    summary: toChargebackSummary(chargeback),
    chargeback,
  };
};

/** Reads a chargeback back. */
export const fromChargebackItem = ChargebackRow.find;

const ofVersion = (version: number) => ({
  ConditionExpression: '#chargeback.#version = :seen',
  ExpressionAttributeNames: { '#chargeback': 'chargeback', '#version': 'version' },
  ExpressionAttributeValues: { ':seen': version },
});

/** The part of a transaction that writes a chargeback. Its condition fails if the row has changed since it was read. */
export const chargebackWrite = (chargeback: Chargeback): Write => ({
  Put: {
    Item: toChargebackItem(chargeback),
    ...(chargeback.version === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : ofVersion(chargeback.version - 1)),
  },
});

/** The part that deletes a chargeback that is written under another id. Its condition fails if the row has changed since it was read. */
export const removedChargebackWrite = ({ id, version }: Chargeback): Write => ({
  Delete: { Key: keys.chargeback(id), ...ofVersion(version) },
});

/** The chargeback in an item, if the caller may see it. Throws chargeback_not_found. */
export const chargebackVisibleTo = (caller: Caller, item: Item | undefined): Chargeback =>
  visibleOrRefuse(fromChargebackItem(item), caller, 'chargeback_not_found', 'id: you have no such chargeback.');
