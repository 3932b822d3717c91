import * as v from 'valibot';
import { numbers } from '#core/kernel/schema/shape-fields.ts';
import { type Item, requireNew, requireVersion, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { inFlightKinds, type Ledger } from './ledger.ts';
import { fundsWrites, type SeenFunds } from './ledger-funds-row.ts';

const amounts = ['authorized', 'captured', 'refunded', 'voided', 'paidOut'] as const;

const Minor = v.pipe(v.string(), v.regex(/^-?\d+$/));
const LedgerRow = defineRow({
  entity: 'LEDGER',
  attribute: null,
  schema: v.looseObject({
    ...numbers('parentTxid', 'sid', 'version'),
    currency: v.string(),
    authorized: Minor,
    captured: Minor,
    refunded: Minor,
    voided: Minor,
    paidOut: Minor,
    captureTxid: v.exactOptional(v.number()),
    refundedOriginal: v.exactOptional(Minor),
    inFlight: v.record(
      v.string(),
      v.looseObject({
        kind: v.picklist(inFlightKinds),
        minor: Minor,
        alertId: v.nullable(v.number()),
        original: v.exactOptional(Minor),
      }),
    ),
    disputes: v.record(
      v.string(),
      v.looseObject({
        open: v.boolean(),
        held: Minor,
        refundTxid: v.nullable(v.number()),
        byNetwork: v.exactOptional(v.boolean()),
        elsewhere: v.exactOptional(Minor),
      }),
    ),
    takenBack: v.exactOptional(v.record(v.string(), v.record(v.string(), Minor))),
    chargebacks: v.exactOptional(
      v.record(
        v.string(),
        v.looseObject({
          minor: Minor,
          taken: v.boolean(),
          openedAt: v.exactOptional(v.string()),
          byNetwork: v.exactOptional(v.literal(true)),
        }),
      ),
    ),
  }),
});

/** Amounts are text in the row: minor units may be more than a JavaScript number holds. */
export const toLedgerItem = (ledger: Ledger): Item => {
  const { parentTxid, sid, currency, captureTxid, refundedOriginal, inFlight, disputes } = ledger;
  const { takenBack, chargebacks, version } = ledger;
  return {
    ...keys.ledger(parentTxid),
    ...LedgerRow.stamp,
    parentTxid,
    sid,
    currency,
    ...Object.fromEntries(amounts.map((name) => [name, String(ledger[name])])),
    ...(captureTxid !== undefined && { captureTxid }),
    ...(refundedOriginal !== undefined && { refundedOriginal: String(refundedOriginal) }),
    inFlight: mapValues(inFlight, ({ original, ...one }) => ({
      ...one,
      minor: String(one.minor),
      ...(original !== undefined && { original: String(original) }),
    })),
    disputes: mapValues(disputes, ({ elsewhere, ...one }) => ({
      ...one,
      held: String(one.held),
      ...(elsewhere !== undefined && { elsewhere: String(elsewhere) }),
    })),
    ...(takenBack && { takenBack: mapValues(takenBack, (parts) => mapValues(parts, String)) }),
    ...(chargebacks && { chargebacks: mapValues(chargebacks, (one) => ({ ...one, minor: String(one.minor) })) }),
    version,
  };
};

/** Reads a ledger back. */
export const fromLedgerItem = (item: Item): Ledger => {
  const row = LedgerRow.read(item);
  const { inFlight, disputes, takenBack, chargebacks } = row;
  return {
    parentTxid: row.parentTxid,
    sid: row.sid,
    currency: row.currency,
    authorized: BigInt(row.authorized),
    captured: BigInt(row.captured),
    ...(row.captureTxid !== undefined && { captureTxid: row.captureTxid }),
    refunded: BigInt(row.refunded),
    ...(row.refundedOriginal !== undefined && { refundedOriginal: BigInt(row.refundedOriginal) }),
    voided: BigInt(row.voided),
    paidOut: BigInt(row.paidOut),
    inFlight: mapValues(inFlight, ({ original, ...one }) => ({
      ...one,
      minor: BigInt(one.minor),
      ...(original !== undefined && { original: BigInt(original) }),
    })),
    disputes: mapValues(disputes, ({ elsewhere, ...one }) => ({
      ...one,
      held: BigInt(one.held),
      ...(elsewhere !== undefined && { elsewhere: BigInt(elsewhere) }),
    })),
    ...(takenBack && { takenBack: mapValues(takenBack, (parts) => mapValues(parts, BigInt)) }),
    ...(chargebacks && { chargebacks: mapValues(chargebacks, (one) => ({ ...one, minor: BigInt(one.minor) })) }),
    version: row.version,
  };
};

const mapValues = <A, B>(map: Readonly<Record<string, A>>, change: (one: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(map).map(([key, one]) => [key, change(one)]));

/**
 * The parts of a transaction that take a ledger from one state to the next, and its site's funds with it; the condition of `ledger`
 * fails if another writer has written the ledger since. `before` null: the ledger is new. `seen`: see fundsWrites.
 */
export const ledgerWrites = (
  before: Ledger | null,
  after: Ledger,
  seen?: SeenFunds,
): { ledger: Write; funds: Write[] } => ({
  ledger: {
    Put: {
      Item: toLedgerItem({ ...after, version: (before?.version ?? 0) + 1 }),
      ...(before ? requireVersion(before.version) : requireNew),
    },
  },
  funds: fundsWrites(before, after, seen),
});
