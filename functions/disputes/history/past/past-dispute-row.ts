import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { cameUpAt, type PastDispute } from './past-dispute.ts';

const LostChargeShape = v.looseObject({
  ...texts('date', 'currency', 'first6', 'last4', 'descriptor'),
  minor: v.number(),
  chargedBackAt: v.nullable(v.string()),
});

const ListedDisputeShape = v.looseObject({
  ...texts('reference', 'openedAt', 'currency', 'reasonCode', 'network', 'stage', 'status'),
  minor: v.number(),
});

/** The two parts of an import each write their part of a row, in any order. */
const PastDisputeRow = defineRow<PastDispute>({
  entity: 'PAST_DISPUTE',
  attribute: null,
  schema: v.looseObject({
    charge: v.optional(v.nullable(LostChargeShape), null),
    dispute: v.optional(v.nullable(ListedDisputeShape), null),
  }),
});

export const fromPastDisputeItem = PastDisputeRow.read;

/** Kept for two years after the dispute. */
const keptMilliseconds = 730 * milliseconds.day;

/** An update that adds what is known; what the other part of an import knows stays. Repeating it changes nothing. */
export const pastDisputeUpdate = (
  { mid, connection, reference }: { mid: number; connection: string; reference: string },
  known: Partial<PastDispute>,
) => {
  const { charge = null, dispute = null } = known;
  const [name, value] = dispute ? (['dispute', dispute] as const) : (['charge', charge] as const);
  const until = Date.parse(cameUpAt({ charge, dispute })) + keptMilliseconds;
  return {
    Key: keys.pastDispute(mid, connection, sha256(reference)),
    UpdateExpression: 'SET #entity = :entity, #version = :version, #part = :part, #ttl = :ttl',
    ExpressionAttributeNames: { '#entity': 'entity', '#version': 'schemaVersion', '#part': name, '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':entity': PastDisputeRow.stamp.entity,
      ':version': PastDisputeRow.stamp.schemaVersion,
      ':part': value,
      ':ttl': Math.ceil(until / milliseconds.second),
    },
  };
};
