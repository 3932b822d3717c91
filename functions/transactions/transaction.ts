import type { KeptCard } from '../core/card.ts';
import type { Money } from '../core/money.ts';
import type { DeclineCode } from '../processors/decline-codes.ts';
import type { NextAction, ProcessorName } from '../processors/processor.ts';

export const txActions = ['PAYMENT', 'PREAUTH', 'CAPTURE', 'REFUND', 'VOID', 'PAYOUT'] as const;
export type TxAction = (typeof txActions)[number];

/** OK and EXC are final; PEND goes on by itself, by the payer, or is not known yet. */
export const txStatuses = ['PEND', 'OK', 'EXC'] as const;
export type TxStatus = (typeof txStatuses)[number];

/** An amount as rows keep it: minor units as text, since JSON has no exact integers. */
export type KeptMoney = { minor: string; currency: string };
export const keptMoney = ({ minor, currency }: Money): KeptMoney => ({ minor: String(minor), currency });
export const moneyOf = ({ minor, currency }: KeptMoney): Money => ({ minor: BigInt(minor), currency });

/** What was asked for before it was converted, and how: a refund uses the same rate. */
export type Conversion = {
  original: KeptMoney;
  /** Decimal: one unit of the original currency in units of the charged one, margin included. */
  rate: string;
  /** Percent that the rate above includes. */
  margin: string;
  source: string;
  /** When the rate was set, ISO. */
  at: string;
};

/** One operation: a payment, or something done to one. */
export type Transaction = {
  txid: number;
  /** Its own for a payment, a PREAUTH and a PAYOUT. */
  parentTxid: number;
  sid: number;
  mid: number;
  rid: number;
  action: TxAction;
  status: TxStatus;
  money: KeptMoney;
  tid: string | null;
  reference: string | null;
  refs: readonly [string | null, string | null, string | null, string | null];
  descriptor: string | null;
  processor: ProcessorName | null;
  /** Which of the site's routes it took: its credentials are asked for refunds too, when routes have changed since. */
  routeId: string | null;
  /** The processor's identifier of this operation. */
  processorReference: string | null;
  idempotencyKey: string;
  arn: string | null;
  authCode: string | null;
  error: { code: DeclineCode; message: string } | null;
  nextAction: NextAction | null;
  card: KeptCard | null;
  /** The payer's, to which lists of their transactions may be mailed. */
  email: string | null;
  postbackUrl: string | null;
  conversion: Conversion | null;
  fraud: { fraudId: number; score: number; decision: 'ACCEPT' | 'REVIEW' | '3DS' | 'REJECT' } | null;
  /** The alert that a refund answers; null for all else. */
  alertId: number | null;
  /** When the processor is to be asked again, ISO; null once the status is final. */
  nextCheckAt: string | null;
  checks: number;
  createdAt: string;
  updatedAt: string;
  version: number;
};
