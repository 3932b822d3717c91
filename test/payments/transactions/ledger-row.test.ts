import { describe, expect, it } from 'vitest';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import { emptyLedger, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { balanceKeys, sumAvailable } from '#payments/transactions/ledger/ledger-funds-row.ts';
import { fromLedgerItem, ledgerWrites, toLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import { useTable } from '#test/support/table.ts';

useTable();

let lastTxid = 1000;
const newLedger = (change: Partial<Ledger> = {}): Ledger => {
  lastTxid += 1;
  return { ...emptyLedger(lastTxid, lastTxid, 'USD'), ...change };
};
const paid = { authorized: 100n, captured: 100n };
const stored = async ({ parentTxid }: Ledger) => fromLedgerItem((await getItem(keys.ledger(parentTxid))) ?? {});
const fundsAt = async ({ sid }: Ledger) => getItems(balanceKeys(sid));

describe('the row of a ledger', () => {
  it('keeps everything that the ledger says', () => {
    const inFlight = { kind: 'REFUND', minor: 5n, alertId: 7 } as const;
    const full = newLedger({
      ...paid,
      ...{ captureTxid: 3, refunded: 10n, refundedOriginal: 8n, voided: 1n, paidOut: 2n, version: 4 },
      inFlight: { 4: inFlight, 5: { ...inFlight, original: 4n } },
      disputes: {
        7: { open: true, held: 1n, refundTxid: null, byNetwork: true },
        8: { open: false, held: 0n, refundTxid: 9, elsewhere: 6n },
      },
      takenBack: { 4: { 8: 2n } },
      chargebacks: { cb: { minor: 3n, taken: true, openedAt: '2026-05-02T10:00:00.000Z' } },
    });
    expect(fromLedgerItem(toLedgerItem(full))).toStrictEqual(full);
    const empty = newLedger();
    expect(fromLedgerItem(toLedgerItem(empty))).toStrictEqual(empty);
  });

  it('is written only by a writer who has read its last version', async () => {
    const ledger = newLedger();
    await transact(ledgerWrites(null, ledger));
    await expect(transact(ledgerWrites(null, ledger))).rejects.toThrow('ledger');
    const first = await stored(ledger);
    await transact(ledgerWrites(first, { ...first, ...paid }));
    await expect(transact(ledgerWrites(first, { ...first, ...paid }))).rejects.toThrow('ledger');
    expect(await stored(ledger)).toEqual({ ...ledger, ...paid, version: 2 });
  });

  it('adds its change to the funds of its site, and writes none without a change', async () => {
    const ledger = newLedger(paid);
    await transact(ledgerWrites(null, ledger));
    expect(sumAvailable(await fundsAt(ledger), 'USD')).toBe(100n);
    expect(sumAvailable(await fundsAt(ledger), 'EUR')).toBe(0n);
    expect(ledgerWrites(ledger, { ...ledger, captureTxid: 5 }).funds).toEqual([]);
    const first = await stored(ledger);
    await transact(ledgerWrites(first, { ...first, refunded: 30n }));
    expect(sumAvailable(await fundsAt(ledger), 'USD')).toBe(70n);
  });

  it.each([0, 1])(
    'takes funds only while all that was seen is still there, in the row of shard %s as well',
    async (more) => {
      const ledger = newLedger(paid);
      await transact(ledgerWrites(null, ledger));
      const seen = await fundsAt(ledger);
      const payout = { ...newLedger({ paidOut: 60n }), sid: ledger.sid, parentTxid: ledger.parentTxid + 8 + more };
      const first = await stored(ledger);
      await transact(ledgerWrites(first, { ...first, refunded: 50n }));
      await expect(transact(ledgerWrites(null, payout, seen))).rejects.toThrow('funds');
      await transact(ledgerWrites(null, payout, await fundsAt(ledger)));
      expect(sumAvailable(await fundsAt(ledger), 'USD')).toBe(-10n);
    },
  );
});
