import type { InvariantName } from './invariants.ts';
import type { ProfileName } from './profiles.ts';

/**
 * Faults that somebody might write into the service one day, each an expression of it that becomes another. The simulation is held
 * against them: `test/simulation/planted.test.ts` lets each be caught.
 */
export type Planted = {
  name: string;
  file: string;
  /** An expression that stands in the file once. */
  is: string;
  becomes: string;
  /** Where it shows soonest. */
  profile: ProfileName;
  /** The seed from which on it is looked for: where it was found last. */
  seed: number;
  /** The invariant that it breaks. */
  breaks: InvariantName;
};

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are expressions of the service.
export const planted: readonly Planted[] = [
  {
    name: 'an attempt is claimed while another holds it',
    file: 'dispatch/delivery-store.ts',
    is: "'(manualSlot <= :slot OR (#state = :pending AND nextAttemptAt <= :slot AND expiresAt >= :slot AND expiresAt >= :latest)) AND (attribute_not_exists(lease) OR lease.#until <= :now)'",
    becomes:
      "'(manualSlot <= :slot OR (#state = :pending AND nextAttemptAt <= :slot AND expiresAt >= :slot AND expiresAt >= :latest))'",
    profile: 'disorder',
    seed: 2,
    breaks: 'one POST per slot',
  },
  {
    name: 'a delivery is written over whatever stands there',
    file: 'dispatch/delivery-store.ts',
    is: "'version = :version'",
    becomes: "'attribute_exists(pk)'",
    profile: 'calm',
    seed: 3,
    breaks: 'no attempt begins after an answer',
  },
  {
    name: 'a delivery whose time is over is not given up',
    file: 'dispatch/delivery-store.ts',
    is: 'isOwed && isExpired(delivery, slot, at)',
    becomes: 'false',
    profile: 'disorder',
    seed: 2,
    breaks: 'nothing is owed at rest',
  },
  {
    name: 'an answer leaves the notification owed',
    file: 'alerts/answer/update-store.ts',
    is: "delivery?.state === 'PENDING'",
    becomes: 'false',
    profile: 'hostile',
    seed: 2,
    breaks: 'no attempt begins after an answer',
  },
  {
    name: 'a slot follows upon itself',
    file: 'notifications/policy.ts',
    is: 'candidate > after',
    becomes: 'candidate >= after',
    profile: 'hostile',
    seed: 2,
    breaks: 'one POST per slot',
  },
  {
    name: 'a sweep misses what is due at its very slot',
    file: 'dispatch/due-store.ts',
    is: '`${slot}#\\uffff`',
    becomes: 'slot',
    profile: 'hostile',
    seed: 2,
    breaks: 'an attempt at every slot until it expires',
  },
  {
    name: 'a sweep leaves out a shard',
    file: 'dispatch/due-row.ts',
    is: '{ length: dueShards }',
    becomes: '{ length: dueShards - 1 }',
    profile: 'hostile',
    seed: 0,
    breaks: 'nothing is owed at rest',
  },
  {
    name: 'a sweep sends no e-mails',
    file: 'dispatch/due-row.ts',
    is: "entity === 'MAIL'",
    becomes: 'false',
    profile: 'disorder',
    seed: 15,
    breaks: 'nothing is owed at rest',
  },
  {
    name: 'an e-mail is sent by two at once',
    file: 'dispatch/mail-store.ts',
    is: "'#state = :pending AND (attribute_not_exists(lease) OR lease.#until <= :now)'",
    becomes: "'#state = :pending'",
    profile: 'disorder',
    seed: 27,
    breaks: 'e-mails are sent',
  },
  {
    name: 'both schedules of an alert have one name',
    file: 'alerts/deadline/deadline-client.ts',
    is: '`alert-${alertId}-${phase}`',
    becomes: '`alert-${alertId}`',
    profile: 'calm',
    seed: 9,
    breaks: 'deadlines warn and pass once',
  },
  {
    name: 'a deadline passes again and again',
    file: 'alerts/deadline/deadline.ts',
    is: 'deadlinePassed || !isOpen(alert)',
    becomes: '!isOpen(alert)',
    profile: 'disorder',
    seed: 1,
    breaks: 'deadlines warn and pass once',
  },
  {
    name: 'a case is written without asking whether it is known',
    file: 'alerts/intake/case-row.ts',
    is: "{ Item: toCaseItem(alert), ConditionExpression: 'attribute_not_exists(pk)' }",
    becomes: '{ Item: toCaseItem(alert) }',
    profile: 'calm',
    seed: 4,
    breaks: 'nothing acknowledged is lost, and a case is one alert',
  },
  {
    name: 'no alert is named a duplicate',
    file: 'alerts/intake/case-row.ts',
    is: 'duplicateOf(fingerprints, firsts)',
    becomes: 'null',
    profile: 'calm',
    seed: 3,
    breaks: 'of several disputes of one transaction one is the first',
  },
  {
    name: 'an alert is written over whatever stands there',
    file: 'alerts/history-row.ts',
    is: "'#version = :seen'",
    becomes: "'attribute_exists(pk)'",
    profile: 'calm',
    seed: 66,
    breaks: 'no answer and no withdrawal is lost',
  },
  {
    name: 'an alert takes a second final answer',
    file: 'alerts/answer/update.ts',
    is: '!isOpen(alert)',
    becomes: 'false',
    profile: 'calm',
    seed: 0,
    breaks: 'a network hears one final outcome',
  },
  {
    name: 'what was counted of an item before is counted on',
    file: 'core/counter-store.ts',
    is: 'countChanges(marker?.listed, state.listed)',
    becomes: 'countChanges(undefined, state.listed)',
    profile: 'calm',
    seed: 0,
    breaks: 'counts equal items',
  },
  {
    name: 'the last outcome is sent first',
    file: 'outcomes/outcome-line.ts',
    is: "line.map((outcome, index) => after[index] ?? outcome).find(({ state }) => state === 'PENDING')",
    becomes: "line.map((outcome, index) => after[index] ?? outcome).findLast(({ state }) => state === 'PENDING')",
    profile: 'hostile',
    seed: 25,
    breaks: 'a network hears one final outcome',
  },
  {
    name: 'a merchant hears only of what its network took',
    file: 'outcomes/outcome-effects.ts',
    is: 'before.statusDueAt !== null && after.statusDueAt === null',
    becomes: "before.statusDueAt !== null && after.state === 'ACCEPTED'",
    profile: 'hostile',
    seed: 11,
    breaks: 'one notification per event',
  },
  {
    name: 'a tid may be used twice',
    file: 'transactions/start-store.ts',
    is: "{ Item: { ...tid, entity: 'TID', txid, digest }, ConditionExpression: 'attribute_not_exists(pk)' }",
    becomes: "{ Item: { ...tid, entity: 'TID', txid, digest } }",
    profile: 'calm',
    seed: 14,
    breaks: 'a tid is charged once',
  },
  {
    name: 'a ledger is written over whatever stands there',
    file: 'transactions/ledger-row.ts',
    is: "'#version = :version'",
    becomes: "'attribute_exists(pk)'",
    profile: 'calm',
    seed: 7,
    breaks: 'refunds stay within what was captured',
  },
  {
    name: 'a refund takes what is not there',
    file: 'transactions/ledger.ts',
    is: 'minor <= refundable(ledger, alertId) + (again ? elsewhere : 0n)',
    becomes: 'true',
    profile: 'calm',
    seed: 7,
    breaks: 'refunds stay within what was captured',
  },
  {
    name: 'an alert may be refunded twice',
    file: 'transactions/ledger.ts',
    is: 'dispute && (dispute.refundTxid !== null || dispute.byNetwork)',
    becomes: 'false',
    profile: 'calm',
    seed: 295,
    breaks: 'an alert is refunded once',
  },
  {
    name: 'funds are told the whole instead of the difference',
    file: 'transactions/funds-row.ts',
    is: 'available - was.available',
    becomes: 'available',
    profile: 'calm',
    seed: 3,
    breaks: 'funds are what the ledgers say',
  },
  {
    name: 'an answer does not let go what its alert held',
    file: 'transactions/dispute-store.ts',
    is: 'releaseDispute(ledger, hold.alertId)',
    becomes: 'ledger',
    profile: 'calm',
    seed: 9,
    breaks: 'an alert that is answered holds nothing',
  },
  {
    name: 'a transaction that met another is not tried again',
    file: 'core/table.ts',
    is: 'attempt > mostConflicts || !isPassing(error)',
    becomes: 'true',
    profile: 'calm',
    seed: 3,
    breaks: 'nobody gets an answer that makes no sense',
  },
  {
    name: 'a single write that met a transaction is not tried again',
    file: 'core/table.ts',
    is: 'attempt > mostConflicts || !(error instanceof TransactionConflictException)',
    becomes: 'true',
    profile: 'calm',
    seed: 11,
    breaks: 'nobody gets an answer that makes no sense',
  },
  {
    name: 'a postback carries the rcode',
    file: 'transactions/transaction-store.ts',
    is: 'JSON.stringify(verifiedResult(transaction, rcode))',
    becomes: 'JSON.stringify({ ...verifiedResult(transaction, rcode), rcode })',
    profile: 'calm',
    seed: 3,
    breaks: 'secrets stay where they belong',
  },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
