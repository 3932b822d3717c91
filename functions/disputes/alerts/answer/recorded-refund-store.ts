import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key } from '#core/platform/table/table.ts';
import { isReturned, isUnder, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { fromLedgerItem } from '#payments/transactions/ledger/ledger-row.ts';
import { fromTransactionItem } from '#payments/transactions/transaction/transaction-row.ts';
import type { Alert } from '../alert.ts';
import { refundAtConnectionOf, refundedHereOf } from '../automatic/decision-row.ts';
import { fromHoldItem } from '../hold-row.ts';
import type { RefundMaker } from './alert-update.ts';
import { needsDuplicate } from './reason-codes.ts';
import { type RecordedRefunds, recordedMaker, refundMakerOf } from './refunded-elsewhere.ts';

/** The rows that lead to the refunds of an alert's payment. */
export const recordedRefundKeys = (alertId: number): readonly [refund: Key, hold: Key] => [
  keys.refund(alertId),
  keys.disputeHold(alertId),
];

/** `recordedRefundKeys`, as they were read. */
type Rows = readonly [refund: Item | undefined, hold: Item | undefined];

/** All refunds of an alert's payment that Forewarn or the network made. Reads once more where a payment taken here is known. */
const recordedRefunds = async ([refundItem, holdItem]: Rows): Promise<RecordedRefunds> => {
  const atConnection = refundAtConnectionOf(refundItem);
  const here = refundedHereOf(refundItem);
  const txid = fromHoldItem(holdItem)?.txid ?? null;
  const [refundHere, ledger] = await readHere(here, txid);
  const isDone = atConnection?.state === 'done' && readMoney(atConnection.amount, atConnection.currency);
  const isHereDone = refundHere?.status === 'OK' && ledger === undefined;
  return {
    made: [
      ...(isDone ? [{ ...isDone, isWhole: true }] : []),
      ...(isHereDone ? [{ ...refundHere.money, minor: BigInt(refundHere.money.minor), isWhole: true }] : []),
      ...(ledger ? [sumBack(ledger)] : []),
    ],
    isByNetwork: ledger !== undefined && Object.values(ledger.disputes).some(({ byNetwork }) => byNetwork === true),
    isUnderWay:
      (atConnection !== undefined && atConnection.state !== 'done' && atConnection.state !== 'failed') ||
      refundHere?.status === 'PEND' ||
      (ledger !== undefined && isUnder(ledger, 'REFUND')),
  };
};

const sumBack = (ledger: Ledger) => ({
  minor: ledger.refunded + ledger.voided,
  currency: ledger.currency,
  isWhole: isReturned(ledger),
});

const readHere = async (here: number | null, txid: number | null) => {
  const items = await getItems([
    ...(here === null ? [] : [keys.transaction(here)]),
    ...(txid === null ? [] : [keys.ledger(txid)]),
  ]);
  const refundItem = here === null ? undefined : items[0];
  const ledgerItem = txid === null ? undefined : items.at(-1);
  return [refundItem && fromTransactionItem(refundItem), ledgerItem && fromLedgerItem(ledgerItem)] as const;
};

const readMoney = (amount: string, currency: string): Money | undefined => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' ? undefined : money;
};

/** A duplicate is refunded by the refund of the alert that it repeats. */
const makerOfNamed = (named: readonly Alert[]): RefundMaker | null =>
  named.map(refundMakerOf).find((maker) => maker !== null) ?? null;

type Claim = { rows: Rows; named: readonly Alert[]; needsProof: boolean };

/**
 * Finds who made the refund that an accepted answer states. `alert`: as the answer leaves it; `named`: the alerts that it is said to
 * repeat. Throws refund_first if `needsProof`, and neither a record nor the answer itself proves a refund; request_invalid if the answer
 * states that the refund was made elsewhere, and it was made here.
 */
export const findRefundMaker = async (alert: Alert, { rows, named, needsProof }: Claim): Promise<RefundMaker> => {
  const { reason_code = '', refunded_elsewhere: elsewhere } = alert.update ?? {};
  const recorded = await recordedRefunds(rows);
  const maker = recordedMaker(alert, recorded) ?? (needsDuplicate(reason_code) ? makerOfNamed(named) : null);
  if (elsewhere && maker !== null && maker !== 'merchant') {
    const words = `refunded_elsewhere: must be left out, as ${maker === 'network' ? 'the network' : 'Forewarn'} made the refund`;
    throw new Refusal('request_invalid', words);
  }
  if (maker !== null) return maker;
  if (elsewhere || !needsProof) return 'merchant';
  throw new Refusal(
    'refund_first',
    recorded.isUnderWay
      ? `reason_code: a refund for this alert is under way. Send ${reason_code} once it is done.`
      : `reason_code: ${reason_code} states a refund, and no such refund is recorded for this alert. Refund the payment with ` +
          'POST /api/v3/service_alerts/alert/{alert_id}/refund, or send refunded_elsewhere with the date of a refund that was made elsewhere.',
  );
};
