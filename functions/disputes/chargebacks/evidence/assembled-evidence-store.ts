import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { fromLetterheadItem } from '#accounts/merchants/settings/letterhead-row.ts';
import { fromOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems } from '#core/platform/table/table.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { orderEvidenceForCaller as evidenceOfOrder } from '#disputes/lookups/order/order-details-store.ts';
import { getOrder } from '#payments/orders/order-store.ts';
import { toResult } from '#payments/transactions/transaction/transaction.ts';
import { toTransactionDto } from '#payments/transactions/transaction/transaction-dto-row.ts';
import { getParent, type Known } from '#payments/transactions/transaction/transaction-store.ts';
import type { Chargeback } from '../chargeback.ts';
import { chargebackForCaller } from '../chargeback-access-store.ts';
import { toChargebackDto } from '../chargeback-row.ts';
import {
  type Assembled,
  type AssembledPayment,
  findReply,
  type LetterHead,
  letterHeadOf,
} from './chargeback-evidence.ts';

/** The evidence against a chargeback, from its payment and the order that the payment was for. Throws chargeback_not_found. */
export const chargebackEvidenceForCaller = async (id: string, caller: Caller): Promise<Assembled> =>
  assembleEvidence(await chargebackForCaller(id, caller), caller);

/** The same for a chargeback that was read. */
export const assembleEvidence = async (chargeback: Chargeback, caller: Caller): Promise<Assembled> => {
  const { txid } = chargeback;
  const [payment, orderId] = await Promise.all([
    txid === null ? undefined : getParent(txid),
    findDisputedOrder(chargeback),
  ]);
  const evidence = orderId === undefined ? null : await evidenceOfOrder(orderId, caller);
  const facts = {
    sender: await readSender(chargeback.mid, chargeback.sid ?? evidence?.order.sid),
    chargeback: toChargebackDto(chargeback),
    payment: payment ? paymentDto(payment) : null,
    order_evidence: evidence,
  };
  return { ...facts, response: findReply(facts) };
};

/** The shop of the site as the merchant describes it to banks; without a description the merchant by its name. */
const readSender = async (mid: number, sid: number | undefined): Promise<LetterHead> => {
  const ofSite = sid === undefined ? [] : [keys.orderProfile(sid), keys.letterhead(sid)];
  const [merchant, profile, letterhead] = await getItems([keys.merchant(mid), ...ofSite]);
  const name = fromMerchantItem(merchant)?.name ?? '';
  return letterHeadOf(fromOrderProfileItem(profile)?.profile ?? {}, name, fromLetterheadItem(letterhead, sid ?? 0));
};

/** The order of the payment; of a charge at a connection the one that its alert's numbers name. */
const findDisputedOrder = async ({ txid, alertId, mid }: Chargeback): Promise<number | undefined> => {
  if (txid !== null) return (await getOrder(txid))?.orderId;
  const item = alertId === null ? undefined : await getItem(keys.alert(alertId));
  const match = item && (await findOrderOfAlert(mid, fromAlertItem(item).providerAlert));
  return match?.found === 'one' ? match.order.orderId : undefined;
};

const paymentDto = ({ transaction, ledger }: Known): AssembledPayment => ({
  ...toTransactionDto(transaction),
  descriptor: transaction.descriptor,
  email: transaction.email,
  refunded: formatAmount({ minor: ledger.refunded, currency: ledger.currency }),
  three_ds: toResult(transaction).three_ds ?? null,
});
