import * as v from 'valibot';
import { numbers, optionalNumbers, optionalTexts, texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import { type Item, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { AlertCost } from './cost.ts';

/** The entity of alerts' costs; those with a credit are listed. */
export const creditEntity = 'CREDIT';
const PricedShape = v.looseObject({ amount: v.string(), currency: v.string() });

const CostRow = defineRow<AlertCost>({
  entity: creditEntity,
  attribute: 'cost',
  schema: v.looseObject({
    ...numbers('alertId', 'mid', 'rid', 'sid', 'version'),
    ...texts('provider', 'caseId', 'type', 'receivedAt'),
    price: v.nullable(PricedShape),
    credit: v.looseObject({
      state: v.string(),
      reason: v.nullable(v.string()),
      evidence: v.looseObject({
        ...optionalTexts('reason_code', 'refunded_at', 'charged_back_at', 'chargeback_id', 'transaction'),
        ...optionalTexts('descriptor', 'note'),
        ...optionalNumbers('txid', 'rule_id', 'duplicate_alertid'),
      }),
    }),
    saved: v.nullable(PricedShape),
    entries: v.array(
      v.looseObject({
        at: v.string(),
        by: v.string(),
        price: v.exactOptional(v.nullable(PricedShape)),
        credit: v.exactOptional(v.string()),
        saved: v.exactOptional(v.nullable(PricedShape)),
      }),
    ),
  }),
});

/** An alert's cost and whether it can be reclaimed, names as on the wire. */
export const toCostDto = ({ price, credit, saved, entries }: AlertCost) => ({
  price: price?.amount ?? null,
  price_currency: price?.currency ?? null,
  credit: credit.state,
  credit_reason: credit.reason,
  credit_evidence: credit.evidence,
  saved: saved?.amount ?? null,
  saved_currency: saved?.currency ?? null,
  entries: entries.map(({ at, by, price: priced, credit: state, saved: kept }) => ({
    at,
    by,
    ...(priced !== undefined && { price: priced?.amount ?? null, price_currency: priced?.currency ?? null }),
    ...(state !== undefined && { credit: state }),
    ...(kept !== undefined && { saved: kept?.amount ?? null, saved_currency: kept?.currency ?? null }),
  })),
});

/** A credit as lists show it. */
const creditSummaryOf = (cost: AlertCost) => ({
  alert_id: cost.alertId,
  mid: cost.mid,
  rid: cost.rid,
  sid: cost.sid,
  provider: cost.provider,
  provider_case_id: cost.caseId,
  alert_type: cost.type,
  alert_date: cost.receivedAt,
  state: cost.credit.state,
  reason: cost.credit.reason,
  evidence: cost.credit.evidence,
  price: cost.price?.amount ?? null,
  currency: cost.price?.currency ?? null,
  changed_at: cost.entries.at(-1)?.at ?? cost.receivedAt,
  changed_by: cost.entries.at(-1)?.by ?? '',
});
export type CreditSummary = ReturnType<typeof creditSummaryOf>;

const costLists = ({ alertId, mid, rid, sid, receivedAt, credit }: AlertCost): Record<string, string> =>
  credit.reason === null
    ? {}
    : listKeys(
        creditEntity,
        ['all', `M${mid}`, `R${rid}`, `S${sid}`],
        facetOf(credit.state, credit.reason),
        listPosition(receivedAt, alertId),
      );

/** The prefix of names of sums of costs in the rows of the days of reports. They are stored with the figures, as both change together. */
export const daySumPrefix = 'cost|';

/** The state in which the days of reports have counted an alert: its version and the revision of the figures. */
export type Reported = { version: number; revision: number; figures: Readonly<Record<string, number>> };

/** The rows next to an alert: its cost, and what else was counted of it in the same transactions. Null: nothing yet. */
export type Kept = {
  cost: AlertCost | null;
  reported: Reported | null;
  /** True if it is in the volumes that rules ask about. */
  inVolumes: boolean;
};

const keptAttributes = ({ reported, inVolumes }: Kept) => ({
  ...(reported && { reported }),
  ...(inVolumes && { inVolumes }),
});

/** Only costs with a credit are in lists. */
const toCostItem = (cost: AlertCost, kept: Kept): Item => ({
  ...keys.alertCost(cost.alertId),
  ...CostRow.stamp,
  ...costLists(cost),
  ...(cost.credit.reason !== null && { summary: creditSummaryOf(cost) }),
  cost,
  ...keptAttributes(kept),
});

/** Reads a cost back. */
export const fromCostItem = CostRow.find;

const ReportedSchema = v.object({
  version: v.number(),
  revision: v.number(),
  figures: v.record(v.string(), v.number()),
});

/** Reads all that is kept. */
export const fromKeptItem = (item: Item | undefined): Kept => ({
  cost: fromCostItem(item) ?? null,
  reported: v.parse(v.optional(v.nullable(ReportedSchema), null), item?.['reported']),
  inVolumes: item?.['inVolumes'] === true,
});

/** The condition that a row is as it was read. Before it has a cost it can say one thing only: that the alert is in the volumes. */
const asRead = ({ cost, inVolumes }: Kept) => {
  if (cost) {
    return requireVersion(cost.version, 'cost');
  }
  return { ConditionExpression: `attribute_not_exists(${inVolumes ? 'cost' : 'pk'})` };
};

/** The part of a transaction that writes what is kept. Its condition fails if the row has changed since it was read. */
export const keptWrite = (read: Kept, cost: AlertCost, kept: Kept): Write => ({
  Put: { Item: toCostItem(cost, kept), ...asRead(read) },
});

/** The part that keeps of an alert that it is in the volumes, on the same condition, whether its cost is known yet or not. */
export const inVolumesWrite = (alertId: number, read: Kept): Write => {
  const kept = { ...read, inVolumes: true };
  if (read.cost) return keptWrite(read, { ...read.cost, version: read.cost.version + 1 }, kept);
  return { Put: { Item: { ...keys.alertCost(alertId), ...CostRow.stamp, ...keptAttributes(kept) }, ...asRead(read) } };
};
