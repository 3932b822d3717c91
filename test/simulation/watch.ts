import { isDeepStrictEqual } from 'node:util';
import { balanceKeys } from '../../functions/transactions/funds-row.ts';
import { payersNumbers } from './actors/payer.ts';
import { card } from './actors/shop.ts';
import { stripeCredentials, stripeNumbers } from './actors/stripe.ts';
import { secrets } from './environment.ts';
import { invariants } from './invariants.ts';
import type { Observed } from './observed.ts';
import type { ProfileName } from './profiles.ts';
import type { Stage } from './setup.ts';
import type { Committed } from './world/dynamo.ts';
import type { Item } from './world/expressions.ts';
import { hashOf } from './world/random.ts';
import type { World } from './world/world.ts';

/** What of the table's life the invariants are about, beside what stands there at the end. */
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
  /** When an alert that its merchant was to be told of first got an answer, or was withdrawn. */
  answered: ReadonlyMap<number, number>;
  /** Each state of each ledger, as it was written. */
  ledgers: readonly Item[];
  /** Payouts that took more than there was. */
  overdrawn: readonly string[];
  /** Texts that held what is secret. */
  leaks: readonly string[];
  /** What functions wrote into the log when something of their own went wrong. */
  failed: readonly string[];
};

export type Violation = { invariant: string; details: string };

/** Made once for all histories of a stage: a pattern of so many texts takes a while to be made ready. */
const patterns = new WeakMap<Stage, RegExp>();

/** Looks on while a history happens, and judges it when it is over. */
export class Watch {
  private readonly claims = new Map<string, number[]>();
  private readonly answered = new Map<number, number>();
  private readonly ledgers: Item[] = [];
  private readonly overdrawn: string[] = [];
  private readonly leaks: string[] = [];
  private readonly failed: string[] = [];
  private readonly secret: RegExp;
  private readonly world: World;
  private readonly stage: Stage;
  private readonly observed: Observed;
  private readonly profile: ProfileName;

  constructor(world: World, stage: Stage, observed: Observed, profile: ProfileName) {
    this.world = world;
    this.stage = stage;
    this.observed = observed;
    this.profile = profile;
    this.secret = patterns.get(stage) ?? secretOf(stage);
    patterns.set(stage, this.secret);
    world.onText = (where, text) => this.read(where, text);
    world.onCommit = (committed) => this.see(committed);
  }

  private read(where: string, text: string): void {
    if (where === 'log' && failures.test(text) && !waiting.test(text)) this.failed.push(text.slice(0, 300));
    if (this.secret.test(text)) this.leaks.push(`${where}: ${text.slice(0, 300)}`);
  }

  private see({ entity, before, after }: Committed): void {
    const { now } = this.world.timeline;
    if (entity === 'DELIVERY' && after && attemptOf(after) !== undefined && attemptOf(after) !== attemptOf(before)) {
      const id = String(after['id']);
      this.claims.set(id, [...(this.claims.get(id) ?? []), now]);
    }
    if (entity === 'ALERT' && before && after) this.seeAlert(Number(after['id']), before, after);
    if (after?.['sk'] === 'LEDGER') this.ledgers.push(after);
    if (after?.['sk'] === 'LEDGER' && !before && /"kind":"PAYOUT"/.test(JSON.stringify(after))) this.seePayout(after);
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
    // What a rule has decided, the merchant is only told of.
    const isTold = this.world.table.items.has(`DELIVERY#ntf_${id}\nDELIVERY`);
    if (isAnswered && isTold && !this.answered.has(id)) this.answered.set(id, this.world.timeline.now);
  }

  /** Every invariant that does not hold. */
  judge(): Violation[] {
    const { world, stage, observed, profile, claims, answered, ledgers, overdrawn, leaks, failed } = this;
    const rows = [...world.table.items.values()];
    for (const row of rows) this.read('row', JSON.stringify(row));
    const byEntity = Map.groupBy(rows, (row) => row['entity']);
    const of = (entity: string) => byEntity.get(entity) ?? [];
    const kept: Kept = {
      world,
      stage,
      observed,
      profile,
      rows,
      of,
      claims,
      answered,
      ledgers,
      overdrawn,
      leaks,
      failed,
    };
    return Object.entries(invariants).flatMap(([invariant, broken]) =>
      broken(kept).map((details) => ({ invariant, details })),
    );
  }

  /** Of all that happened, and of how the table is in the end. */
  digest(): string {
    const { table, digest } = this.world;
    const rows = [...table.items.values()].map((row) => JSON.stringify(row)).sort();
    return rows
      .reduce((hash, row) => hashOf(row, hash), digest)
      .toString(16)
      .padStart(8, '0');
  }
}

const attemptOf = (row: Item | undefined): unknown => (row?.['lease'] as Item | undefined)?.['attemptId'];

const failures = /"event":"(?:message_failed|record_failed|send_failed|outcome_not_recorded|sandbox_failed)"/;

/** No failure: rules that wait for a refund to be known are asked again. */
const waiting = /is not known yet/;

/** Whatever may stand in no row, message, log line, mail, notification or answer. */
const secretOf = ({ alertSite, ruledSite, shop, store, linkedSite, gate }: Stage): RegExp => {
  const sites = [alertSite, ruledSite, shop, store, linkedSite, gate].flatMap(({ rcode, signingSecret }) => [
    rcode,
    signingSecret,
  ]);
  const keys = Object.values(secrets).flatMap((text) =>
    Object.entries(JSON.parse(text) as Record<string, string>).flatMap(([name, value]) =>
      ['k1', 'password', 'secret'].includes(name) ? [value] : [],
    ),
  );
  const texts = [
    ...sites,
    ...keys,
    ...Object.values(stripeCredentials),
    card.number,
    ...stripeNumbers,
    ...payersNumbers,
  ].map((text) => text.replaceAll(/[^\w ]/g, '\\$&'));
  return new RegExp(`${texts.join('|')}|"(?:card_)?(?:cvv|cvc|ccv)"\\s*:\\s*"?\\d`);
};
