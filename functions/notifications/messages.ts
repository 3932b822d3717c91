import * as v from 'valibot';

/** What travels through the queues. A message only hurries a row along: the row knows what is owed. */

const Slot = v.pipe(v.string(), v.isoTimestamp());

/**
 * Make the attempt that this delivery owes at `slot` (ISO). `sid`: its site, so that it can be read beforehand. `behind`: a
 * delivery whose first attempt comes before this one.
 */
export const DeliveryMessage = v.object({
  deliveryId: v.string(),
  slot: Slot,
  sid: v.number(),
  behind: v.optional(v.string()),
});
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>;

/** Send this e-mail if it is still owed. */
export const MailMessage = v.object({ mailId: v.string() });
export type MailMessage = v.InferOutput<typeof MailMessage>;

/** Ask the rules about this alert. */
export const DecisionMessage = v.object({ alertId: v.number() });
export type DecisionMessage = v.InferOutput<typeof DecisionMessage>;

/**
 * See what became of this transaction, which refund this alert holds back, or how a payer's challenge ended. `told`: the processor or the payer said that
 * something has happened, so it is asked before its time. `slot`: the check it was sent for; where that was moved, the message
 * of the new one is on its way.
 */
export const SettlementMessage = v.union([
  v.object({ txid: v.number(), told: v.optional(v.literal(true)), slot: v.optional(Slot) }),
  v.object({ alertId: v.number() }),
  v.object({ authenticationId: v.number(), slot: v.optional(Slot) }),
]);
export type SettlementMessage = v.InferOutput<typeof SettlementMessage>;

/**
 * Tell the provider of this alert what it is owed next, as far as that is due. `at` (ISO): for when the message was sent; a
 * sweep's has none.
 */
export const OutcomeMessage = v.object({ alertId: v.number(), at: v.optional(Slot) });
export type OutcomeMessage = v.InferOutput<typeof OutcomeMessage>;

const OutcomeMessageText = v.pipe(v.string(), v.parseJson(), OutcomeMessage);

/** Reads a message's text before it is handled, to see what a batch is about; undefined for what is none. */
export const readOutcomeMessage = (text: string): OutcomeMessage | undefined => {
  const read = v.safeParse(OutcomeMessageText, text);
  return read.success ? read.output : undefined;
};

/**
 * Ask a processor about a dispute that it told of, or about a chargeback that is not over; look for what came up at a connection; have
 * the sandbox make one; or see, from a position on, which connections are not looked at yet.
 */
export const ChargebackMessage = v.union([
  v.object({ noticeId: v.string() }),
  v.object({ chargebackId: v.string() }),
  v.object({ lookId: v.string() }),
  v.object({ sandboxDispute: v.string() }),
  v.object({ looksAfter: v.nullable(v.string()) }),
]);
export type ChargebackMessage = v.InferOutput<typeof ChargebackMessage>;

/** See which alerts of the inbox this request's descriptors take in, from a position on. */
export const InboxMessage = v.object({ enrollmentId: v.number(), cursor: v.optional(v.string()) });
export type InboxMessage = v.InferOutput<typeof InboxMessage>;

/** Go on with this back-test. */
export const BackTestMessage = v.object({ backTestId: v.string() });
export type BackTestMessage = v.InferOutput<typeof BackTestMessage>;

/** See what became of this alert's refund at its merchant's own processor. `slot`: the check it was sent for. */
export const RefundMessage = v.object({ alertId: v.number(), slot: v.optional(Slot) });
export type RefundMessage = v.InferOutput<typeof RefundMessage>;

/** Look at this alert's deadline. */
export type DeadlineMessage = { alertId: number };

/** See which items of this enrollment request have to move on. */
export const EnrollmentMessage = v.object({ enrollmentId: v.number() });
export type EnrollmentMessage = v.InferOutput<typeof EnrollmentMessage>;

/**
 * Sweep the slot: without a shard, all of them; with one, what is due there after a position. The schedule writes its own
 * time with seconds only; inside, times have milliseconds. Or: owe these notifications the replay that was asked for at a time.
 */
export const SweepMessage = v.union([
  v.object({
    slot: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((slot) => new Date(slot).toISOString()),
    ),
    shard: v.optional(v.number()),
    after: v.optional(v.string()),
  }),
  v.object({ replays: v.array(v.string()), at: Slot }),
]);
export type SweepMessage = v.InferInput<typeof SweepMessage>;

/**
 * Write down this look-up of an order; see what came of one that is written; or see which order this alert is about. What a look-up
 * says, orders/lookup knows.
 */
export const LookupMessage = v.union([
  v.object({ lookup: v.record(v.string(), v.unknown()) }),
  v.object({ lookupId: v.string() }),
  v.object({ alertId: v.number() }),
]);
export type LookupMessage = v.InferOutput<typeof LookupMessage>;

/** `delaySeconds`: how long a message stays unseen; notifications/delay.ts says how long it can be. */
type Delayed = { delaySeconds?: number };

/** A message and the queue it goes to. */
export type Outgoing =
  | ({ queue: 'delivery'; body: DeliveryMessage } & Delayed)
  | ({ queue: 'mail'; body: MailMessage } & Delayed)
  | { queue: 'deadline'; body: DeadlineMessage }
  | ({ queue: 'rules'; body: DecisionMessage } & Delayed)
  | ({ queue: 'enrollment'; body: EnrollmentMessage } & Delayed)
  | ({ queue: 'settlement'; body: SettlementMessage } & Delayed)
  | ({ queue: `outcome-${string}`; body: OutcomeMessage } & Delayed)
  | { queue: 'lookups'; body: LookupMessage }
  | { queue: 'chargebacks'; body: ChargebackMessage }
  | { queue: 'back-tests'; body: BackTestMessage }
  | ({ queue: 'refunds'; body: RefundMessage } & Delayed)
  | ({ queue: 'inbox'; body: InboxMessage } & Delayed)
  | { queue: 'sweep'; body: SweepMessage };
