import { isDeepStrictEqual } from 'node:util';
import { dueAt, dueKindOf } from '#core/platform/work/due.ts';
import { waitingCode } from '#disputes/alerts/answer/refund-answer.ts';
import { balanceKeys } from '#payments/transactions/ledger/ledger-funds-row.ts';
import { adyenCredentials, adyenNumbers } from './actors/adyen.ts';
import { nmiCredentials } from './actors/nmi.ts';
import { payersNumbers } from './actors/payer.ts';
import { credentialsAt, serviceHost } from './actors/service.ts';
import { card } from './actors/shop.ts';
import { stripeCredentials, stripeNumbers } from './actors/stripe.ts';
import { elsewhereCredentials } from './actors/stripe-elsewhere.ts';
import { wooKeys } from './actors/woo-shop.ts';
import { secrets } from './environment.ts';
import { invariants } from './invariants.ts';
import type { Observed } from './outside-events.ts';
import type { ProfileName } from './profiles.ts';
import type { Stage } from './setup.ts';
import type { Committed } from './world/dynamo.ts';
import type { Item } from './world/expressions.ts';
import { hashText } from './world/random.ts';
import type { World } from './world/world.ts';

/** The parts of the table's life that the invariants are about, in addition to its final state. */
export type Kept = {
  world: World;
  stage: Stage;
  observed: Observed;
  profile: ProfileName;
  rows: readonly Item[];
  /** The rows of one entity. */
  of: (entity: string) => Item[];
  /** When each attempt of a delivery was begun: the time of its claim, by the delivery. */
  claims: ReadonlyMap<string, readonly number[]>;
  /** The times at which a delivery became due again (ISO), and after how many attempts. */
  anew: ReadonlyMap<string, readonly Anew[]>;
  /** The times at which a notified alert got an answer, or was withdrawn; and when the answer was taken back. */
  answered: ReadonlyMap<number, readonly Turn[]>;
  /** The rows that were due, each with the time until which it was due. */
  waits: readonly Wait[];
  /** The time of each row's first attempt, or of its end without one. */
  beginnings: readonly Beginning[];
  /** When messages about an alert were sent, by queue and alert. */
  asked: ReadonlyMap<string, readonly number[]>;
  /** Each state of each ledger, as it was written. */
  ledgers: readonly Item[];
  /** Payouts that took more than there was. */
  overdrawn: readonly string[];
  /** Texts that held what is secret. */
  leaks: readonly string[];
  /** The log lines of functions about errors of their own. */
  failed: readonly string[];
  /** The log lines of functions that could not read a row or a message. */
  unread: readonly string[];
};

/** `time`: when it was written; `messageId`: by what it is known from then on. */
type Anew = { time: number; at: string; attempts: number; messageId: unknown };
/** `since`: when it was due, or was written if that was later; `until`: when it was due no more, or due at another time. */
export type Wait = { kind: string; row: string; since: number; until: number };
/** `began`: undefined if no attempt was made. */
export type Beginning = { row: Item; since: number; began: number | undefined };
type Turn = { time: number; isAnswered: boolean };

export type Violation = { invariant: string; details: string };

/** The common data of all histories of a stage: what is secret, and the rows with which they begin, scanned once. */
type Common = { secret: RegExp; hashes: ReadonlyMap<Item, number>; leaks: readonly string[] };
const commons = new WeakMap<Stage, Common>();

const getCommon = (stage: Stage): Common => {
  const known = commons.get(stage);
  if (known) return known;
  const secret = leakPattern(stage);
  const texts = [...new Set([...stage.rows, ...stage.moreRows])].map((row) => [row, JSON.stringify(row)] as const);
  const leaks = texts.flatMap(([, text]) => (secret.test(text) ? [leakLine('row', text)] : []));
  const made = { secret, hashes: new Map(texts.map(([row, text]) => [row, hashText(text)])), leaks };
  commons.set(stage, made);
  return made;
};

const leakLine = (where: string, text: string): string => `${where}: ${text.slice(0, 300)}`;

/** Looks on while a history happens, and judges it when it is over. */
export class Watch {
  private readonly claims = new Map<string, number[]>();
  private readonly anew = new Map<string, Anew[]>();
  private readonly answered = new Map<number, Turn[]>();
  private readonly waits: Wait[] = [];
  private readonly beginnings = new Map<string, Beginning>();
  private readonly asked = new Map<string, number[]>();
  /** When the keys of a row in the index `due` were written, by the row. */
  private readonly dueSince = new Map<string, number>();
  private readonly ledgers: Item[] = [];
  private readonly overdrawn: string[] = [];
  private readonly leaks: string[];
  private readonly failed: string[] = [];
  private readonly unread: string[] = [];
  private readonly common: Common;
  private sum = 0;
  private readonly world: World;
  private readonly stage: Stage;
  private readonly observed: Observed;
  private readonly profile: ProfileName;

  constructor(world: World, stage: Stage, observed: Observed, profile: ProfileName) {
    this.world = world;
    this.stage = stage;
    this.observed = observed;
    this.profile = profile;
    this.common = getCommon(stage);
    this.leaks = [...this.common.leaks];
    world.onText = (where, text) => this.read(where, text);
    world.onCommit = (committed) => this.see(committed);
  }

  private read(where: string, text: string): void {
    if (where.startsWith('queue ')) this.seeMessage(where.slice('queue '.length), text);
    if (where === 'log' && failures.test(text) && !waiting.test(text)) this.failed.push(text.slice(0, 300));
    if (where === 'log' && unreadable.test(text)) this.unread.push(text.slice(0, 300));
    if (this.common.secret.test(text)) this.leaks.push(leakLine(where, text));
  }

  private seeMessage(queue: string, body: string): void {
    const { alertId } = JSON.parse(body) as { alertId?: number };
    if (alertId === undefined) return;
    const key = `${queue} ${alertId}`;
    this.asked.set(key, [...(this.asked.get(key) ?? []), this.world.timeline.now]);
  }

  private see({ pk, sk, entity, before, after }: Committed): void {
    const { now } = this.world.timeline;
    if (entity === 'DELIVERY' || entity === 'MAIL' || entity === 'OUTCOME') this.seeBeginning(`${pk} ${sk}`, after);
    if (before?.['dueSk'] !== after?.['dueSk']) this.seeDue(`${pk} ${sk}`, before);
    if (entity === 'DELIVERY' && after && leasedBy(after) !== undefined && leasedBy(after) !== leasedBy(before)) {
      const id = String(after['id']);
      this.claims.set(id, [...(this.claims.get(id) ?? []), now]);
    }
    if (entity === 'DELIVERY' && before && after && before['messageId'] !== after['messageId']) {
      const { id, messageId, nextAttemptAt, attempts } = after as Item & { id: string; attempts: unknown[] };
      const anew = { time: now, at: String(nextAttemptAt), attempts: attempts.length, messageId };
      this.anew.set(id, [...(this.anew.get(id) ?? []), anew]);
    }
    if (entity === 'ALERT' && before && after) this.seeAlert(Number(after['id']), before, after);
    if (after?.['sk'] === 'LEDGER') this.ledgers.push(after);
    if (after?.['sk'] === 'LEDGER' && !before && /"kind":"PAYOUT"/.test(JSON.stringify(after))) this.seePayout(after);
  }

  private seeBeginning(row: string, after: Item | undefined): void {
    if (!after) return;
    const { now } = this.world.timeline;
    const known = this.beginnings.get(row) ?? { row: after, since: now, began: undefined };
    // Deliveries are claimed for each attempt; e-mails and outcomes count when they are done.
    const isBegun = after['state'] !== 'PENDING' || leasedBy(after) !== undefined;
    this.beginnings.set(row, { ...known, began: known.began ?? (isBegun ? now : undefined) });
  }

  private seeDue(row: string, before: Item | undefined): void {
    const { now } = this.world.timeline;
    if (before?.['dueSk'] !== undefined) {
      const since = Math.max(Date.parse(dueAt(before)), this.dueSince.get(row) ?? 0);
      this.waits.push({ kind: dueKindOf(before), row, since, until: now });
    }
    this.dueSince.set(row, now);
  }

  /** Once all of its transaction is written: whatever was there before, it left something or nothing. */
  private seePayout({ pk, sid }: Item): void {
    this.world.timeline.after(0, () => {
      const rows = balanceKeys(Number(sid)).map((key) => this.world.table.items.get(`${key.pk}\n${key.sk}`));
      const available = rows.reduce((sum, row) => sum + Number(row?.['available#USD'] ?? 0), 0);
      if (available < 0) this.overdrawn.push(`${pk} left ${available}`);
    });
  }

  private seeAlert(id: number, before: Item, after: Item): void {
    const [old, fresh] = [before['alert'] as Item, after['alert'] as Item];
    const isAnswered =
      !isDeepStrictEqual(old['update'], fresh['update']) || old['withdrawnAt'] !== fresh['withdrawnAt'];
    // While the result of a refund is unknown, its alert has no answer yet.
    const isWaiting = (fresh['update'] as Item | null)?.['reason_code'] === waitingCode;
    // A refund that comes to nothing takes an answer back.
    const isGivenBack = old['status'] === 'RESOLVED' && fresh['status'] === 'WIP';
    // A rule's decision is only reported to the merchant.
    const isTold = this.world.table.items.has(`DELIVERY#ntf_${id}\nDELIVERY`);
    const turns = this.answered.get(id) ?? [];
    const wasAnswered = turns.at(-1)?.isAnswered ?? false;
    if (isGivenBack || (isAnswered && !isWaiting && isTold && !wasAnswered))
      this.answered.set(id, [...turns, { time: this.world.timeline.now, isAnswered: !isGivenBack }]);
  }

  /** Looks for secrets in a row, and adds it to the digest; those that the stage had are known. */
  private look(row: Item): void {
    let hash = this.common.hashes.get(row);
    if (hash === undefined) {
      const text = JSON.stringify(row);
      this.read('row', text);
      hash = hashText(text);
    }
    this.sum = (this.sum + hash) % 2 ** 32;
  }

  /** Every invariant that does not hold. */
  judge(): Violation[] {
    const kept = this.kept();
    for (const row of kept.rows) this.look(row);
    return collect(invariants, kept);
  }

  /** The same for counts only, compared with the rows that are left. */
  judgeCounts(): Violation[] {
    const name = 'counts equal items';
    return collect({ [name]: invariants[name] }, this.kept());
  }

  private kept(): Kept {
    const {
      world,
      stage,
      observed,
      profile,
      claims,
      anew,
      answered,
      waits,
      asked,
      ledgers,
      overdrawn,
      leaks,
      failed,
      unread,
    } = this;
    const rows = [...world.table.items.values()];
    const byEntity = Map.groupBy(rows, (row) => row['entity']);
    const of = (entity: string) => byEntity.get(entity) ?? [];
    return {
      world,
      stage,
      observed,
      profile,
      rows,
      of,
      claims,
      anew,
      answered,
      waits,
      beginnings: [...this.beginnings.values()],
      asked,
      ledgers,
      overdrawn,
      leaks,
      failed,
      unread,
    };
  }

  /** Returns a digest of all that happened, and of the table when it was judged, whatever the order of its rows. */
  digest(): string {
    return hashText(String(this.sum), this.world.digest).toString(16).padStart(8, '0');
  }
}

const collect = (judged: Record<string, (kept: Kept) => string[]>, kept: Kept): Violation[] =>
  Object.entries(judged).flatMap(([invariant, broken]) => broken(kept).map((details) => ({ invariant, details })));

const leasedBy = (row: Item | undefined): unknown => (row?.['lease'] as Item | undefined)?.['attemptId'];

const failures = /"event":"(?:message_failed|record_failed|send_failed|outcome_not_recorded|sandbox_failed)"/;

/** The rows and messages that `defineRow` and the schemas refuse. */
const unreadable = /cannot be read|ValiError/;

/** No failure: rules that wait for a refund to be known are asked again. */
const waiting = /is not known yet/;

/** Returns what no row, message, log line, mail, notification or answer may contain. */
const leakPattern = (stage: Stage): RegExp => {
  const { alertSite, ruledSite, shop, store, linkedSite, gate, importer, boutique, exporter } = stage;
  const sites = [alertSite, ruledSite, shop, store, linkedSite, gate, importer, boutique, exporter].flatMap(
    ({ rcode, signingSecret }) => [rcode, signingSecret],
  );
  const keys = Object.values(secrets).flatMap((text) =>
    Object.entries(JSON.parse(text) as Record<string, string>).flatMap(([name, value]) =>
      ['k1', 'password', 'secret'].includes(name) ? [value] : [],
    ),
  );
  const texts = [
    ...sites,
    ...keys,
    ...Object.values(stripeCredentials),
    ...Object.values(elsewhereCredentials),
    nmiCredentials.security_key,
    nmiCredentials.webhook_key,
    credentialsAt(serviceHost).secret,
    wooKeys.consumer_secret,
    adyenCredentials.api_key,
    adyenCredentials.hmac_key,
    ...adyenNumbers,
    card.number,
    ...stripeNumbers,
    ...payersNumbers,
  ].map((text) => text.replaceAll(/[^\w ]/g, '\\$&'));
  return new RegExp(`${texts.join('|')}|"(?:card_)?(?:cvv|cvc|ccv)"\\s*:\\s*"?\\d`);
};
