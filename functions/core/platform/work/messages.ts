import * as v from 'valibot';

/** The messages in the queues. A message only speeds up the work on a row: the row says what is owed. */

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

/**
 * The backlog that a delivery belongs to: a site's webhooks do not wait behind its messages to chats, nor behind other sites. Only
 * the identifiers of messages to chats have a third part, the kind of chat.
 */
export const backlogOf = ({ deliveryId, sid }: { deliveryId: string; sid: number }): string =>
  deliveryId.split('_').length > 2 ? `C${sid}` : `S${sid}`;

/** Send this e-mail if it is still owed. */
export const MailMessage = v.object({ mailId: v.string() });
export type MailMessage = v.InferOutput<typeof MailMessage>;

/** Ask the rules about this alert. */
export const DecisionMessage = v.object({ alertId: v.number() });
export type DecisionMessage = v.InferOutput<typeof DecisionMessage>;

/**
 * See what became of this transaction, which refund this alert holds back, or how a payer's challenge ended. `told`: the processor or the payer reported
 * that something has happened, so the check comes before its time. `slot`: the check it was sent for; if that was moved, the
 * message for the new one is on its way.
 */
export const SettlementMessage = v.union([
  v.object({ txid: v.number(), told: v.optional(v.literal(true)), slot: v.optional(Slot) }),
  v.object({ alertId: v.number() }),
  v.object({ authenticationId: v.number(), slot: v.optional(Slot) }),
]);
export type SettlementMessage = v.InferOutput<typeof SettlementMessage>;

/**
 * Tell this alert's provider what it is owed next, if that is due. `at` (ISO): the time for which the message was sent; a
 * sweep's has none.
 */
export const OutcomeMessage = v.object({ alertId: v.number(), at: v.optional(Slot) });
export type OutcomeMessage = v.InferOutput<typeof OutcomeMessage>;

const OutcomeMessageText = v.pipe(v.string(), v.parseJson(), OutcomeMessage);

/** Reads a message's text before it is handled, to see what a batch is about; undefined if it is not such a message. */
export const readOutcomeMessage = (text: string): OutcomeMessage | undefined => {
  const read = v.safeParse(OutcomeMessageText, text);
  return read.success ? read.output : undefined;
};

/**
 * Ask a processor about a dispute that it reported, or about a chargeback that is not over; look for new ones at a connection; have
 * the sandbox make one; or see, from a position on, which connections have not been looked at yet.
 */
export const ChargebackMessage = v.union([
  v.object({ noticeId: v.string() }),
  v.object({ chargebackId: v.string() }),
  v.object({ lookId: v.string() }),
  v.object({ sandboxDispute: v.string() }),
  v.object({ looksAfter: v.nullable(v.string()) }),
]);
export type ChargebackMessage = v.InferOutput<typeof ChargebackMessage>;

/** See which alerts of the inbox match this request's descriptors, from a position on. */
export const InboxMessage = v.object({ enrollmentId: v.number(), cursor: v.optional(v.string()) });
export type InboxMessage = v.InferOutput<typeof InboxMessage>;

/** Continue this back-test. */
export const BackTestMessage = v.object({ backTestId: v.string() });
export type BackTestMessage = v.InferOutput<typeof BackTestMessage>;

/** See what became of this alert's refund at its merchant's own processor. `slot`: the check it was sent for. */
export const RefundMessage = v.object({ alertId: v.number(), slot: v.optional(Slot) });
export type RefundMessage = v.InferOutput<typeof RefundMessage>;

/** Look at this alert's deadline. */
type DeadlineMessage = { alertId: number };

/** See which items of this enrollment request have to move on. */
export const EnrollmentMessage = v.object({ enrollmentId: v.number() });
export type EnrollmentMessage = v.InferOutput<typeof EnrollmentMessage>;

/**
 * Sweep the slot: without a shard, all of them; with one, what is due there after a position. The schedule writes its own
 * time with seconds only; elsewhere, times have milliseconds. Or: record that these notifications are owed the replay asked for at a time.
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
 * Record this look-up of an order; see what came of one that is recorded; or see which order this alert is about. orders/lookup knows
 * what a look-up contains.
 */
export const LookupMessage = v.union([
  v.object({ lookup: v.record(v.string(), v.unknown()) }),
  v.object({ lookupId: v.string() }),
  v.object({ alertId: v.number() }),
]);
export type LookupMessage = v.InferOutput<typeof LookupMessage>;

/** `delaySeconds`: how long a message stays unseen; core/platform/work/delay.ts says how long it can be. */
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
