import { nowIso } from '../core/clock.ts';
import { retryOnConflict } from '../core/conflict-store.ts';
import type { KeyRing } from '../core/crypto.ts';
import { keys } from '../core/keys.ts';
import { log } from '../core/log.ts';
import { keyRing } from '../core/secrets.ts';
import { ConditionFailed, getItem, getItems, transact } from '../core/table.ts';
import { RetryLater } from '../core/worker.ts';
import { fromMerchantItem } from '../merchants/merchant-row.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { type DisputePlace, type DisputePort, disputeIdOf, type ProcessorDispute } from '../processors/dispute.ts';
import { disputesAt } from '../processors/disputes-client.ts';
import { decided } from '../processors/sandbox/sandbox-dispute.ts';
import { decideSandboxDispute } from '../processors/sandbox/sandbox-dispute-store.ts';
import { endedNoticeWrite, fromDisputeNoticeItem } from '../transactions/dispute-notice-row.ts';
import { type Ledger, withChargeback } from '../transactions/ledger.ts';
import { fromLedgerItem, ledgerWrites } from '../transactions/ledger-row.ts';
import { accountsAt } from '../transactions/processor-webhook-store.ts';
import { isFinal } from '../transactions/transaction.ts';
import { getTransaction, ledgerPatience } from '../transactions/transaction-store.ts';
import { tellAlert } from './alert-store.ts';
import { type Chargeback, type ChargebackOwner, chargebackAfter, isOver, ledgerPart, looked } from './chargeback.ts';
import { chargebackWrite, fromChargebackItem } from './chargeback-row.ts';

/** Sees to a dispute that a webhook named; until its processor has been asked, every sweep brings it up again. */
export const lookAtNotice = async (id: string): Promise<void> => {
  const notice = fromDisputeNoticeItem(await getItem(keys.disputeNotice(id)));
  if (!notice) return;
  await lookAtDispute(notice.place);
  await transact([endedNoticeWrite(notice)]).catch((error: unknown) => {
    // Told of once more meanwhile: that has a message of its own.
    if (!(error instanceof ConditionFailed)) throw error;
  });
};

/** Asks the processor about a dispute, and follows what it says. */
const lookAtDispute = async (place: DisputePlace, isAccepted = false): Promise<void> => {
  const dispute = await ask(place, await keyRing('encryption'), isAccepted);
  if (dispute) await follow(place, dispute);
};

/** Looks again at a chargeback that is not over, or whose alert may not know of it yet. */
export const lookAtChargeback = async (id: string): Promise<void> => {
  const chargeback = fromChargebackItem(await getItem(keys.chargeback(id)));
  if (!chargeback || chargeback.nextLookAt === null) return;
  await lookAtDispute(placeOf(chargeback), chargeback.accepted !== null && !isOver(chargeback));
};

const placeOf = ({ sid, processor, routeId, reference }: Chargeback): DisputePlace => ({
  sid,
  processor,
  routeId,
  reference,
});

/** Has the sandbox decide whether it charges a payment back, now that the time has come. */
export const lookAtSandbox = async (id: string): Promise<void> => {
  const dispute = await decideSandboxDispute(id, async (expected) => {
    const ledger = await getItem(keys.ledger(expected.txid));
    return decided(expected, ledger ? fromLedgerItem(ledger).refunded : 0n);
  });
  if (dispute?.state !== 'made') return;
  const payment = await getTransaction(dispute.txid);
  if (!payment || !isFinal(payment)) throw new RetryLater(`Payment ${dispute.txid} is not written down yet`);
  const routeId = payment.routeId ?? '';
  await lookAtDispute({ sid: dispute.sid, processor: 'sandbox', routeId, reference: id });
};

/** Throws RetryLater where the processor could not be asked. Undefined: there is no such dispute, or nobody to ask. */
const ask = async (place: DisputePlace, ring: KeyRing, isAccepted: boolean): Promise<ProcessorDispute | undefined> => {
  const route =
    place.processor === 'sandbox'
      ? sandboxAccount(place.routeId)
      : (await accountsAt(place.sid, place.processor)).find(({ id }) => id === place.routeId);
  const port = route && (await disputesAt(route, { sid: place.sid, ring }));
  if (!port) return undefined;
  if (isAccepted) await accept(port, place);
  const answer = await port.look(place.reference);
  if ('unknown' in answer) throw new RetryLater(`${place.processor}: ${answer.unknown}`);
  return answer.found ?? undefined;
};

/** Said again after a lost answer it does no harm: what the processor has closed it refuses to close once more. */
const accept = async (port: DisputePort, place: DisputePlace): Promise<void> => {
  const done = await port.accept?.(place.reference, `fw-accept-${disputeIdOf(place)}`);
  if (done === undefined || done === 'done') return;
  if ('unknown' in done) throw new RetryLater(`${place.processor}: ${done.unknown}`);
  log('info', 'chargeback_not_accepted', { chargebackId: disputeIdOf(place), words: done.refused });
};

const sandboxAccount = (id: string) => ({
  id,
  processor: 'sandbox' as const,
  ...{ schemes: null, currencies: null, min: null, max: null, sealed: null, shown: {} },
});

/** Only merchants that have chargebacks managed (`cbm`) have them followed. */
const ownerOf = async (
  { sid, processor }: DisputePlace,
  { payments }: ProcessorDispute,
): Promise<(Pick<ChargebackOwner, 'mid'> & { txid: number }) | undefined> => {
  const siteItem = await getItem(keys.site(sid));
  if (!siteItem || payments.length === 0) return undefined;
  const { mid } = fromSiteItem(siteItem);
  const [merchantItem, ...rows] = await getItems([
    keys.merchant(mid),
    ...payments.map((reference) => keys.processorReference(processor, reference)),
  ]);
  if (fromMerchantItem(merchantItem)?.profile['cbm'] !== true) return undefined;
  const row = rows.find((one) => one?.['sid'] === sid);
  const transaction = row && (await getTransaction(Number(row['txid'])));
  if (!transaction) log('info', 'chargeback_of_unknown_payment', { sid, processor });
  return transaction && { mid, txid: transaction.parentTxid };
};

const follow = async (place: DisputePlace, dispute: ProcessorDispute): Promise<void> => {
  const owner = await ownerOf(place, dispute);
  if (!owner) return;
  const chargeback = await retryOnConflict(() => record(place, dispute, owner), ledgerPatience);
  if (chargeback.nextLookAt === null || chargeback.nextLookAt > nowIso()) return;
  await tellAlert(chargeback);
  await retryOnConflict(() => finish(chargeback));
};

/** Writes what the processor says, with what that means for the payment's ledger and its site's funds, in one transaction. */
const record = async (
  place: DisputePlace,
  dispute: ProcessorDispute,
  { mid, txid }: { mid: number; txid: number },
): Promise<Chargeback> => {
  const [item, ledgerItem] = await getItems([keys.chargeback(disputeIdOf(place)), keys.ledger(txid)]);
  if (!ledgerItem) throw new Error(`The ledger of payment ${txid} is gone`);
  const [before, ledger] = [fromChargebackItem(item), fromLedgerItem(ledgerItem)];
  const owner = { mid, txid, alertId: alertOf(ledger) };
  const { chargeback, isNews } = chargebackAfter(before, place, dispute, owner, nowIso());
  const after = withChargeback(ledger, chargeback.id, ledgerPart(chargeback, dispute.money.minor));
  if (!isNews && after === ledger && before) {
    const isDue = before.nextLookAt !== null && before.nextLookAt <= nowIso();
    return isDue ? before : { ...before, nextLookAt: null };
  }
  await transact([chargebackWrite(chargeback), ...(after === ledger ? [] : ledgerWrites(ledger, after))]);
  return chargeback;
};

/** The alert that was about the payment; the last of several. */
const alertOf = ({ disputes }: Ledger): number | null =>
  Object.keys(disputes)
    .map(Number)
    .sort((left, right) => right - left)[0] ?? null;

/** Its alert knows of it: only the clock, or a webhook, brings it up again. Whoever wrote it meanwhile does so too. */
const finish = async ({ id, version }: Chargeback): Promise<void> => {
  const present = fromChargebackItem(await getItem(keys.chargeback(id)));
  if (!present || present.version !== version) return;
  await transact([chargebackWrite(looked(present, nowIso()))]);
};
