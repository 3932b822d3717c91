import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { deleteItem, getItems, transact, type Write, type Writes } from '#core/platform/table/table.ts';
import { type Alert, holdReason, transactionTimeOf } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { saysRefunded, statedMinor } from '#disputes/alerts/answer/refunded-elsewhere.ts';
import { linkedEntry, unlinkedEntry } from '#disputes/alerts/history/history.ts';
import { holdHistoryWrite } from '#disputes/alerts/history/history-row.ts';
import {
  changedHoldWrite,
  endedHoldWrite,
  foundHoldWrite,
  fromHoldItem,
  type Hold,
} from '#disputes/alerts/hold-row.ts';
import { knownRates } from '#disputes/matching/known-rates-store.ts';
import {
  type ChargeMatch,
  listFound,
  type MatchEvidenceDto,
  matchCharges,
  paymentSearchSpan,
  toMatchEvidenceDto,
} from '#disputes/matching/match.ts';
import { type ChargeFacts, endsOfCard } from '#disputes/matching/match-evidence.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { isChargedBackLater, sandboxDisputeOf } from '#payments/processors/sandbox/sandbox-dispute.ts';
import { expectedDisputeWrite } from '#payments/processors/sandbox/sandbox-dispute-row.ts';
import { isReturned, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import {
  bookElsewhere,
  forgetDispute,
  holdForDispute,
  releaseDispute,
} from '#payments/transactions/ledger/ledger-changes.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import {
  cardSearchScopes,
  facetOfCard,
  fromTransactionItem,
  type TransactionSummary,
  transactionEntity,
} from '#payments/transactions/transaction/transaction-row.ts';
import { getParent, type Known } from '#payments/transactions/transaction/transaction-store.ts';

/** The number of payments of one card within two months that are read; if there are more, only a reference number can identify one. */
const maxLookedAt = 500;

/** Reads the list of an alert's card. `isWhole`: there are no others. */
const paymentsOfCard = async (alert: Alert): Promise<{ payments: TransactionSummary[]; isWhole: boolean }> => {
  const { providerAlert, owner } = alert;
  const ends = endsOfCard(providerAlert.card);
  if (!owner || !ends || providerAlert.test) return { payments: [], isWhole: true };
  const payments = await readFirst<TransactionSummary>({
    entity: transactionEntity,
    scopeIndex: 3,
    scope: cardSearchScopes.first6(owner.mid, ends.first6),
    facets: [facetOfCard(ends.last4)],
    ...paymentSearchSpan(transactionTimeOf(alert)),
    order: 'DESC',
    size: maxLookedAt,
  });
  return { payments, isWhole: payments.length < maxLookedAt };
};

/** Finds which of its merchant's payments an alert is about, without those that were ruled out. One query of the card's list. */
const matchFor = async (
  alert: Alert,
  ruledOut: readonly number[] | undefined,
): Promise<ChargeMatch<TransactionSummary>> => {
  const { payments, isWhole } = await paymentsOfCard(alert);
  return matchAmong(alert, without(payments, ruledOut), isWhole);
};

const without = (payments: readonly TransactionSummary[], ruledOut: readonly number[] = []) =>
  payments.filter(({ txid }) => !ruledOut.includes(txid));

const matchAmong = async (
  { providerAlert }: Alert,
  payments: readonly TransactionSummary[],
  isWhole: boolean,
): Promise<ChargeMatch<TransactionSummary>> => {
  const made = payments.filter(isMade);
  const rateOf = await knownRates(
    providerAlert.currency,
    made.map(({ currency }) => currency),
  );
  return matchCharges(providerAlert, made, { factsOf: summaryFactsOf, isWhole, rateOf });
};

const isMade = ({ status, tx_action: action }: TransactionSummary): boolean =>
  status === 'OK' && (action === 'PAYMENT' || action === 'PREAUTH');

const summaryFactsOf = (payment: TransactionSummary): ChargeFacts => {
  const { minor, currency, arn, auth_code: authCode, created_at: date, card, card_type: brand, tx_action } = payment;
  const { first6 = '', last4 = '' } = endsOfCard(card ?? '') ?? {};
  const money = { minor: BigInt(minor), currency };
  // The captured part of an authorization is in its ledger, which lists do not show.
  const captured = tx_action === 'PREAUTH' ? null : money.minor;
  return { first6, last4, brand, arn, authCode, money, captured, date, descriptor: '', references: [] };
};

const candidateTxids = (match: ChargeMatch<TransactionSummary>): readonly number[] =>
  listFound(match).map(({ charge }) => charge.txid);

/** A payment that was taken here, with its money. */
export type PaymentWithLedger = { transaction: Transaction; ledger: Ledger };

/** The payments that an alert can be about. `isWhole`: none is left out that could be another; `isOne`: the evidence for one is enough. */
export type OwnPayments = { payments: PaymentWithLedger[]; isWhole: boolean; isOne: boolean };

/** The payments that an alert can be about, in their present state, without those that a person has ruled out. */
export const findOwnPayments = async (alert: Alert): Promise<OwnPayments> => {
  const { payments, isWhole } = await paymentsOfCard(alert);
  const found = await readCandidates(alert, payments, isWhole);
  const isRuledOut = found.payments.some(({ transaction: { txid } }) => found.ruledOut.includes(txid));
  return isRuledOut ? readCandidates(alert, without(payments, found.ruledOut), isWhole) : found;
};

/** `ruledOut` is read together with the candidates, so that it costs no call. */
const readCandidates = async (
  alert: Alert,
  payments: readonly TransactionSummary[],
  isWhole: boolean,
): Promise<OwnPayments & { ruledOut: readonly number[] }> => {
  const match = await matchAmong(alert, payments, isWhole);
  const isOne = match.found === 'one';
  const txids = candidateTxids(match).slice(0, maxKept);
  if (txids.length === 0) return { payments: [], isWhole, isOne, ruledOut: [] };
  const [hold, ...items] = await getItems([
    keys.disputeHold(alert.alertId),
    ...txids.flatMap((txid) => [keys.transaction(txid), keys.ledger(txid)]),
  ]);
  const known = txids.flatMap((_, index) => {
    const [item, ledger] = [items[2 * index], items[2 * index + 1]];
    return item && ledger ? [{ transaction: fromTransactionItem(item), ledger: fromLedgerItem(ledger) }] : [];
  });
  return { payments: known, isWhole, isOne, ruledOut: fromHoldItem(hold)?.ruledOut ?? [] };
};

/** After this time, a payment that was not known when the alert came will no longer come. */
const lookedForMilliseconds = 7 * milliseconds.day;

/** A list is read from an index, which follows the table within moments: after this time it has everything written before the alert. */
const listedAfterMilliseconds = 15 * milliseconds.minute;

/** Checks whether a merchant has ever tried to take a payment here. One query of one item. */
const takesPayments = async (mid: number): Promise<boolean> => {
  const scope = cardSearchScopes.merchant(mid);
  const [any] = await readFirst({ entity: transactionEntity, scopeIndex: 1, scope, order: 'DESC', size: 1 });
  return any !== undefined;
};

/** Checks whether it makes sense to look again: a payment that is disputed was begun before its alert came. */
const isStillLookedFor = async (
  { since }: Hold,
  { owner }: Alert,
  { found }: ChargeMatch<unknown>,
): Promise<boolean> => {
  const passed = nowMilliseconds() - Date.parse(since);
  if (passed > lookedForMilliseconds) return false;
  return found !== 'none' || owner === null || passed <= listedAfterMilliseconds || takesPayments(owner.mid);
};

/**
 * Updates the hold on a payment for a dispute alert. It holds the remaining amount while the alert is open, or permanently if the
 * network has refunded it, and releases it once the alert has its outcome. It is idempotent, resumes after a crash, and starts
 * again if the alert, the payment or the hold changes while it runs.
 */
export const settleDispute = async (alertId: number): Promise<void> => {
  await retryOnConflict(
    async () => {
      const writes = await planHold(alertId);
      if (!writes) return;
      const { hold, ...others } = writes;
      // Alone it needs no transaction, which costs twice. Where its answer is lost, this looks again and finds no hold.
      if (hold.Delete && Object.keys(others).length === 0) await deleteItem(hold.Delete);
      else await transact(writes);
    },
    { maxAttempts: 12 },
  );
};

/** The hold and, if they change, the payment's ledger and what the sandbox expects of it. */
type HoldWrites = { hold: Write } & Writes;

const planHold = async (alertId: number): Promise<HoldWrites | undefined> => {
  const [holdItem, alertItem] = await getItems([keys.disputeHold(alertId), keys.alert(alertId)]);
  const hold = fromHoldItem(holdItem);
  if (!hold) return undefined;
  if (!alertItem) throw new Error(`Alert ${alertId} of a hold is gone`);
  const alert = fromAlertItem(alertItem);
  const claim = holdReason(alert);
  if (claim === null) return release(hold, alert);
  if (hold.txid !== null) return undefined;
  const match = await matchFor(alert, hold.ruledOut);
  if (match.found === 'one') return holding(hold, match.charge.txid, { claim, alert });
  if (!(await isStillLookedFor(hold, alert, match))) return { hold: endedHoldWrite(hold) };
  const txids = candidateTxids(match).slice(0, maxKept);
  const isSearched = txids.length === 0;
  return String(txids) === String(hold.txids) && isSearched === (hold.isSearched ?? false)
    ? undefined
    : { hold: changedHoldWrite(hold, { ...hold, txids, isSearched }, hold.since) };
};

/**
 * Links an alert to one of the payments that it can be about, which is then held for it, and records that `by` decided so. Repeating it
 * does nothing. Throws payment_not_linked, alert_closed.
 */
export const linkDispute = (alert: Alert, txid: number, by: string): Promise<void> =>
  retryOnConflict(
    async () => {
      const writes = await linkWrites(alert.alertId, txid, by);
      if (writes) await transact(writes);
    },
    { maxAttempts: 12, onExhausted: changedMeanwhile },
  );

const linkWrites = async (alertId: number, txid: number, by: string): Promise<HoldWrites | undefined> => {
  const [holdItem, alertItem] = await getItems([keys.disputeHold(alertId), keys.alert(alertId)]);
  if (!alertItem) throw new Error(`Alert ${alertId} is gone`);
  const [hold, alert] = [fromHoldItem(holdItem), fromAlertItem(alertItem)];
  if (hold?.txid === txid) return undefined;
  if (holdReason(alert) !== 'dispute') {
    throw new Refusal('alert_closed', `alert_id: the alert is ${alert.status} and holds no payment.`);
  }
  if (hold && hold.txid !== null) {
    throw new Refusal('payment_not_linked', `txid: the alert holds payment ${hold.txid}, the only one it fits.`);
  }
  const evidence = await evidenceFor(alert, txid);
  if (!evidence) {
    throw new Refusal('payment_not_linked', 'txid: is not one of the payments that the alert can be about.');
  }
  // A hold that is gone is no longer searched for, so it is created with the payment.
  const known = hold ?? { alertId, since: alert.receivedAt, txid: null, txids: [], version: 0 };
  const { transaction, ledger } = await readParent(txid);
  const ruledOut = known.ruledOut?.filter((one) => one !== txid);
  const held = { ...known, txid, txids: [], ...(ruledOut && { ruledOut }) };
  return {
    hold: hold ? changedHoldWrite(hold, held, hold.since) : foundHoldWrite(held, alert.receivedAt),
    ...ledgerChange(ledger, holdForDispute(ledger, alertId)),
    sandboxDispute: sandboxWrite(transaction, alert),
    label: holdHistoryWrite(alertId, known.version, linkedEntry({ txid }, evidence, by, nowIso())),
  };
};

/** Returns the evidence for a payment being the one that an alert is about; null: it is not among those that fit. */
const evidenceFor = async (alert: Alert, txid: number): Promise<MatchEvidenceDto | null> => {
  const found = listFound(await matchFor(alert, undefined)).find(({ charge }) => charge.txid === txid);
  return found ? toMatchEvidenceDto(found.evidence) : null;
};

/**
 * Releases the payment that an alert holds and rules it out for the alert, and records that `by` decided so. Returns the payment that
 * the alert holds then. If `released` names the payment, repeating it does nothing even when the alert holds another by then; null: whichever
 * it holds. Throws payment_not_linked, alert_closed, already_refunded_for_dispute.
 */
export const unlinkDispute = (alert: Alert, released: number | null, by: string): Promise<number | null> =>
  retryOnConflict(
    async () => {
      const { held, writes } = await unlinkWrites(alert.alertId, released, by);
      if (writes) await transact(writes);
      return held;
    },
    { maxAttempts: 12, onExhausted: changedMeanwhile },
  );

/** Checks whether a payment was released before. `released` null: any payment, if none is held now. */
const isReleased = ({ txid, ruledOut = [] }: Hold, released: number | null): boolean =>
  released === null ? txid === null && ruledOut.length > 0 : txid !== released && ruledOut.includes(released);

type Unlinked = { held: number | null; writes?: HoldWrites };

const unlinkWrites = async (alertId: number, released: number | null, by: string): Promise<Unlinked> => {
  const [holdItem, alertItem] = await getItems([keys.disputeHold(alertId), keys.alert(alertId)]);
  if (!alertItem) throw new Error(`Alert ${alertId} is gone`);
  const [hold, alert] = [fromHoldItem(holdItem), fromAlertItem(alertItem)];
  if (holdReason(alert) !== 'dispute') {
    throw new Refusal('alert_closed', `alert_id: the alert is ${alert.status} and holds no payment.`);
  }
  if (hold && isReleased(hold, released)) return { held: hold.txid };
  if (!hold || hold.txid === null) {
    throw new Refusal('payment_not_linked', 'alert_id: the alert holds no payment.');
  }
  if (released !== null && hold.txid !== released) {
    throw new Refusal('payment_not_linked', `held_txid: the alert holds payment ${hold.txid}.`);
  }
  const { txid, isRefunded: _, ...others } = hold;
  const { ledger } = await readParent(txid);
  if (ledger.disputes[alertId]?.refundTxid != null) {
    throw new Refusal('already_refunded_for_dispute', `alert_id: payment ${txid} is refunded for this alert.`);
  }
  const freed = { ...others, txid: null, txids: [], ruledOut: [...(hold.ruledOut ?? []), txid] };
  const entry = unlinkedEntry(txid, await evidenceFor(alert, txid), by, nowIso());
  return {
    held: null,
    writes: {
      hold: changedHoldWrite(hold, freed, hold.since),
      ...ledgerChange(ledger, forgetDispute(ledger, alertId)),
      label: holdHistoryWrite(alertId, hold.version, entry),
    },
  };
};

/** As many as a merchant can look through. */
const maxKept = 20;

const readParent = async (txid: number): Promise<Known> => {
  const parent = await getParent(txid);
  if (!parent) throw new Error(`The ledger of payment ${txid} is gone`);
  return parent;
};

/** The sandbox charges some payments back, after the deadline of the alert about them. */
const sandboxWrite = (
  { txid, sid, processor, processorReference, money }: Transaction,
  alert: Alert,
): Write | undefined => {
  const { minor, currency } = fromKeptMoney(money);
  if (processor !== 'sandbox' || processorReference === null || !isChargedBackLater(minor)) return undefined;
  const payment = { txid, sid, reference: processorReference, minor, currency };
  return expectedDisputeWrite(sandboxDisputeOf(payment, alert));
};

const ledgerChange = (before: Ledger, after: Ledger): Writes => (after === before ? {} : ledgerWrites(before, after));

/** The hold of an open alert stays due, because the message of its outcome may be lost. A network's decision is final. */
const holding = async (
  hold: Hold,
  txid: number,
  { claim, alert }: { claim: 'dispute' | 'network'; alert: Alert },
): Promise<HoldWrites> => {
  const isNetworks = claim === 'network';
  const { transaction, ledger } = await readParent(txid);
  return {
    hold: changedHoldWrite(
      hold,
      { ...hold, txid, txids: [], ...(isReturned(ledger) && { isRefunded: true }) },
      isNetworks ? null : hold.since,
    ),
    ...ledgerChange(ledger, holdForDispute(ledger, hold.alertId, isNetworks)),
    sandboxDispute: isNetworks ? undefined : sandboxWrite(transaction, alert),
  };
};

/** If the answer says refunded although nothing was refunded here, that is recorded, so that it is not refunded twice. */
const release = async (hold: Hold, alert: Alert): Promise<HoldWrites> => {
  const isRefunded = saysRefunded(alert);
  const txid = hold.txid ?? (isRefunded ? await onlyMatch(alert, hold.ruledOut) : null);
  if (txid === null) return { hold: endedHoldWrite(hold) };
  const { ledger } = await readParent(txid);
  const after = isRefunded
    ? bookElsewhere(ledger, hold.alertId, statedMinor(alert, ledger.currency))
    : releaseDispute(ledger, hold.alertId);
  return { hold: endedHoldWrite(hold), ...ledgerChange(ledger, after) };
};

/** It may have been answered before its payment was found. */
const onlyMatch = async (alert: Alert, ruledOut: readonly number[] | undefined): Promise<number | null> => {
  const match = await matchFor(alert, ruledOut);
  return match.found === 'one' ? match.charge.txid : null;
};
