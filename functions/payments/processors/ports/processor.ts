import type { Card } from '#core/kernel/card/card.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { Payer } from '#payments/payments/payer.ts';
import type { PayerBrowser } from '#payments/payments/payer-browser.ts';
import type { ThreeDsResult } from '#payments/payments/three-ds.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { RefusedField } from '../payer-forms.ts';
import type { ProcessorName } from './processors.ts';

/**
 * The port between the ledger and the processor that moves the money. An adapter talks to one processor for one site; the sandbox, Stripe
 * and Adyen each are one, and all pass one contract suite (test/payments/processors/contract.ts).
 * Every adapter promises:
 * - It never throws for what a processor or the network does. A definite success is `OK`, a definite failure `EXC`, something that
 *   continues by itself or needs the payer `PEND`; whenever it is impossible to know whether the processor did it (a time-out, a broken
 *   connection, a 5xx after the request was sent), it is `UNKNOWN`, and the same idempotency key may be sent again.
 * - The same idempotency key does an operation once and returns the same answer again.
 * - Amounts are sent in the processor's own exponents, and a currency that it does not accept is refused before anything is sent.
 * - Card data is read from the Card at the moment it is written into the request, and is in no error and no log line.
 */

/** Distinguished because a query must know what it looks for. */
export type OperationKind = 'pay' | 'capture' | 'void' | 'refund' | 'payout';

/** The action of the payer without which a payment cannot go on. */
export type NextAction =
  | { type: 'redirect'; url: string }
  | {
      type: 'otp';
      channel: string /** A page of Forewarn that accepts the code. */;
      url?: string /** Where the processor says so. */;
      tries_left?: number;
    };

export type ProcessorResult =
  | {
      outcome: 'OK';
      /** The processor's identifier of what was done; a capture, void or refund may have one of its own. */
      reference: string;
      /** Acquirer reference number and authorisation code, if the processor gives them: alerts are matched by them. */
      arn?: string;
      authCode?: string;
      /** The card network's transaction id, which repeated charges of the same card refer to. */
      networkReference?: string;
    }
  | {
      outcome: 'EXC';
      code: DeclineCode;
      reference: string | null;
      /** The field of the merchant's call that the processor refused, where it names one. */
      field?: RefusedField;
      /** Further details from the processor, for operators; without card data. */
      detail?: string;
    }
  | {
      outcome: 'PEND';
      reference: string;
      /** Null: no action is needed. Absent: the payer's previous action, if any, is still needed. */
      nextAction?: NextAction | null;
    }
  | { outcome: 'UNKNOWN'; detail: string };
/** The fields of every call that changes something. */
export type Command = {
  /** The same for every try of one operation, different for any two operations. At most 64 characters. */
  idempotencyKey: string;
  /** Our own identifier of the operation, shown at the processor. */
  txid: number;
  money: Money;
};

/** The payment with which a cardholder let the site store a card; repeated charges refer to it. */
export type FirstPayment = {
  processor: ProcessorName;
  /** The processor's reference of that payment. */
  reference: string;
  /** The route that it took. Another route may use another account at the same processor. */
  routeId: string | null;
  /** The card network's transaction id; null if the processor did not return one. */
  networkReference: string | null;
};

export type PayCommand = Command & {
  /** The route that the payment takes; null if it has none. */
  routeId: string | null;
  /** False: only authorise (PREAUTH); a capture or a void follows. */
  capture: boolean;
  card: Card;
  payer: Payer;
  /** The payer's browser; null where the merchant does not describe it completely. */
  browser?: PayerBrowser | null;
  /** On the cardholder's statement; null: the processor account's own. */
  descriptor: string | null;
  /** The site's name, for pages that the payer sees. */
  shopName: string;
  /** Where a hosted page, or the issuer's, sends the payer back to. */
  returnUrl: string;
  /** The result of an earlier 3DS authentication. */
  threeDs: ThreeDsResult | null;
  /** Ask for an authentication of the cardholder, whatever `threeDs` says; only where `capabilities.redirect`. */
  authenticate: boolean;
  /**
   * `first`: the cardholder is present, and the site may charge the card again later. A FirstPayment: the merchant charges the card again without
   * the cardholder. Null: the site does not store cards.
   */
  storedCard: 'first' | FirstPayment | null;
};

/** Checks whether the merchant charges a stored card again without the cardholder. */
export const isRepeat = (
  command: PayCommand,
): command is Omit<PayCommand, 'storedCard'> & { storedCard: FirstPayment } =>
  command.storedCard !== null && command.storedCard !== 'first';

/** A capture, void or refund of a payment; `reference` is the payment's. Voids are whole: `money` is what was authorised. */
export type FollowUpCommand = Command & { reference: string };

/** Money to a card. Card data is absent if the processor knows the payee by other means. */
export type PayoutCommand = Command & { card: Card | null; payer: Payer; descriptor: string | null };

/** The answer of the payer, or of the merchant for them, to a `next_action`. The value is a secret. */
export type AuthCommand = {
  idempotencyKey: string;
  reference: string;
  authType: string;
  authValue: string;
  miscData: string | null;
};

/** Asks what became of an operation. Without a reference the processor is asked by our identifier and key. */
export type Query = {
  kind: OperationKind;
  txid: number;
  idempotencyKey: string;
  /** The operation's own reference if it is known; and that of the payment it belongs to. */
  reference: string | null;
  paymentReference: string | null;
  money: Money;
  /** When the operation was begun, ISO. */
  startedAt: string;
};

/**
 * `NOT_FOUND`: the processor surely has no such operation and will have none, so it counts as failed. An adapter returns it
 * only if that is certain: its processor's listing is consistent, or enough time has passed (see its own reasons). A query
 * that could not be made is `UNKNOWN`, never `EXC`: money in doubt must not be given back because an API key was changed.
 */
export type QueryOutcome = ProcessorResult | { outcome: 'NOT_FOUND' };

/** The content of a processor's webhook: something must be queried again. It is never taken as the truth. */
export type ProcessorEvent = {
  /** The processor's identifier of the event, by which duplicates are recognised. */
  id: string;
  /** Our identifier if the processor carries it, else null; and the processor's references that it is about. */
  txid: number | null;
  references: readonly string[];
  /** The processor's name for the dispute that it is about, if any. */
  dispute?: string;
  /** The processor's name for the early fraud warning that it is about, if any. */
  warning?: string;
  /** The processor's name for a charge with a failed refund. */
  refundFailed?: string;
  /** There are new disputes that it does not name: they must be looked for. */
  hasDisputes?: true;
};

export type Funds = { currency: string; available: bigint; reserved: bigint };

type Capabilities = {
  payout: boolean;
  balance: boolean;
  otp: boolean;
  redirect: boolean;
  /** True if a refund can be less than what was captured. */
  partialRefund: boolean;
};

export type Processor = {
  name: ProcessorName;
  capabilities: Capabilities;
  /** The processor's own number of decimals of a currency; undefined if it does not take it. */
  exponentOf(currency: string): number | undefined;
  pay(command: PayCommand): Promise<ProcessorResult>;
  continueAuth(command: AuthCommand): Promise<ProcessorResult>;
  /** Never ends a payment that is under way: an adapter with nothing to send answers PEND. */
  resendAuth(command: { idempotencyKey: string; reference: string }): Promise<ProcessorResult>;
  capture(command: FollowUpCommand): Promise<ProcessorResult>;
  void(command: FollowUpCommand): Promise<ProcessorResult>;
  refund(command: FollowUpCommand): Promise<ProcessorResult>;
  payout(command: PayoutCommand): Promise<ProcessorResult>;
  query(query: Query): Promise<QueryOutcome>;
  /** Reads a webhook and checks its signature; undefined if that is wrong. Never throws for what was sent. */
  readWebhook(call: {
    headers: Readonly<Record<string, string | undefined>>;
    rawBody: string;
  }): Promise<readonly ProcessorEvent[] | undefined>;
  /** Returns what the site could withdraw, by currency; throws where `capabilities.balance` is false or the processor does not answer. */
  balance(): Promise<readonly Funds[]>;
};
