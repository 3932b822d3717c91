/** Where a parent transaction's money is, and what may be done with it. Changes are made in ledger-changes.ts. */

/** The operations that may be under way. AUTH is the parent itself until its outcome is known. */
export const inFlightKinds = ['AUTH', 'CAPTURE', 'VOID', 'REFUND', 'PAYOUT'] as const;
export type InFlightKind = (typeof inFlightKinds)[number];
export type InFlight = {
  kind: InFlightKind;
  minor: bigint;
  alertId: number | null;
  /** For a converted payment's refund: its amount in the currency in which the payer was asked to pay. */
  original?: bigint;
};

/** An open dispute alert on the transaction. `held`: the amount that it keeps from other refunds. */
export type Dispute = {
  open: boolean;
  held: bigint;
  refundTxid: number | null;
  /** The network has refunded the cardholder: no other refund is made for this alert, and what it holds is gone. */
  byNetwork?: boolean;
  /** The amount that the merchant says they gave back themselves, which we cannot check. */
  elsewhere?: bigint;
};

/**
 * A chargeback of a payment. `taken`: the money is with the issuer. `openedAt`, ISO: absent in older rows. `byNetwork`: the network refunded
 * the cardholder instead of a chargeback.
 */
export type LedgerChargeback = { minor: bigint; taken: boolean; openedAt?: string; byNetwork?: true };

export type Ledger = {
  parentTxid: number;
  sid: number;
  currency: string;
  authorized: bigint;
  captured: bigint;
  /** The capture of a PREAUTH. Absent before it is captured, and in older rows. */
  captureTxid?: number;
  refunded: bigint;
  /** For a converted payment: what is refunded in the currency in which the payer was asked to pay. */
  refundedOriginal?: bigint;
  voided: bigint;
  paidOut: bigint;
  /** By txid: reserved before the processor is asked, released when what became of it is known. */
  inFlight: Readonly<Record<string, InFlight>>;
  /** By alert id. */
  disputes: Readonly<Record<string, Dispute>>;
  /** By txid of a refund made again: from which disputes it took back what had been given back elsewhere, and how much. */
  takenBack?: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
  /** By chargeback: what its issuer has raised, and whether the money is gone. Absent where there never was one. */
  chargebacks?: Readonly<Record<string, LedgerChargeback>>;
  version: number;
};

export const emptyLedger = (parentTxid: number, sid: number, currency: string): Ledger => ({
  parentTxid,
  sid,
  currency,
  authorized: 0n,
  captured: 0n,
  refunded: 0n,
  voided: 0n,
  paidOut: 0n,
  inFlight: {},
  disputes: {},
  version: 0,
});

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const under = (ledger: Ledger, kind: InFlightKind): bigint =>
  sum(Object.values(ledger.inFlight).flatMap((one) => (one.kind === kind ? [one.minor] : [])));
export const isUnder = (ledger: Ledger, kind: InFlightKind): boolean =>
  Object.values(ledger.inFlight).some((one) => one.kind === kind);
export const sumHeld = ({ disputes }: Ledger): bigint => sum(Object.values(disputes).map((dispute) => dispute.held));

/** Returns the amount taken for a payment: what was captured, or the authorized amount if nothing is. */
export const wholeSum = ({ authorized, captured }: Ledger): bigint => (captured > 0n ? captured : authorized);

/** Checks whether all of a payment was given back, by refunds or by a void. */
export const isReturned = (ledger: Ledger): boolean =>
  wholeSum(ledger) > 0n && ledger.refunded + ledger.voided >= wholeSum(ledger);

/** Checks whether an issuer has raised it, or the network has refunded the cardholder: a refund would lose the money twice. */
export const isMoneyDisputed = ({ chargebacks = {} }: Ledger): boolean => Object.keys(chargebacks).length > 0;

const listRaised = ({ chargebacks = {} }: Ledger): readonly LedgerChargeback[] =>
  Object.values(chargebacks).filter(({ byNetwork }) => !byNetwork);

/** Checks whether an issuer has raised it. */
export const isChargedBack = (ledger: Ledger): boolean => listRaised(ledger).length > 0;

/** Checks whether the network has refunded the cardholder, and no issuer has raised it. */
export const isRefundedByNetwork = (ledger: Ledger): boolean => isMoneyDisputed(ledger) && !isChargedBack(ledger);

/** When the first of them was raised, ISO; undefined where that is not known. */
export const chargedBackSince = (ledger: Ledger): string | undefined =>
  listRaised(ledger)
    .flatMap(({ openedAt }) => openedAt ?? [])
    .sort()[0];

/** The states of a payment's money that matter more than that it succeeded, the gravest first. */
export const moneyStates = [
  ...(['charged_back', 'refunded_by_network', 'refunded', 'disputed', 'partly_refunded', 'voided'] as const),
] as const;

/** What became of the money of a payment; null: it is where it was. */
export const moneyStateOf = (ledger: Ledger): (typeof moneyStates)[number] | null => {
  if (isChargedBack(ledger)) return 'charged_back';
  if (isRefundedByNetwork(ledger)) return 'refunded_by_network';
  if (ledger.captured > 0n && ledger.refunded >= ledger.captured) return 'refunded';
  if (Object.values(ledger.disputes).some(({ open }) => open)) return 'disputed';
  if (ledger.refunded > 0n) return 'partly_refunded';
  return ledger.voided > 0n ? 'voided' : null;
};

/** Returns what issuers have taken back of it. */
export const sumChargedBack = ({ chargebacks = {} }: Ledger): bigint =>
  sum(Object.values(chargebacks).map(({ minor, taken }) => (taken ? minor : 0n)));

/** Returns what was refunded elsewhere, according to merchants' answers. */
const sumElsewhere = ({ disputes }: Ledger): bigint =>
  sum(Object.values(disputes).map(({ elsewhere = 0n }) => elsewhere));

/** Returns what is neither refunded, nor being refunded, nor held. */
export const free = (ledger: Ledger): bigint =>
  isMoneyDisputed(ledger) ? 0n : leftOfCapture(ledger) - sumHeld(ledger);

/** Returns what is neither refunded nor being refunded, whatever is held of it, and whether or not its issuer has raised it. */
export const leftOfCapture = (ledger: Ledger): bigint =>
  ledger.captured - ledger.refunded - sumElsewhere(ledger) - under(ledger, 'REFUND');

/** Returns how much a refund may take: for an alert, also what that alert holds. */
export const refundable = (ledger: Ledger, alertId: number | null = null): bigint =>
  free(ledger) + (alertId === null ? 0n : (ledger.disputes[alertId]?.held ?? 0n));

/** Checks whether a refund must be a void: authorised, and not yet finalised for capture. */
export const isUnsettled = ({ authorized, captured, inFlight }: Ledger): boolean =>
  authorized > 0n && captured === 0n && !Object.values(inFlight).some(({ kind }) => kind === 'CAPTURE');

/** Checks whether it is authorised, and neither captured nor voided nor about to be. */
export const isIdle = ({ authorized, captured, voided, inFlight }: Ledger): boolean =>
  authorized > 0n && captured === 0n && voided === 0n && Object.keys(inFlight).length === 0;

/** The capture of this amount that is done or in progress; undefined if there is none. */
export const findCapture = ({ captured, captureTxid, inFlight }: Ledger, minor: bigint): number | undefined => {
  if (captureTxid !== undefined && captured === minor) return captureTxid;
  const [txid] = Object.entries(inFlight).find(([, one]) => one.kind === 'CAPTURE' && one.minor === minor) ?? [];
  return txid === undefined ? undefined : Number(txid);
};

export type ReservationRefusal =
  | 'charged_back'
  | 'refunded_by_network'
  | 'nothing_authorized'
  | 'already_captured'
  | 'already_voided'
  | 'busy'
  | 'not_whole'
  | 'too_much'
  | 'held_by_dispute'
  | 'already_refunded_for_dispute';
export type Reservation = Omit<InFlight, 'kind'> & {
  txid: number;
  kind: 'CAPTURE' | 'VOID' | 'REFUND';
  /** A person knows that it was not given back elsewhere, or gives it back once more. */
  again?: true;
};

/** Why something may not be done now; undefined if it may. */
export const reservationRefusalOf = (ledger: Ledger, wanted: Reservation): ReservationRefusal | undefined => {
  if (wanted.kind === 'REFUND') return refusalOfRefund(ledger, wanted);
  if (ledger.voided > 0n) return 'already_voided';
  if (ledger.captured > 0n) return 'already_captured';
  if (ledger.authorized === 0n) return 'nothing_authorized';
  // Of a capture and a void, the first to reserve wins.
  if (isUnder(ledger, 'CAPTURE') || isUnder(ledger, 'VOID')) return 'busy';
  return wanted.minor === ledger.authorized ? undefined : 'not_whole';
};

const refusalOfRefund = (ledger: Ledger, { minor, alertId, again }: Reservation): ReservationRefusal | undefined => {
  const dispute = alertId === null ? undefined : ledger.disputes[alertId];
  if (dispute && (dispute.refundTxid !== null || dispute.byNetwork)) return 'already_refunded_for_dispute';
  if (dispute?.elsewhere !== undefined && !again) return 'already_refunded_for_dispute';
  if (ledger.voided > 0n) return 'already_voided';
  if (isRefundedByNetwork(ledger)) return 'refunded_by_network';
  if (isChargedBack(ledger)) return 'charged_back';
  const elsewhere = sumElsewhere(ledger);
  if (minor > 0n && minor <= refundable(ledger, alertId) + (again ? elsewhere : 0n)) return undefined;
  if (minor > 0n && minor <= refundable(ledger, alertId) + elsewhere) return 'already_refunded_for_dispute';
  return minor > 0n && minor <= free(ledger) + sumHeld(ledger) ? 'held_by_dispute' : 'too_much';
};

/** Returns how much of a converted payment is refunded, or about to be, in the currency that the payer saw. */
export const refundedInOriginal = ({ refundedOriginal = 0n, inFlight }: Ledger): bigint =>
  refundedOriginal + sum(Object.values(inFlight).map(({ original = 0n }) => original));

export const isWaiting = ({ open, refundTxid }: Dispute): boolean => open && refundTxid === null;

/** Returns what the transaction adds to its site's funds: available and reserved. */
export const countFunds = (ledger: Ledger): { available: bigint; reserved: bigint } => {
  const reserved = under(ledger, 'REFUND') + under(ledger, 'PAYOUT') + sumHeld(ledger);
  const gone = ledger.refunded + sumElsewhere(ledger) + ledger.paidOut + sumChargedBack(ledger);
  return { available: ledger.captured - gone - reserved, reserved };
};

/** Checks the invariants of a ledger; returns the names of the rules that are broken. */
export const brokenRules = (ledger: Ledger): string[] => {
  const rules = {
    'refunds stay within what was captured':
      ledger.refunded + sumElsewhere(ledger) + under(ledger, 'REFUND') + sumHeld(ledger) <= ledger.captured,
    'captured or voided, not both': ledger.captured === 0n || ledger.voided === 0n,
    'captured what was authorised': ledger.captured === 0n || ledger.captured === ledger.authorized,
    'voided what was authorised': ledger.voided === 0n || ledger.voided === ledger.authorized,
    'nothing is negative': [ledger.authorized, ledger.captured, ledger.refunded, ledger.voided, ledger.paidOut].every(
      (amount) => amount >= 0n,
    ),
    'an open dispute leaves nothing free': free(ledger) === 0n || !Object.values(ledger.disputes).some(isWaiting),
    'one capture or void at a time':
      Object.values(ledger.inFlight).filter(({ kind }) => kind === 'CAPTURE' || kind === 'VOID').length <= 1,
  };
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
};
