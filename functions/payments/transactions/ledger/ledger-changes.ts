/** The changes of a parent transaction's ledger. Pure: it is saved on condition that it is unchanged. */

import {
  type Dispute,
  free,
  type InFlight,
  isMoneyDisputed,
  isUnder,
  isWaiting,
  type Ledger,
  type LedgerChargeback,
  leftOfCapture,
  type Reservation,
  refundable,
  reservationRefusalOf,
  sum,
} from './ledger.ts';

/** The ledger with something reserved. Throws if `reservationRefusalOf` has an objection: callers ask first. */
export const reserveInLedger = (ledger: Ledger, wanted: Reservation): Ledger => {
  const objection = reservationRefusalOf(ledger, wanted);
  if (objection) throw new Error(`Reserved in spite of ${objection}`);
  const { txid, again, ...one } = wanted;
  const { kind, minor, alertId } = one;
  const short = minor - refundable(ledger, alertId);
  if (again && kind === 'REFUND' && short > 0n)
    return reserveInLedger(takeBack(ledger, txid, short), { txid, again, ...one });
  const inFlight = { ...ledger.inFlight, [txid]: one };
  const dispute = alertId === null ? undefined : ledger.disputes[alertId];
  if (alertId === null || kind === 'CAPTURE') return { ...ledger, inFlight };
  // The amount that the alert holds is used first, so that nothing is kept twice for one dispute.
  const rest = (dispute?.held ?? 0n) - minor;
  const kept = dispute?.elsewhere === undefined ? {} : { elsewhere: dispute.elsewhere };
  const disputes = {
    ...ledger.disputes,
    [alertId]: { ...kept, open: dispute?.open ?? false, held: rest > 0n ? rest : 0n, refundTxid: txid },
  };
  return { ...ledger, inFlight, disputes };
};

/** The ledger with less of what was given back elsewhere: it is given back here, again or after all. */
const takeBack = (ledger: Ledger, txid: number, minor: bigint): Ledger => {
  let rest = minor;
  const parts: Record<string, bigint> = {};
  const disputes = Object.entries(ledger.disputes).map(([id, dispute]) => {
    const { elsewhere, ...known } = dispute;
    if (elsewhere === undefined) return [id, dispute] as const;
    const isAll = rest >= elsewhere;
    const taken = isAll ? elsewhere : rest;
    rest -= taken;
    if (taken > 0n) parts[id] = taken;
    return [id, elsewhere > taken ? { ...known, elsewhere: elsewhere - taken } : known] as const;
  });
  const takenBack = { ...ledger.takenBack, [txid]: parts };
  return { ...ledger, disputes: Object.fromEntries(disputes), takenBack };
};

/** The ledger after a refund failed: what it had taken back counts as given back elsewhere again. */
const giveBack = (ledger: Ledger, txid: number): Ledger => {
  const { [txid]: parts, ...others } = ledger.takenBack ?? {};
  if (!parts) return ledger;
  const disputes = Object.fromEntries(
    Object.entries(ledger.disputes).map(([id, dispute]) => {
      const part = parts[id] ?? 0n;
      return [id, part > 0n ? { ...dispute, elsewhere: (dispute.elsewhere ?? 0n) + part } : dispute];
    }),
  );
  const { takenBack: _, ...rest } = { ...ledger, disputes };
  return Object.keys(others).length > 0 ? { ...rest, takenBack: others } : rest;
};

/** The ledger of a new payment, PREAUTH or payout, whose parent is itself, before the processor is asked. */
export const begin = (ledger: Ledger, txid: number, kind: 'AUTH' | 'PAYOUT', minor: bigint): Ledger => ({
  ...ledger,
  inFlight: { [txid]: { kind, minor, alertId: null } },
});

/** True if an authorisation comes captured (PAYMENT) or not (PREAUTH). */
export type Settled = { txid: number; succeeded: boolean; captures?: boolean };

/** The ledger once it is known what became of an operation; unchanged if that was known before, so it happens once. */
export const settleReservation = (ledger: Ledger, { txid, succeeded, captures = false }: Settled): Ledger => {
  const { [txid]: one, ...inFlight } = ledger.inFlight;
  if (!one) return ledger;
  const rest = { ...ledger, inFlight };
  return withKept(succeeded ? bookDone(rest, txid, one, captures) : undo(rest, txid, one));
};

const bookDone = (ledger: Ledger, txid: number, { kind, minor, original }: InFlight, captures: boolean): Ledger => {
  switch (kind) {
    case 'AUTH':
      return { ...ledger, authorized: minor, captured: captures ? minor : 0n };
    case 'CAPTURE':
      return { ...ledger, captured: minor, captureTxid: txid };
    case 'VOID':
      return { ...ledger, voided: minor };
    case 'REFUND':
      return withOriginal({ ...ledger, refunded: ledger.refunded + minor }, original);
    case 'PAYOUT':
      return { ...ledger, paidOut: minor };
  }
};

const withOriginal = (ledger: Ledger, more: bigint | undefined): Ledger =>
  more === undefined ? ledger : { ...ledger, refundedOriginal: (ledger.refundedOriginal ?? 0n) + more };

/** A refund that failed gives what it took back to the alert it was for, while that is open; the alert may then try again. */
const undo = (before: Ledger, txid: number, { kind, minor, alertId }: InFlight): Ledger => {
  const ledger = giveBack(before, txid);
  const taken = sum(Object.values(before.takenBack?.[txid] ?? {}));
  const dispute = alertId === null ? undefined : ledger.disputes[alertId];
  if (alertId === null || dispute?.refundTxid !== txid) return ledger;
  // A void takes nothing that is held: nothing is captured then.
  const back = dispute.open && kind === 'REFUND' ? dispute.held + minor - taken : 0n;
  return { ...ledger, disputes: { ...ledger.disputes, [alertId]: { ...dispute, held: back, refundTxid: null } } };
};

/** An operation that had been done and failed after all. AUTH: a payment that was captured with its authorisation. */
export type Reversal = Omit<Reservation, 'kind'> & { kind: 'AUTH' | 'CAPTURE' | 'REFUND' };

/**
 * Returns the ledger after a completed refund was returned or a completed capture failed; to be called once for each, as the status of its
 * transaction shows. A payment whose own capture failed is over, and what its authorisation may still hold lapses. Undefined where refunds
 * were made of what was captured: they have to fail first.
 */
export const reverse = (ledger: Ledger, { txid, kind, minor, alertId, original }: Reversal): Ledger | undefined => {
  if (kind === 'REFUND') {
    const rest = withOriginal(
      { ...ledger, refunded: ledger.refunded - minor },
      original === undefined ? original : -original,
    );
    return withKept(undo(rest, txid, { kind, minor, alertId }));
  }
  if (ledger.refunded > 0n || isUnder(ledger, 'REFUND')) return undefined;
  // Nothing was taken, so nothing can have been given back anywhere.
  const disputes = Object.entries(ledger.disputes).map(([id, { elsewhere: _, ...dispute }]) => [
    id,
    { ...dispute, held: 0n },
  ]);
  const authorized = kind === 'AUTH' ? 0n : ledger.authorized;
  const { takenBack: _, captureTxid: __, ...rest } = ledger;
  return { ...rest, authorized, captured: 0n, disputes: Object.fromEntries(disputes) };
};

/**
 * Returns the ledger after what `reverse` undid was done after all: processors repeat a capture or refund that a bank rejected. What is given
 * back is taken from what alerts hold, first from its own; a refund is booked even if the payment is charged back meanwhile. Undefined where the
 * money was captured, voided or refunded again meanwhile.
 */
export const redo = (ledger: Ledger, { txid, kind, minor, alertId, original }: Reversal): Ledger | undefined => {
  if (kind === 'REFUND') {
    const own = alertId === null ? undefined : ledger.disputes[alertId];
    if (minor > leftOfCapture(ledger)) return undefined;
    const named = own?.refundTxid === null ? { [String(alertId)]: { ...own, refundTxid: txid } } : {};
    const rest = letGo({ ...ledger, disputes: { ...ledger.disputes, ...named } }, minor, alertId);
    return withOriginal({ ...rest, refunded: rest.refunded + minor }, original);
  }
  const authorized = kind === 'AUTH' ? minor : ledger.authorized;
  if (Object.keys(ledger.inFlight).length > 0) return undefined;
  if (ledger.captured > 0n || ledger.voided > 0n || authorized !== minor) return undefined;
  return withKept({ ...ledger, authorized, captured: minor, ...(kind === 'CAPTURE' && { captureTxid: txid }) });
};

/** The ledger with less of what alerts hold, as far as `minor` is not free; `first`: the alert that lets go first. */
const letGo = (ledger: Ledger, minor: bigint, first: number | null): Ledger => {
  // A payment that its issuer has raised holds nothing, so nothing is short of it.
  let short = isMoneyDisputed(ledger) ? 0n : minor - free(ledger);
  const disputes = Object.entries(ledger.disputes)
    .sort(([one], [other]) => Number(other === String(first)) - Number(one === String(first)))
    .map(([id, dispute]) => {
      const isAll = short >= dispute.held;
      const less = short <= 0n ? 0n : isAll ? dispute.held : short;
      short -= less;
      return [id, less > 0n ? { ...dispute, held: dispute.held - less } : dispute] as const;
    });
  return { ...ledger, disputes: Object.fromEntries(disputes) };
};

/**
 * Money that becomes free while a dispute alert waits for its refund goes to that refund: a capture that came later, a refund that
 * failed, what another alert let go. Of several alerts, to the one that came first.
 */
const withKept = (ledger: Ledger): Ledger => {
  const more = free(ledger);
  const [alertId, first] = Object.entries(ledger.disputes).find(([, dispute]) => isWaiting(dispute)) ?? [];
  if (alertId === undefined || !first || more <= 0n) return ledger;
  return { ...ledger, disputes: { ...ledger.disputes, [alertId]: { ...first, held: first.held + more } } };
};

/**
 * Holds whatever is refundable for an open dispute alert, or for what a network has refunded. Again for the same alert: nothing
 * changes, unless it was let go and refunded nothing.
 */
export const holdForDispute = (ledger: Ledger, alertId: number, byNetwork = false): Ledger => {
  const known = ledger.disputes[alertId];
  if (known && (known.open || known.refundTxid !== null || known.byNetwork)) return ledger;
  // An answered dispute is open again: the refund that answered it has failed.
  const dispute: Dispute = { open: true, held: 0n, refundTxid: null, ...(byNetwork && { byNetwork }) };
  return withKept({ ...ledger, disputes: { ...ledger.disputes, [alertId]: dispute } });
};

/** Lets go what a dispute alert holds, once it has its outcome. What it refunded stays known, so that it is never refunded twice. */
export const releaseDispute = (ledger: Ledger, alertId: number): Ledger => {
  const dispute = ledger.disputes[alertId];
  if (!dispute?.open) return ledger;
  return withKept({ ...ledger, disputes: { ...ledger.disputes, [alertId]: { ...dispute, open: false, held: 0n } } });
};

/** Returns the ledger without a dispute that was never about this payment, and whatever is free then to other alerts. */
export const forgetDispute = (ledger: Ledger, alertId: number): Ledger => {
  const { [String(alertId)]: forgotten, ...disputes } = ledger.disputes;
  return forgotten ? withKept({ ...ledger, disputes }) : ledger;
};

/**
 * The ledger with what an issuer has raised, as it stands now; null: it was won, or came to nothing. While it stands nothing is
 * refunded, so no alert holds anything; afterwards open alerts do again. The same again changes nothing.
 */
export const withChargeback = (ledger: Ledger, id: string, part: LedgerChargeback | null): Ledger => {
  const { [id]: before, ...others } = ledger.chargebacks ?? {};
  const isSame = before?.taken === part?.taken && before?.byNetwork === part?.byNetwork;
  if (before?.minor === part?.minor && isSame) return ledger;
  if (!part) return withKept({ ...ledger, chargebacks: others });
  const disputes = Object.entries(ledger.disputes).map(([alertId, dispute]) => [alertId, { ...dispute, held: 0n }]);
  return { ...ledger, disputes: Object.fromEntries(disputes), chargebacks: { ...others, [id]: part } };
};

/**
 * Returns the ledger after a dispute was answered as refunded without a refund here: so much was refunded elsewhere, as far as it was
 * refundable. `minor` null: all that is left.
 */
export const bookElsewhere = (ledger: Ledger, alertId: number, minor: bigint | null): Ledger => {
  const { disputes } = ledger;
  const dispute = disputes[alertId];
  if (dispute && (dispute.refundTxid !== null || dispute.byNetwork || dispute.elsewhere !== undefined)) {
    return releaseDispute(ledger, alertId);
  }
  const left = refundable(ledger, alertId);
  const elsewhere = minor === null || minor > left ? left : minor;
  const booked: Dispute = { open: false, held: 0n, refundTxid: null, ...(elsewhere > 0n && { elsewhere }) };
  return withKept({ ...ledger, disputes: { ...disputes, [alertId]: booked } });
};
