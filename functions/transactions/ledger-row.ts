import { keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import { fundsWrites, type SeenFunds } from './funds-row.ts';
import type { Dispute, InFlight, Ledger } from './ledger.ts';

const amounts = ['authorized', 'captured', 'refunded', 'voided', 'paidOut'] as const;

/** Amounts are text in the row: minor units may be more than a JavaScript number holds. */
export const toLedgerItem = (ledger: Ledger): Item => {
  const { parentTxid, sid, currency, refundedOriginal, inFlight, disputes, chargebacks, version } = ledger;
  return {
    ...keys.ledger(parentTxid),
    entity: 'LEDGER',
    parentTxid,
    sid,
    currency,
    ...Object.fromEntries(amounts.map((name) => [name, String(ledger[name])])),
    ...(refundedOriginal !== undefined && { refundedOriginal: String(refundedOriginal) }),
    inFlight: mapped(inFlight, ({ original, ...one }) => ({
      ...one,
      minor: String(one.minor),
      ...(original !== undefined && { original: String(original) }),
    })),
    disputes: mapped(disputes, ({ elsewhere, ...one }) => ({
      ...one,
      held: String(one.held),
      ...(elsewhere !== undefined && { elsewhere: String(elsewhere) }),
    })),
    ...(chargebacks && { chargebacks: mapped(chargebacks, (one) => ({ ...one, minor: String(one.minor) })) }),
    version,
  };
};

/** Reads a ledger back. The table holds only what toLedgerItem wrote. */
export const fromLedgerItem = (item: Item): Ledger => {
  const row = item as Record<(typeof amounts)[number], string> &
    Pick<Ledger, 'parentTxid' | 'sid' | 'currency' | 'version'> & { refundedOriginal?: string };
  const { inFlight, disputes, chargebacks } = item as {
    inFlight: Record<string, Omit<InFlight, 'minor' | 'original'> & { minor: string; original?: string }>;
    disputes: Record<string, Omit<Dispute, 'held' | 'elsewhere'> & { held: string; elsewhere?: string }>;
    chargebacks?: Record<string, { minor: string; taken: boolean }>;
  };
  return {
    parentTxid: row.parentTxid,
    sid: row.sid,
    currency: row.currency,
    authorized: BigInt(row.authorized),
    captured: BigInt(row.captured),
    refunded: BigInt(row.refunded),
    ...(row.refundedOriginal !== undefined && { refundedOriginal: BigInt(row.refundedOriginal) }),
    voided: BigInt(row.voided),
    paidOut: BigInt(row.paidOut),
    inFlight: mapped(inFlight, ({ original, ...one }) => ({
      ...one,
      minor: BigInt(one.minor),
      ...(original !== undefined && { original: BigInt(original) }),
    })),
    disputes: mapped(disputes, ({ elsewhere, ...one }) => ({
      ...one,
      held: BigInt(one.held),
      ...(elsewhere !== undefined && { elsewhere: BigInt(elsewhere) }),
    })),
    ...(chargebacks && { chargebacks: mapped(chargebacks, (one) => ({ ...one, minor: BigInt(one.minor) })) }),
    version: row.version,
  };
};

const mapped = <A, B>(map: Readonly<Record<string, A>>, change: (one: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(map).map(([key, one]) => [key, change(one)]));

/**
 * The parts of a transaction that take a ledger from one state to the next, and its site's funds with it; the first one's
 * condition fails if somebody else has written the ledger since. `before` null: the ledger is new. `seen`: see fundsWrites.
 */
export const ledgerWrites = (before: Ledger | null, after: Ledger, seen?: SeenFunds): Write[] => [
  {
    Put: {
      Item: toLedgerItem({ ...after, version: (before?.version ?? 0) + 1 }),
      ...(before
        ? {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': before.version },
          }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
  },
  ...fundsWrites(before, after, seen),
];
