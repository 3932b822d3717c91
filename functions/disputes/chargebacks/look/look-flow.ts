import { chargebackReceivers } from '#accounts/merchants/settings/payment-settings.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import { log, metric } from '#core/platform/log/log.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact, tryTransact, type Write } from '#core/platform/table/table.ts';
import { convertKnown } from '#disputes/matching/known-rates-store.ts';
import { heedFailedRefunds } from '#disputes/refunds/late-failure-flow.ts';
import { merchantReferenceOf, txidOfReference } from '#payments/processors/merchant-reference.ts';
import {
  type DisputePlace,
  type DisputePort,
  disputeIdOf,
  type ProcessorDispute,
} from '#payments/processors/ports/dispute.ts';
import { decideDispute } from '#payments/processors/sandbox/sandbox-dispute.ts';
import { decideSandboxDispute } from '#payments/processors/sandbox/sandbox-dispute-store.ts';
import {
  type DisputeNotice,
  endedNoticeWrite,
  fromDisputeNoticeItem,
} from '#payments/transactions/dispute/dispute-notice-row.ts';
import { type Ledger, wholeSum } from '#payments/transactions/ledger/ledger.ts';
import { withChargeback } from '#payments/transactions/ledger/ledger-changes.ts';
import { fromLedgerItem, ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { isTransactionFinal, type Transaction } from '#payments/transactions/transaction/transaction.ts';
import { getTransaction, ledgerPatience } from '#payments/transactions/transaction/transaction-store.ts';
import { alertOfCharge } from '../alert-of-charge-flow.ts';
import { oweDecision, wakeDecision } from '../automatic/due-decision-store.ts';
import {
  type Chargeback,
  chargebackAfter,
  isChargebackOver,
  isForNextStage,
  ledgerPart,
  moveChargeback,
  recordLook,
  seeksAlert,
  toPlace,
} from '../chargeback.ts';
import { chargebackMail } from '../chargeback-mail.ts';
import { chargebackWrite, fromChargebackItem, removedChargebackWrite } from '../chargeback-row.ts';
import { tellAlert } from '../charged-back-alert-store.ts';
import { tellOrder } from '../charged-back-order-flow.ts';
import { takeWarning } from '../warning/warning-flow.ts';
import { lookAtAccount, warnOfUnread } from './dispute-news-flow.ts';
import { findManagedMerchant, loadDisputePort } from './port-flow.ts';

/** The time for which a payment may be under way before it is known here by its processor's reference. */
const unknownFor = milliseconds.day;
/**
 * The time for which a processor is asked about a dispute that a webhook named: webhooks still arrive after keys are revoked permanently.
 */
const maxPatience = 30 * milliseconds.day;
/** The time for which every sweep asks for a listed dispute that cannot be read: a service may be mended within it. */
const unreadFor = 7 * milliseconds.day;

/**
 * Handles a dispute, or an issuer's warning, that a webhook named. Until its processor has been asked, every sweep retries, for a
 * month; and so while the payment is under way. For a dispute that its processor does not know, or whose payment is not known here, for a day:
 * a webhook may be ahead of either.
 */
export const lookAtNotice = async (id: string): Promise<void> => {
  const notice = fromDisputeNoticeItem(await getItem(keys.disputeNotice(id)));
  if (!notice) return;
  const age = nowMilliseconds() - Date.parse(notice.at);
  const isSeenTo = await lookAsNoted(notice).catch((error: unknown) => {
    if (!(error instanceof RetryLaterError)) throw error;
    if (notice.isUnread && age < unreadFor) return 'later' as const;
    if (notice.isUnread) {
      warnOfUnread({ noticeId: id, processor: notice.place.processor, reference: notice.place.reference });
      return true;
    }
    if (age < maxPatience) throw error;
    log('error', 'dispute_never_answered', { noticeId: id, processor: notice.place.processor, toldAt: notice.at });
    return true;
  });
  if (isSeenTo !== true && age < (isSeenTo === 'later' ? maxPatience : unknownFor)) return;
  // Its condition fails if another webhook has named the dispute meanwhile; that has a message of its own.
  await tryTransact({ notice: endedNoticeWrite(notice) });
};

const lookAsNoted = async (notice: DisputeNotice): Promise<boolean | 'later'> => {
  const { place, at, isWarning, isAccount, refundFailed } = notice;
  if (refundFailed !== undefined) {
    if ('mid' in place) await heedFailedRefunds({ ...place, charge: refundFailed });
    return true;
  }
  if (isWarning) return takeWarning(place);
  if (!isAccount) return lookAtDispute(place);
  await lookAtAccount(place, at);
  return true;
};

/** Asks the processor about a dispute and records what it says. False: it does not know it, or the payment is not known here; `later`: not yet. */
const lookAtDispute = async (place: DisputePlace, isAccepted = false): Promise<boolean | 'later'> => {
  const dispute = await ask(place, isAccepted);
  return dispute ? follow(place, dispute) : false;
};

/** Looks again at a chargeback that is not over, or whose alert may not know of it yet. */
export const lookAtChargeback = async (id: string): Promise<void> => {
  const chargeback = fromChargebackItem(await getItem(keys.chargeback(id)));
  if (!chargeback) return;
  const { nextLookAt } = chargeback;
  const isDue = nextLookAt !== null && nextLookAt <= nowIso();
  try {
    if (nextLookAt !== null)
      await lookAtDispute(toPlace(chargeback), chargeback.accepted !== null && !isChargebackOver(chargeback));
  } catch (error) {
    // A sweep may have found its rules due: they have their own patience with the processor.
    await wakeDecision(id);
    throw error;
  }
  if (!isDue) await wakeDecision(id);
};

/** Lets the sandbox decide whether it charges a payment back, now that it is time. */
export const lookAtSandbox = async (id: string): Promise<void> => {
  const dispute = await decideSandboxDispute(id, async (expected) => {
    const ledger = await getItem(keys.ledger(expected.txid));
    return decideDispute(expected, ledger ? fromLedgerItem(ledger).refunded : 0n);
  });
  if (dispute?.state !== 'made') return;
  const payment = await getTransaction(dispute.txid);
  if (!payment || !isTransactionFinal(payment))
    throw new RetryLaterError(`Payment ${dispute.txid} is not written down yet`);
  const routeId = payment.routeId ?? '';
  await lookAtDispute({ sid: dispute.sid, processor: 'sandbox', routeId, reference: id });
};

/** Throws RetryLaterError where the processor could not be asked. Undefined: there is no such dispute, or no account to ask. */
const ask = async (place: DisputePlace, isAccepted: boolean): Promise<ProcessorDispute | undefined> => {
  const port = await loadDisputePort(place);
  if (!port) return undefined;
  if (isAccepted) await acceptAt(port, place);
  const answer = await port.look(place.reference);
  if ('unknown' in answer) throw new RetryLaterError(`${place.processor}: ${answer.unknown}`);
  return answer.found ?? undefined;
};

/** Harmless if repeated after a lost reply: the processor refuses to close what it has already closed. */
const acceptAt = async (port: DisputePort, place: DisputePlace): Promise<void> => {
  const done = await port.accept?.(place.reference, `fw-accept-${disputeIdOf(place)}`);
  if (done === undefined || done === 'done') return;
  if ('unknown' in done) throw new RetryLaterError(`${place.processor}: ${done.unknown}`);
  log('info', 'chargeback_not_accepted', { chargebackId: disputeIdOf(place), words: done.refused });
};

/**
 * `told`: the connection's name of the dispute, if the dispute is the site's. `isUnbooked`: the payment is here one that failed, so that
 * what its processor took of it is in no book.
 */
type Owner = { place: DisputePlace; mid: number; txid: number | null; told?: DisputePlace; isUnbooked?: boolean };

/**
 * Returns the owner of a dispute, and its account: if a connection reports one of a payment taken here, it belongs to the payment's site,
 * so that it counts once, whichever of them reports it. Only merchants that have chargebacks managed (`cbm`) have them followed. `later`:
 * its payment is still under way here. Undefined: the payment is not known here.
 */
const findOwner = async (
  place: DisputePlace,
  dispute: ProcessorDispute,
): Promise<Owner | 'nobody' | 'later' | undefined> => {
  const mid = dispute.payments.length === 0 ? undefined : await findManagedMerchant(place);
  if (mid === undefined) return 'nobody';
  const known = await byProcessor(place, dispute);
  const transaction = known ?? (await byOurReference(place, dispute));
  if (transaction?.mid === mid) {
    if (!known && !isTransactionFinal(transaction)) return 'later';
    const { sid, routeId, parentTxid: txid, status, error } = transaction;
    const { processor, reference } = place;
    const owner = { mid, txid, isUnbooked: status === 'EXC' && error?.code !== 'capture_failed' };
    if ('sid' in place) return { ...owner, place };
    return { ...owner, place: { sid, processor, routeId: routeId ?? '', reference }, told: place };
  }
  if ('mid' in place) return { place, mid, txid: null };
  log('info', 'chargeback_of_unknown_payment', { sid: place.sid, processor: place.processor });
  return undefined;
};

/** The payment that the processor has answered us with. */
const byProcessor = async (place: DisputePlace, { payments }: ProcessorDispute): Promise<Transaction | undefined> => {
  const rows = await getItems(payments.map((reference) => keys.processorReference(place.processor, reference)));
  const row = rows.find((one) => one !== undefined && (!('sid' in place) || one['sid'] === place.sid));
  return row && getTransaction(Number(row['txid']));
};

/** The payment that we sent there, whether or not we ever heard what the processor calls it. */
const byOurReference = async (
  place: DisputePlace,
  { merchantReference = '' }: ProcessorDispute,
): Promise<Transaction | undefined> => {
  const txid = txidOfReference(merchantReference);
  const found = txid === null ? undefined : await getTransaction(txid);
  const isOurs =
    found?.processor === place.processor &&
    found.txid === found.parentTxid &&
    merchantReferenceOf(found) === merchantReference &&
    (!('sid' in place) || found.sid === place.sid);
  return isOurs ? found : undefined;
};

/** False: the payment is not known here; `later`: not yet. */
const follow = async (place: DisputePlace, dispute: ProcessorDispute): Promise<boolean | 'later'> => {
  const owner = await findOwner(place, dispute);
  if (owner === 'later') return owner;
  if (!owner || owner === 'nobody') return owner === 'nobody';
  const isTaken = dispute.isTaken && (!owner.isUnbooked || dispute.isGivenBack === true);
  const chargeback = await retryOnConflict(() => recordDispute(owner, { ...dispute, isTaken }), ledgerPatience);
  if (chargeback.nextLookAt === null || chargeback.nextLookAt > nowIso()) return true;
  await tellAlert(chargeback);
  await tellOrder(chargeback, dispute.payments);
  await oweDecision(chargeback);
  await retryOnConflict(() => finish(chargeback));
  await wakeDecision(chargeback.id);
  return true;
};

/**
 * Records the processor's report, with its effect on the ledger of a payment taken here and on its site's funds, in one transaction. A
 * dispute reported before its payment was recorded here is attached to the payment from then on.
 */
const recordDispute = async (
  { place, told, mid, txid, isUnbooked = false }: Owner,
  dispute: ProcessorDispute,
): Promise<Chargeback> => {
  const [item, ledgerItem, toldItem] = await getItems([
    keys.chargeback(disputeIdOf(place)),
    // A connection's own payment has no ledger; no row has this key.
    keys.ledger(txid ?? 0),
    ...(told ? [keys.chargeback(disputeIdOf(told))] : []),
  ]);
  if (txid !== null && !ledgerItem) throw new Error(`The ledger of payment ${txid} is gone`);
  const [kept, stray] = [fromChargebackItem(item), fromChargebackItem(toldItem)];
  const ledger = ledgerItem && fromLedgerItem(ledgerItem);
  const owner = { mid, txid, alertId: ledger ? lastAlert(ledger) : await alertElsewhere(kept, place, dispute) };
  const before = kept ?? (stray && moveChargeback(stray, place, owner));
  const { chargeback, isNews } = chargebackAfter(before, place, dispute, owner, nowIso());
  const booked = ledger && (await amountToBook(ledger, chargeback, before));
  const after = ledger && withChargeback(ledger, chargeback.id, ledgerPart(chargeback, booked ?? 0n));
  if (!isNews && !stray && after === ledger && before) {
    const isDue = before.nextLookAt !== null && before.nextLookAt <= nowIso();
    return isDue ? before : { ...before, nextLookAt: null };
  }
  const moved = ledger && after && after !== ledger ? ledgerWrites(ledger, after) : {};
  const isRaised = isRaisedBy(chargeback) && (!(kept && isRaisedBy(kept)) || isForNextStage(kept, chargeback));
  const mails = isRaised ? await reportWrites(chargeback, place) : [];
  await transact({
    chargeback: chargebackWrite(chargeback),
    ...moved,
    mails,
    stray: stray && removedChargebackWrite(stray),
  });
  if (isUnbooked && !before) alarm(chargeback);
  if (chargeback.unmapped !== before?.unmapped) warnOfUnmapped(chargeback);
  return chargeback;
};

/**
 * What the ledger books of a chargeback, in the payment's currency: by the rate in force when its amount was first reported or changed; without
 * a rate the whole payment, which an operator must check.
 */
const amountToBook = async (
  ledger: Ledger,
  chargeback: Chargeback,
  before: Chargeback | undefined,
): Promise<bigint> => {
  const { id, amount, currency } = chargeback;
  const money = parseAmount(amount, currency);
  if (ledgerPart(chargeback, 0n) === null) return 0n;
  if (typeof money !== 'string' && currency === ledger.currency) return money.minor;
  const known = ledger.chargebacks?.[id];
  // Earlier releases booked the minor units of the dispute's own currency as they were.
  const isConverted = known && !(typeof money !== 'string' && known.minor === money.minor);
  if (isConverted && before?.amount === amount && before.currency === currency) return known.minor;
  const converted = typeof money === 'string' ? undefined : await convertKnown(money, ledger.currency);
  if (converted) return converted.minor;
  log('error', 'chargeback_without_rate', {
    chargebackId: id,
    txid: ledger.parentTxid,
    from: currency,
    to: ledger.currency,
  });
  metric('ChargebacksWithoutRate', 1, 'Count');
  return wholeSum(ledger);
};

const isRaisedBy = ({ stage, status }: Chargeback): boolean => stage !== 'inquiry' || status === 'refunded_by_network';

/** The processor names a state that is not known here: the last known one is kept, and an operator must check what it means. */
const warnOfUnmapped = ({ id, processor, unmapped }: Chargeback): void => {
  if (unmapped === undefined) return;
  log('error', 'dispute_state_unknown', { chargebackId: id, processor, state: unmapped });
  metric('UnknownDisputeStates', 1, 'Count');
};

/** The processor took money for a payment that failed here: nothing was delivered for it, and an operator must check. */
const alarm = ({ id, txid }: Chargeback): void => {
  log('error', 'chargeback_of_failed_payment', { chargebackId: id, txid });
  metric('ContradictedOutcomes', 1, 'Count');
};

/** The e-mail to those whom the payment's site names for chargebacks. */
const reportWrites = async (chargeback: Chargeback, place: DisputePlace): Promise<Write[]> => {
  if (!('sid' in place)) return [];
  const item = await getItem(keys.site(place.sid));
  const mail =
    item && chargebackMail(chargeback, place.sid, { to: chargebackReceivers(fromSiteItem(item)), at: nowIso() });
  return mail ? [newMailWrite(mail)] : [];
};

/** The alert that was about the payment; the last of several. */
const lastAlert = ({ disputes }: Ledger): number | null =>
  Object.keys(disputes)
    .map(Number)
    .sort((left, right) => right - left)[0] ?? null;

/** The same of a charge at a connection: once it is known, or a month has passed, it is not looked for again. */
const alertElsewhere = async (
  before: Chargeback | undefined,
  place: DisputePlace,
  dispute: ProcessorDispute,
): Promise<number | null> => {
  if ('sid' in place || !seeksAlert(before, nowIso())) return null;
  return alertOfCharge(place, dispute);
};

/** Its alert knows of it: it is next looked at when due, or after a webhook. If it was changed meanwhile, that writer finishes it. */
const finish = async ({ id, version }: Chargeback): Promise<void> => {
  const present = fromChargebackItem(await getItem(keys.chargeback(id)));
  if (!present || present.version !== version) return;
  await transact({ chargeback: chargebackWrite(recordLook(present, nowIso())) });
};
