import { isDeepStrictEqual } from 'node:util';
import { parseAmount } from '#core/kernel/money/money.ts';
import { countAttribute, countBuckets, readListed } from '#core/platform/lists/listing.ts';
import { type Alert, isInformational } from '#disputes/alerts/alert.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import type { AlertCost } from '#disputes/alerts/cost/cost.ts';
import { newAlertLeads } from '#disputes/alerts/outbox/alert-mail.ts';
import { dayFigures } from '#disputes/reports/alert-day.ts';
import { listedEntities } from '#jobs/counter/worker.ts';
import { txidOfReference } from '#payments/processors/merchant-reference.ts';
import { refundReference } from '#payments/processors/nmi/nmi-charges.ts';
import { sandboxCandidate, untouched } from '#payments/processors/sandbox/sandbox-charges.ts';
import { takeBreaches } from '#test/contracts/breaches.ts';
import { importsAgree } from './import-invariant.ts';
import type { Post } from './outside-events.ts';
import { shopOrdersAgree } from './shop-orders-invariant.ts';
import type { Kept } from './table-history.ts';
import { getObjects } from './world/bucket.ts';
import type { Item } from './world/expressions.ts';
import { usualSkew } from './world/world.ts';

/**
 * The invariants of every history, whatever went wrong in it. Each returns in words what is broken; rows are read as they are
 * stored, by as little of the service's own code as possible.
 */

type Invariant = (kept: Kept) => string[];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const iso = (time: number): string => new Date(time).toISOString();

const rowsIn = (kept: Kept, entity: string, field: string): Item[] => kept.of(entity).map((row) => row[field] as Item);
const readAlerts = (kept: Kept): Item[] => rowsIn(kept, 'ALERT', 'alert');
/** The alert of a case, whether it has an owner or is in the inbox. */
const alertsOfCase = (kept: Kept, caseId: string): Item[] =>
  [...readAlerts(kept), ...rowsIn(kept, 'UNMATCHED', 'alert')].filter(
    (alert) => (alert['providerAlert'] as Item)['caseId'] === caseId,
  );
const readTransactions = (kept: Kept): Item[] => rowsIn(kept, 'TRANSACTION', 'transaction');
const idIn = (row: Item): string => String(row['id'] ?? row['alertId'] ?? row['txid']);

type Attempt = { id: string; at: string; slot: string; error: string | null };
const getAttempts = (delivery: Item): Attempt[] => delivery['attempts'] as Attempt[];
/** A person had it sent again, in addition to what is due. */
const isReplayed = ({ observed }: Kept, delivery: Item): boolean => observed.replays.has(idIn(delivery));

/**
 * The time for which a delivery is due, and the attempts made in it: from its creation, and from whenever it became due again.
 */
type Span = { at: string; attempts: readonly Attempt[] };
const listSpans = (kept: Kept, delivery: Item): readonly [Span, ...Span[]] => {
  const attempts = getAttempts(delivery);
  const anew = kept.anew.get(idIn(delivery)) ?? [];
  const spanOf = ({ at, attempts: first }: { at: string; attempts: number }, index: number): Span => ({
    at,
    attempts: attempts.slice(first, anew[index]?.attempts),
  });
  return [
    spanOf({ at: String(delivery['createdAt']), attempts: 0 }, 0),
    ...anew.map((one, index) => spanOf(one, index + 1)),
  ];
};
const lastSpan = (kept: Kept, delivery: Item): Span => {
  const spans = listSpans(kept, delivery);
  return spans.at(-1) ?? spans[0];
};

type Entry = { sk: string; at: string; event: string; from: Item; to: Item };
const readHistory = (kept: Kept, alertId: unknown): Entry[] =>
  kept
    .of('HISTORY')
    .filter((row) => row['pk'] === `ALERT#${alertId}`)
    .map((row) => ({
      sk: String(row['sk']),
      at: String(row['at']),
      ...(row['change'] as Pick<Entry, 'event' | 'from' | 'to'>),
    }))
    .sort((left, right) => (left.sk < right.sk ? -1 : 1));

/** The entries that changes of the alert itself made, as against those about its outcomes. */
const ownHistory = (kept: Kept, alertId: unknown): Entry[] =>
  readHistory(kept, alertId).filter(({ sk }) => !sk.includes('#OUTCOME#'));

/** Checks whether an alert was given back to its merchant, as the refund that had answered it failed. */
const isGivingBack = (entry: Entry | undefined): boolean =>
  entry?.event === 'refund failed' && entry.to['status'] === 'WIP';
const timesGivenBack = (kept: Kept, alertId: unknown): number => ownHistory(kept, alertId).filter(isGivingBack).length;

const subjectOfMail = ({ text, letter }: Item): unknown => ((text ?? letter) as Item | undefined)?.['subject'];

/** Checks whether clocks may be off by more than a lease allows for: then an attempt can be overtaken while it is made. */
const areClocksFar = ({ world }: Kept): boolean => world.maxSkew > usualSkew;

const isMessy = ({ profile }: Kept): boolean => profile !== 'calm' && profile !== 'hostile';

const ledgerFacts = (row: Item) => {
  const number = (name: string) => Number(row[name]);
  const inFlight = Object.values(row['inFlight'] as Record<string, { kind: string; minor: string }>);
  const refunding = inFlight.reduce((sum, { kind, minor }) => sum + (kind === 'REFUND' ? Number(minor) : 0), 0);
  const payingOut = inFlight.reduce((sum, { kind, minor }) => sum + (kind === 'PAYOUT' ? Number(minor) : 0), 0);
  const disputes = Object.values(row['disputes'] as Record<string, { held: string; elsewhere?: string }>);
  const held = disputes.reduce((sum, dispute) => sum + Number(dispute.held), 0);
  const elsewhere = disputes.reduce((sum, dispute) => sum + Number(dispute.elsewhere ?? 0), 0);
  const chargebacks = Object.values((row['chargebacks'] ?? {}) as Record<string, { minor: string; taken: boolean }>);
  const chargedBack = chargebacks.reduce((sum, { minor, taken }) => sum + (taken ? Number(minor) : 0), 0);
  const [captured, refunded, voided, authorized] = ['captured', 'refunded', 'voided', 'authorized'].map(number);
  return {
    captured: captured ?? 0,
    refunded: refunded ?? 0,
    voided: voided ?? 0,
    authorized: authorized ?? 0,
    paidOut: number('paidOut'),
    refunding,
    payingOut,
    held,
    elsewhere,
    chargedBack,
  };
};

const acknowledged: Invariant = (kept) =>
  kept.observed.cases.flatMap(({ caseId, isAcknowledged, alertIds }) => {
    const stored = alertsOfCase(kept, caseId);
    const told = [...alertIds].map(String);
    return [
      ...(isAcknowledged ? [] : [`${caseId} was never acknowledged`]),
      ...(told.length > 1 ? [`${caseId} was answered with alerts ${told}`] : []),
      ...(stored.length === 1 ? [] : [`${caseId} is ${stored.length} alerts`]),
      ...(told.every((id) => stored.some((alert) => idIn(alert) === id)) ? [] : [`alert ${told} of ${caseId} is gone`]),
    ];
  });

/** Returns what an alert was after each entry of its history: its status and reason. */
const listStates = (kept: Kept, alertId: unknown): string[] => {
  let state: Item = {};
  return ownHistory(kept, alertId).map(({ to }) => {
    state = { ...state, ...to };
    return `${state['status']} ${state['reason_code']}`;
  });
};

const answers: Invariant = (kept) => {
  const lost = kept.observed.accepted.filter(
    ({ alertId, status, reason_code }) => !listStates(kept, alertId).includes(`${status} ${reason_code}`),
  );
  const withdrawn = kept.observed.cases.filter(({ withdrawal, caseId }) => {
    const [alert] = alertsOfCase(kept, caseId);
    return withdrawal === 'acknowledged' && typeof alert?.['withdrawnAt'] !== 'string';
  });
  return [
    ...lost.map(({ alertId, status, reason_code }) => `alert ${alertId} has lost its answer ${status} ${reason_code}`),
    ...withdrawn.map(({ caseId }) => `the withdrawal of ${caseId} is lost`),
  ];
};

const makesDuplicates = (alert: Item): boolean =>
  alert['withdrawnAt'] === null && (alert['providerAlert'] as Item)['decision'] !== 'DECLINED';

const duplicates: Invariant = (kept) => {
  const byArn = Map.groupBy(
    kept.observed.cases.filter(({ arn, informs }) => arn !== undefined && !informs),
    ({ arn }) => arn,
  );
  return [...byArn].flatMap(([arn, cases]) => {
    const alerts = cases.flatMap(({ caseId }) =>
      readAlerts(kept).filter((alert) => (alert['providerAlert'] as Item)['caseId'] === caseId),
    );
    const bySite = Map.groupBy(alerts, (alert) => (alert['owner'] as Item | null)?.['sid']);
    return [...bySite].flatMap(([sid, own]) => {
      // An alert that its network withdrew or declined makes no later one a duplicate, so the next is first as well.
      const standing = own.filter(makesDuplicates);
      const firsts = standing.filter((alert) => alert['duplicateOf'] === null);
      return firsts.length === 1 || (firsts.length === 0 && standing.length < own.length)
        ? []
        : [`${firsts.length} of ${own.length} alerts of site ${sid} with ARN ${arn} are first`];
    });
  });
};

/** As core/platform/table/table.ts has it. */
const maxConflicts = 6;

/** When the attempt that made a post was begun. */
const begunAt = ({ claims }: Kept, { deliveryId, time }: Post): number =>
  (claims.get(deliveryId) ?? []).filter((claim) => claim <= time).at(-1) ?? 0;

/** Checks whether a post was under way when its notification became due again, under another identifier. */
const isOutdated = (kept: Kept, post: Post): boolean =>
  (kept.anew.get(post.deliveryId) ?? []).some(
    ({ time, messageId }) => messageId !== post.messageId && Math.abs(time - post.time) <= leaseTime,
  );
/** As messaging/webhooks/delivery/delivery-store.ts has it. */
const leaseTime = 75 * second;

/**
 * A run that was cut off, or overtaken because its calls met faults or its notification became due again, leaves no record of its
 * attempt; nor does one whose write met a transaction for as long as it tries.
 */
const postPerSlot: Invariant = (kept) =>
  kept.of('DELIVERY').flatMap((delivery) => {
    const recorded = getAttempts(delivery);
    // No more than the newest are kept.
    if (recorded.length >= 60) return [];
    const left = recorded.map(({ at }) => Math.floor(Date.parse(at) / second));
    // Those that may have left no record come last: several can be made in one second.
    const posts = kept.observed.posts
      .filter(({ deliveryId }) => deliveryId === idIn(delivery))
      .toSorted((one, other) => Number(isOutdated(kept, one)) - Number(isOutdated(kept, other)));
    const strays = posts.filter((post) => {
      const { timestamp, run } = post;
      const index = left.indexOf(timestamp);
      if (index >= 0) left.splice(index, 1);
      const isSure = run.cut === undefined && run.faults === 0 && run.conflicts <= maxConflicts;
      return index < 0 && isSure && !isOutdated(kept, post) && !areClocksFar(kept);
    });
    const slots = recorded.map(({ slot }) => slot);
    // By a clock that is behind, a replay was due before the slot of an attempt that was made already.
    const isReplayedEarly = isMessy(kept) && isReplayed(kept, delivery);
    return [
      ...strays.map(({ time }) => `${idIn(delivery)} was posted at ${iso(time)} and not recorded`),
      ...(new Set(slots).size < slots.length && !areClocksFar(kept) && !isReplayedEarly
        ? [`${idIn(delivery)} has attempts of one slot twice: ${slots}`]
        : []),
    ];
  });

const attemptsEnd: Invariant = (kept) =>
  kept.of('DELIVERY').flatMap((delivery) => {
    if (isReplayed(kept, delivery)) return [];
    const spans = listSpans(kept, delivery);
    const lastOf = ({ at }: Span): number => Date.parse(at) + 72 * hour + 15 * minute + 4 * second;
    const late = spans.flatMap((span) => span.attempts.filter(({ at }) => Date.parse(at) > lastOf(span)));
    const posts = kept.observed.posts.filter(({ deliveryId, time }) => {
      const span = spans.findLast(({ at }) => Date.parse(at) <= time + 2 * kept.world.maxSkew) ?? spans[0];
      return deliveryId === idIn(delivery) && time > lastOf(span) + 75 * second;
    });
    return [...late.map(({ at }) => at), ...posts.map(({ time }) => iso(time))].map(
      (at) => `${idIn(delivery)} at ${at}`,
    );
  });

const successIn = ({ attempts }: Span): number => attempts.findIndex(({ error }) => error === null);

const endsWithSuccess: Invariant = (kept) =>
  kept.of('DELIVERY').flatMap((delivery) => {
    if (isReplayed(kept, delivery)) return [];
    const again = listSpans(kept, delivery).filter((span) => ![-1, span.attempts.length - 1].includes(successIn(span)));
    const success = successIn(lastSpan(kept, delivery));
    const isDelivered = delivery['state'] === 'DELIVERED';
    const message = delivery['messageId'] ?? idIn(delivery);
    const wasTaken = kept.observed.posts.some(({ messageId, isTaken }) => isTaken && messageId === message);
    return [
      ...again.map(() => `${idIn(delivery)} was attempted after it was delivered`),
      ...(isDelivered === success >= 0 ? [] : [`${idIn(delivery)} is ${delivery['state']} with success at ${success}`]),
      ...(isDelivered && !wasTaken ? [`${message} is DELIVERED, and nobody took it`] : []),
    ];
  });

const everySlot: Invariant = (kept) => {
  if (isMessy(kept)) return [];
  return kept.of('DELIVERY').flatMap((delivery) => {
    if (delivery['state'] !== 'EXPIRED' || delivery['kind'] === 'postback') return [];
    const { at, attempts } = lastSpan(kept, delivery);
    const slots = attempts.filter(({ slot }) => slot === at || /T(00|12):00:00/.test(slot));
    // A replay at the very time of a slot is the slot's attempt too.
    const isEnough = isReplayed(kept, delivery) ? attempts.length >= 7 : slots.length === 7;
    return isEnough ? [] : [`${idIn(delivery)} expired after ${slots.length} attempts, not 7`];
  });
};

const noneAfterAnswer: Invariant = (kept) =>
  kept.observed.posts.flatMap((post) => {
    const { deliveryId } = post;
    const delivery = kept.of('DELIVERY').find((row) => idIn(row) === deliveryId);
    if (delivery?.['kind'] !== 'new_alert' || isReplayed(kept, delivery)) return [];
    const begun = begunAt(kept, post);
    const turns = kept.answered.get(Number(delivery['alertId'])) ?? [];
    const turn = turns.findLast((one) => (one.isAnswered ? one.time < begun : one.time <= begun));
    return turn?.isAnswered
      ? [`${deliveryId}: an attempt began at ${iso(begun)}, after the answer at ${iso(turn.time)}`]
      : [];
  });

/** The events that answer an alert, or end it. */
const answering: ReadonlySet<string> = new Set([
  'updated',
  'answered by refund',
  'decided by rule',
  'withdrawn by provider',
  'charged back',
]);

/** No first notification reports a refund any more once that has failed, and one that does not is due. */
const toldAgain: Invariant = (kept) =>
  readAlerts(kept).flatMap((alert) => {
    const { alertId } = alert;
    if (timesGivenBack(kept, alertId) === 0) return [];
    const posts = kept.observed.posts.filter(({ deliveryId, action }) => deliveryId === `ntf_${alertId}` && action);
    const backs = (kept.answered.get(Number(alertId)) ?? []).filter(({ isAnswered }) => !isAnswered);
    const [back] = backs;
    // In the very transaction that gives it back, whatever its merchant does then.
    const notOwed = backs.filter(
      (one) =>
        posts.findLast(({ time }) => time <= one.time)?.action === 'RESOLVED' &&
        !kept.anew.get(`ntf_${alertId}`)?.some(({ time }) => time === one.time),
    );
    const wrong = posts.filter(
      (post) => post.action === 'RESOLVED' && back && begunAt(kept, post) > back.time && !isOutdated(kept, post),
    );
    const last = ownHistory(kept, alertId).findLast((entry) => answering.has(entry.event) || isGivingBack(entry));
    const delivery = kept.of('DELIVERY').find((row) => idIn(row) === `ntf_${alertId}`);
    const taken = posts.findLast(({ isTaken }) => isTaken);
    const isTold =
      delivery?.['state'] === 'EXPIRED' || (delivery?.['state'] === 'DELIVERED' && taken?.action === alert['action']);
    return [
      ...notOwed.map(
        ({ time }) => `whoever was told of the refund of alert ${alertId} is owed nothing at ${iso(time)}`,
      ),
      ...wrong.map(({ messageId, time }) => `${messageId} told of a failed refund at ${iso(time)}`),
      ...(last?.event !== 'refund failed' || isTold
        ? []
        : [`nobody was told that alert ${alertId} is open again: ${delivery?.['state']}, ${taken?.action}`]),
    ];
  });

const signedRightly: Invariant = ({ observed }) =>
  observed.posts.filter(({ isSignedRightly }) => !isSignedRightly).map(({ deliveryId }) => deliveryId);

const isRuled = ({ stage }: Kept, alert: Item): boolean =>
  [stage.ruledSite.sid, stage.linkedSite.sid, stage.importer.sid, stage.exporter.sid].includes(
    Number((alert['owner'] as Item)['sid']),
  );

const oneNotification: Invariant = (kept) =>
  readAlerts(kept).flatMap((alert) => {
    const deliveries = kept.of('DELIVERY').filter((row) => row['alertId'] === alert['alertId']);
    const count = (kind: string) => deliveries.filter((row) => row['kind'] === kind).length;
    const updates = deliveries
      .filter((row) => row['kind'] === 'status_update')
      .map((row) => new URLSearchParams(String(row['body'])).get('status'));
    const own = ownHistory(kept, alert['alertId']);
    // A case that was withdrawn before it arrived, or before its site was known, is no news to anybody.
    const isLaterAssigned = own.slice(2).some(({ event }) => event === 'assigned');
    const isWithdrawnFirst = own[1]?.event === 'withdrawn by provider' && (own[1].at === own[0]?.at || isLaterAssigned);
    const changes = own.filter(
      ({ event, to }, index) => event !== 'received' && 'status' in to && !(isWithdrawnFirst && index === 1),
    );
    // The answer of a refund that failed before the network had it is not reported.
    const wanted = changes.filter((_, index) => !isGivingBack(changes[index + 1])).map(({ to }) => to['status']);
    const mails = kept.of('MAIL').filter((mail) => subjectOfMail(mail) === `Alert ${alert['alertId']} is open again`);
    const takenBack = timesGivenBack(kept, alert['alertId']);
    const warned = own.filter(({ event }) => event === 'deadline warning').length;
    // Entries such as a credit that has become known leave the status as it is.
    const early = own.slice(1).find(({ to }) => 'status' in to)?.event ?? '';
    // An alert that was answered, be it by a refund, or taken back before its rules were asked is no news to its merchant.
    const isNoNews =
      isWithdrawnFirst ||
      (isRuled(kept, alert) && ['updated', 'answered by refund', 'withdrawn by provider'].includes(early));
    return [
      ...(count('new_alert') === 1 || (isNoNews && count('new_alert') === 0)
        ? []
        : [`alert ${idIn(alert)} has ${count('new_alert')} first notifications`]),
      ...(isDeepStrictEqual(updates.toSorted(), wanted.toSorted())
        ? []
        : [`alert ${idIn(alert)} became ${wanted} and has status updates of ${updates}`]),
      ...(mails.length === takenBack
        ? []
        : [`alert ${idIn(alert)} was given back ${takenBack} times and ${mails.length} e-mails say so`]),
      ...(count('alert_deadline') === warned && warned <= 1 ? [] : [`alert ${idIn(alert)} was warned ${warned} times`]),
    ];
  });

const deadlines: Invariant = (kept) =>
  readAlerts(kept).flatMap((alert) => {
    const { alertId, deadlineAt, deadlinePassed, status } = alert;
    const own = ownHistory(kept, alertId);
    const passed = own.filter(({ event }) => event === 'deadline passed').length;
    const isOverdue =
      typeof deadlineAt === 'string' &&
      ['OPEN', 'WIP', 'OTHER'].includes(String(status)) &&
      Date.parse(deadlineAt) < kept.world.timeline.now - 13 * hour;
    const late = own.filter(
      ({ event, at }) => event === 'deadline passed' && Date.parse(at) > Date.parse(String(deadlineAt)) + 2 * minute,
    );
    const schedules = [...kept.world.schedules.pending.keys()].filter((name) => name.includes(`-${alertId}-`));
    return [
      ...(passed > 1 ? [`the deadline of alert ${alertId} passed ${passed} times`] : []),
      ...(isOverdue && !deadlinePassed ? [`the deadline ${deadlineAt} of alert ${alertId} did not pass`] : []),
      // By its own schedule, not by the next sweep.
      ...(late.length > 0 && !isMessy(kept) ? [`the deadline of alert ${alertId} passed late`] : []),
      ...(schedules.length > 0 ? [`alert ${alertId} has schedules left: ${schedules}`] : []),
    ];
  });

const chain: Invariant = (kept) =>
  readAlerts(kept).flatMap((alert) => {
    const own = ownHistory(kept, alert['alertId']);
    const versions = own.map(({ sk }) => Number(/^HISTORY#v(\d+)/.exec(sk)?.[1]));
    const broken = own.filter(({ from }, index) => {
      const before = own.slice(0, index).findLast(({ to }) => 'status' in to);
      return 'status' in from && before !== undefined && from['status'] !== before.to['status'];
    });
    const last = Number(alert['version']);
    const missing = Array.from({ length: last }, (_, index) => index + 1).filter((one) => !versions.includes(one));
    // Rules that have nothing to say leave no entry.
    const silent = isRuled(kept, alert) && !own.some(({ event }) => event === 'decided by rule') ? 1 : 0;
    const isWhole =
      missing.length <= silent && new Set(versions).size === versions.length && Math.max(...versions) <= last;
    return [
      ...(isWhole ? [] : [`alert ${idIn(alert)} is of version ${alert['version']} and has entries ${versions}`]),
      ...broken.map(({ sk, from }) => `alert ${idIn(alert)}: ${sk} begins at ${from['status']}`),
    ];
  });

const counts: Invariant = ({ rows, world }) => {
  // Batches that the stream abandoned raise an alarm of their own, and the operators repair them.
  if (world.stream.lost > 0) return [];
  const differences = new Map<string, number>();
  const add = (name: string, n: number) => differences.set(name, (differences.get(name) ?? 0) + n);
  for (const row of rows) {
    const { pk, sk } = row as { pk: string; sk: string };
    if (pk.startsWith('COUNT#')) {
      // Days and hours that were counted on demand: a number below zero is when it was forgotten.
      const isKept = /^(?:DAYS|HOURS)#/.test(sk);
      for (const [name, n] of Object.entries(row)) {
        if (typeof n === 'number' && !(isKept && n < 0)) add(`${pk} ${sk} ${name}`, -n);
      }
      continue;
    }
    const listed = countedEntities.has(String(row['entity'])) ? readListed(row) : undefined;
    for (const list of listed?.lists ?? []) {
      for (const { bucket, part } of countBuckets(listed?.second ?? '')) {
        add(`COUNT#${list} ${bucket} ${countAttribute(part, listed?.facet ?? '')}`, 1);
      }
    }
  }
  return [...differences]
    .filter(([, n]) => n !== 0)
    .slice(0, 3)
    .map(([name, n]) => `${name} is ${-n} off`);
};

/** Sums of rows by name, and what they should come to, taken off. */
class Sums {
  private readonly differences = new Map<string, number>();
  add(name: string, n: number): void {
    this.differences.set(name, (this.differences.get(name) ?? 0) + n);
  }
  /** Returns what is left, in words. */
  wrong(): string[] {
    const left = [...this.differences].filter(([, n]) => n !== 0);
    return left.slice(0, 3).map(([name, n]) => `${name} is ${-n} off`);
  }
}

/** The days of reports sum up what became of the alerts, what they cost and saved; volumes, how many came. */
const days: Invariant = ({ rows, world }) => {
  if (world.stream.lost > 0) return [];
  const sums = new Sums();
  for (const row of rows) {
    const [pk, sk, entity] = [String(row['pk']), String(row['sk']), row['entity']];
    if (entity === 'REPORT') {
      for (const [name, n] of Object.entries(row)) {
        const [word, measure, ...of] = name.split('|');
        // Costs count on several days, so that only all of them sum up.
        if (typeof n === 'number' && word === 'cost') sums.add(`${pk} ${measure} ${of}`, -n);
        else if (typeof n === 'number') sums.add(`${pk} ${sk} ${name}`, -n);
      }
    } else if (entity === 'VOLUME' && pk.endsWith('#SITE')) {
      for (const [name, n] of Object.entries(row)) if (name.endsWith('|n')) sums.add(`${pk} ${sk}`, -Number(n));
    } else if (entity === 'ALERT') addAlert(sums, fromAlertItem(row));
    else if (entity === 'CREDIT') addCost(sums, row['cost'] as AlertCost);
  }
  return sums.wrong();
};

const addAlert = (sums: Sums, alert: Alert): void => {
  const { owner, receivedAt, providerAlert, duplicateOf } = alert;
  if (!owner || providerAlert.test) return;
  const day = `DAY#${receivedAt.slice(0, 10)}`;
  for (const pk of [`REPORT#M${owner.mid}`, `REPORT#S${owner.sid}`]) {
    for (const [name, n] of dayFigures(alert)) sums.add(`${pk} ${day} ${name}`, n);
    sums.add(`${pk} alerts ${[providerAlert.provider, 'n']}`, 1);
  }
  if (duplicateOf === null && !isInformational(providerAlert.type)) sums.add(`VOLUME#${owner.sid}#SITE ${day}`, 1);
};

const addCost = (sums: Sums, { mid, sid, provider, price, saved, credit }: AlertCost): void => {
  for (const pk of [`REPORT#M${mid}`, `REPORT#S${sid}`]) {
    const add = (measure: string, money: string, of: typeof price) => {
      if (measure !== 'alerts') sums.add(`${pk} ${measure} ${[provider, 'n']}`, 1);
      if (of) sums.add(`${pk} ${money} ${[provider, of.currency]}`, Number(parseMinor(of)));
    };
    add('alerts', 'spent', price);
    if (saved) add('prevented', 'saved', saved);
    if (credit.state !== 'none') add(credit.state, credit.state, price);
  }
};

const parseMinor = ({ amount, currency }: { amount: string; currency: string }): bigint => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') throw new Error(money);
  return money.minor;
};

/** A notification that was tried, or is over, appears in all its lists in its present state. */
const listedAsTheyAre: Invariant = (kept) =>
  [
    ...kept
      .of('DELIVERY')
      .filter(({ alertId, state, attempts }) => alertId === null || state !== 'PENDING' || (attempts as []).length > 0)
      .map((row) => ({ row, facet: `${row['state']}|${row['kind']}` })),
    ...kept
      .of('OUTCOME')
      .filter(({ number, state, attemptCount }) => number !== 1 || state !== 'PENDING' || attemptCount !== 0)
      .map((row) => ({ row, facet: `${row['state']}|${row['provider']}` })),
  ].flatMap(({ row, facet }) => {
    const wrong = [1, 2, 4].filter((index) => row[`list${index}fPk`] !== `${row[`list${index}Pk`]}#${facet}`);
    return wrong.map((index) => `${idIn(row)} is ${facet} and stands in ${row[`list${index}fPk`]}`);
  });

const countedEntities: ReadonlySet<string> = new Set(listedEntities);

/** A payment, or an order, is searched for through seven days; and an alert's hold stays due until the alert is answered. */
export const mayWait = (row: Item, items: ReadonlyMap<string, Item>): boolean => {
  if (row['entity'] === 'ALERT_ORDER') return (row['search'] as Item)['orderId'] === null;
  // A connection is checked each day, and so are its chargebacks without a report of their end.
  if (row['entity'] === 'DISPUTE_LOOK') return true;
  // A shop is read every 15 minutes.
  if (row['entity'] === 'ORDER_SOURCE') return true;
  if (row['entity'] === 'CHARGEBACK')
    return ['nmi', 'adyen'].includes(String((row['chargeback'] as Item)['processor']));
  if (row['entity'] !== 'HOLD') return false;
  const alert = items.get(`ALERT#${row['id']}\nALERT`)?.['alert'] as Item | undefined;
  const isLookedFor = (row['hold'] as Item)['txid'] === null && alert?.['withdrawnAt'] === null;
  return isLookedFor || ['OPEN', 'WIP', 'OTHER'].includes(String(alert?.['status']));
};

/**
 * The longest time (ms) that a row of the index `due` stays there after it is due, by kind, while nothing goes wrong: a decision, or a notice, that
 * meets another write is repeated when its message becomes visible again. Others wait for what happens outside.
 */
const promptness: Readonly<Record<string, number>> = {
  DELIVERY: minute,
  MAIL: 2 * minute,
  OUTCOME: 2 * minute,
  TRANSACTION: minute,
  TRANSACTION_NEWS: minute,
  REFUND: minute,
  AUTHENTICATION: minute,
  DECISION: 10 * minute,
  DISPUTE_NOTICE: 10 * minute,
  // Has its own schedule for the warning and the deadline; see `deadlines`.
  DEADLINE: 12 * hour + 15 * minute,
};

/** A replay waits until an attempt that is under way has left the queue's visibility. */
const isReplay = ({ observed }: Kept, row: string): boolean =>
  [...observed.replays].some((id) => row.startsWith(`DELIVERY#${id} `));

const dueIsDone: Invariant = (kept) => {
  const { profile, waits } = kept;
  if (profile !== 'calm') return [];
  return waits
    .filter(({ row }) => !isReplay(kept, row))
    .filter(({ kind, since, until }) => until - since > (promptness[kind] ?? Number.POSITIVE_INFINITY))
    .map(({ kind, row, since, until }) => `${kind} ${row} was due at ${iso(since)} until ${iso(until)}`);
};

/** First webhooks, e-mails and outcomes, timed from the write that makes them due: an alert's intake, an event, an answer. */
const beginsInTime: Invariant = ({ profile, beginnings, world }) => {
  if (profile !== 'calm') return [];
  return beginnings.flatMap(({ row, since, began = world.timeline.now }) => {
    const most = row['entity'] === 'DELIVERY' ? minute : 2 * minute;
    const isFirst = row['entity'] !== 'DELIVERY' || row['kind'] === 'new_alert';
    return isFirst && began - since > most ? [`${idIn(row)} is of ${iso(since)}, and was begun at ${iso(began)}`] : [];
  });
};

/** The queues of the searches that begin when an alert is stored, by the entity of the due row. */
const lookedFor: Readonly<Record<string, string>> = { HOLD: 'settlement', ALERT_ORDER: 'lookups' };

const looksInTime: Invariant = ({ profile, waits, asked }) => {
  if (profile !== 'calm') return [];
  return waits.flatMap(({ kind, row, since }) => {
    const times = asked.get(`${lookedFor[kind]} ${/^ALERT#(\d+)/.exec(row)?.[1]}`) ?? [];
    const isAsked = times.some((time) => time >= since && time <= since + minute);
    return !(kind in lookedFor) || isAsked ? [] : [`${kind} ${row} was due at ${iso(since)}, and nothing looked`];
  });
};

const rest: Invariant = (kept) => {
  const due = kept.rows
    .filter((row) => row['duePk'] !== undefined && !mayWait(row, kept.world.table.items))
    .map((row) => `${row['pk']} is due at ${row['dueSk']}`);
  const pending = [...kept.of('DELIVERY'), ...kept.of('MAIL')].filter((row) => row['state'] === 'PENDING');
  const outcomes = kept.of('OUTCOME').filter((outcome) => outcome['state'] === 'PENDING');
  const transactions = readTransactions(kept).filter((transaction) => transaction['status'] === 'PEND');
  const words = [...pending, ...outcomes, ...transactions].map((row) => `${idIn(row)} is still pending`);
  return [...due, ...words, ...kept.of('DECISION').map((row) => `${row['pk']} is undecided`)];
};

const refunds: Invariant = (kept) => {
  const broken = kept.ledgers.flatMap((row) => {
    const { captured, refunded, refunding, held, elsewhere, voided, authorized } = ledgerFacts(row);
    return [
      ...(refunded + refunding + held + elsewhere > captured
        ? [`${row['pk']}: ${refunded}+${refunding}+${held}+${elsewhere} of ${captured}`]
        : []),
      ...(captured > 0 && voided > 0 ? [`${row['pk']}: captured and voided`] : []),
      ...(captured > authorized || voided > authorized ? [`${row['pk']}: more than was authorised`] : []),
      ...([captured, refunded, voided, authorized].some((amount) => amount < 0) ? [`${row['pk']}: negative`] : []),
    ];
  });
  const sums = kept.rows.flatMap((row) => {
    if (row['sk'] !== 'LEDGER') return [];
    const parent = Number(String(row['pk']).slice('TX#'.length));
    const done = readTransactions(kept).filter(
      (one) => one['parentTxid'] === parent && one['action'] === 'REFUND' && one['status'] === 'OK',
    );
    const sum = done.reduce((total, one) => total + Number((one['money'] as Item)['minor']), 0);
    const { refunded } = ledgerFacts(row);
    return sum === refunded ? [] : [`${row['pk']}: refunds of ${sum} are booked as ${refunded}`];
  });
  return [...broken, ...sums];
};

/** The sandbox keeps books of its own of what it moved. */
const processorAgrees: Invariant = (kept) =>
  kept.rows.flatMap((row) => {
    if (row['sk'] !== 'PAYMENT' || !String(row['pk']).startsWith('SANDBOX#')) return [];
    const payment = row['payment'] as Item;
    const own = readTransactions(kept).filter(({ txid }) => txid === payment['txid']);
    const refunded = Number(payment['refunded']);
    const parent = own[0]?.['txid'] ?? Number.NaN;
    const ledger = kept.rows.find(({ pk, sk }) => pk === `TX#${parent}` && sk === 'LEDGER');
    const booked = ledger ? ledgerFacts(ledger).refunded : refunded;
    return [
      ...(refunded > Number(payment['minor']) ? [`the processor refunded ${refunded} of ${payment['minor']}`] : []),
      ...(booked === refunded ? [] : [`the processor refunded ${refunded}, and ${booked} is booked for ${parent}`]),
    ];
  });

/** The ledgers of the store agree with what Stripe has taken, refunded and lost to issuers. */
const stripeAgrees: Invariant = (kept) => {
  const {
    intents,
    disputes: { disputes },
  } = kept.observed.stripe;
  return [...intents.values()].flatMap((intent) => {
    const ledger = kept.rows.find(({ pk, sk }) => sk === 'LEDGER' && pk === `TX#${intent.metadata['txid']}`);
    if (!ledger) return [`${intent.id} has no ledger`];
    const { captured, refunded, voided, authorized, chargedBack } = ledgerFacts(ledger);
    const lost = [...disputes.values()]
      .filter(({ payment_intent, status }) => payment_intent === intent.id && /^(?!won|warning)/.test(status))
      .reduce((sum, { amount }) => sum + amount, 0);
    const differences = [
      ['captured', intent.amount_received, captured],
      ['refunded', intent.refunded, refunded],
      ['charged back', lost, chargedBack],
      [
        'given up',
        intent.status === 'canceled' ? 0 : Number(intent['latest_charge'] !== null),
        authorized - voided > 0 ? 1 : 0,
      ],
    ] as const;
    return differences.flatMap(([what, there, here]) =>
      there === here ? [] : [`${intent.id}: ${what} ${there} at Stripe, ${here} in ${ledger['pk']}`],
    );
  });
};

/** Each dispute of an issuer, of the store and of the exporter, is known once, in its present state. */
const chargebacksKnown: Invariant = (kept) => {
  const known = kept.of('CHARGEBACK').map((row) => row['chargeback'] as Item);
  const { stripe, elsewhere } = kept.observed;
  return [stripe, elsewhere].flatMap(({ disputes: { disputes } }, place) =>
    [...disputes.values()].flatMap(({ id, status }) => {
      const own = known.filter(
        ({ reference, connection }) => reference === id && (connection !== null) === (place === 1),
      );
      const end = /won|closed/.test(status) ? 'won' : 'lost';
      return own.length === 1 && own[0]?.['status'] === end
        ? []
        : [`${id} is ${status}, and known as ${own.map((one) => one['status'])}`];
    }),
  );
};

/** Each warning of an issuer is one alert of its merchant. */
const warningsKnown: Invariant = (kept) =>
  [...kept.observed.elsewhere.disputes.warnings.keys()].flatMap((id) => {
    const own = readAlerts(kept).filter((alert) => (alert['providerAlert'] as Item)['caseId'] === id);
    return own.length === 1 ? [] : [`the warning ${id} is known ${own.length} times`];
  });

type RefundElsewhere = { key: string; minor: string; state: 'done' | 'failed' | 'pending' };

/** The refunds of a charge at a merchant's own processor agree with its alerts, once for each, and do not exceed it. */
const refundsElsewhere: Invariant = (kept) => {
  const asked = kept.of('REFUND').flatMap((row) => (row['refund'] ? [row['refund'] as Item] : []));
  const charges = kept.of('SANDBOXCHARGE').flatMap((row) => {
    const [, mid, reference = ''] = String(row['pk']).split('#');
    const { refunds } = row['charge'] as { refunds: RefundElsewhere[] };
    const made = refunds.filter(({ state }) => state !== 'failed');
    const sum = made.reduce((total, { minor }) => total + Number(minor), 0);
    // Two merchants may have charges of one reference at the sandbox.
    const isOf = ({ alertId }: Item): boolean =>
      readAlerts(kept).some(
        (alert) => alert['alertId'] === alertId && String((alert['owner'] as Item | null)?.['mid']) === mid,
      );
    const own = asked.filter((one) => one['reference'] === reference && one['state'] === 'done' && isOf(one));
    const booked = own.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
    const before = sandboxCandidate(reference, untouched, kept.world.timeline.now);
    const most = before ? Number(before.captured - before.refunded) : 0;
    const alerts = made.map(({ key }) => key.split('-')[2]);
    return [
      ...(sum > most ? [`${reference}: ${sum} of ${most} were given back`] : []),
      ...(sum === booked ? [] : [`${reference}: ${sum} were given back, and ${booked} are booked`]),
      ...(new Set(alerts).size < alerts.length ? [`${reference} was refunded twice for one alert: ${alerts}`] : []),
    ];
  });
  const twice = asked.flatMap(({ alertId, state }) => {
    const here = readTransactions(kept).filter(
      (one) => one['alertId'] === alertId && one['action'] !== 'CAPTURE' && one['status'] === 'OK',
    );
    return state === 'done' && here.length > 0 ? [`alert ${alertId} was refunded here and elsewhere`] : [];
  });
  const open = asked.filter(({ state }) => state !== 'done' && state !== 'failed');
  return [...charges, ...twice, ...open.map(({ alertId, state }) => `the refund of alert ${alertId} is ${state}`)];
};

/** The reservations of a charge agree with what each of its alerts records. */
const reservationsAgree: Invariant = (kept) =>
  kept.of('CHARGEREFUNDS').flatMap((row) => {
    const { refunds } = row['charge'] as { refunds: Record<string, { isDone: boolean }> };
    return Object.entries(refunds).flatMap(([alertId, { isDone }]) => {
      const own = kept.of('REFUND').find(({ pk }) => pk === `ALERT#${alertId}`)?.['refund'] as Item | undefined;
      return isDone === (own?.['state'] === 'done') && own?.['state'] !== 'failed'
        ? []
        : [`${row['pk']} keeps the refund of alert ${alertId}, which is ${own?.['state']}`];
    });
  });

/** At a processor that knows no idempotency keys nothing is asked for twice, and nothing is given back that is not written down. */
const refundsWithoutKeys: Invariant = (kept) => {
  const { records } = kept.observed.nmi;
  const asked = kept.of('REFUND').flatMap((row) => (row['refund'] ? [row['refund'] as Item] : []));
  const made = [...records.values()].filter(({ originalId }) => originalId !== '');
  const alertsOfOrder = new Map(
    asked.flatMap((refund) =>
      Array.from({ length: Number(refund['number']) }, (_, index) => {
        const key = `fw-alert-${refund['alertId']}-${index + 1}`;
        return [refundReference(String(refund['reference']), key), refund] as const;
      }),
    ),
  );
  const byAlert = Map.groupBy(made, ({ orderId }) => alertsOfOrder.get(orderId)?.['alertId']);
  return [
    ...[...byAlert].flatMap(([alertId, list]) =>
      alertId === undefined || list.length > 1 ? [`alert ${alertId} was refunded by ${list.map(({ id }) => id)}`] : [],
    ),
    ...made.flatMap(({ id, orderId }) => {
      const state = alertsOfOrder.get(orderId)?.['state'];
      return state === 'done' ? [] : [`refund ${id} was made, and is ${state}`];
    }),
    ...[...records.values()].flatMap(({ id, refunded, actions, condition, originalId }) => {
      const taken = actions[0]?.minor ?? 0;
      const [isVoid, isDone] = [
        condition === 'canceled',
        asked.some(({ reference, state }) => reference === id && state === 'done'),
      ];
      return originalId === '' && (refunded > taken || (isVoid && refunded > 0) || isDone !== (isVoid || refunded > 0))
        ? [`${id}: ${refunded} of ${taken} were given back, ${condition}`]
        : [];
    }),
  ];
};

/** The refunds at a merchant's own Stripe account agree with its alerts, whatever banks have returned since. */
const refundsThatReturn: Invariant = (kept) => {
  const { charges, refunds } = kept.observed.elsewhere.elsewhere;
  const standing = [...refunds.values()].filter(({ status }) => status !== 'failed');
  const asked = kept
    .of('REFUND')
    .flatMap((row) => (row['refund'] ? [row['refund'] as Item] : []))
    .filter(({ connection }) => connection === kept.stage.exporter.connection);
  const alertOf = ({ metadata }: Item): string => String((metadata as Item)['forewarn_alert']);
  return [
    ...[...charges.values()].flatMap(({ id, amountCaptured, amountRefunded }) =>
      amountRefunded > amountCaptured ? [`${id}: ${amountRefunded} of ${amountCaptured} were given back`] : [],
    ),
    ...asked.flatMap(({ alertId, state, amount }) => {
      const own = standing.filter((one) => alertOf(one) === String(alertId));
      const wanted = state === 'done' ? [toCents(amount)] : [];
      return isDeepStrictEqual(
        own.map((one) => one.amount),
        wanted,
      )
        ? []
        : [`the refund of alert ${alertId} is ${state}, and ${own.map(({ id }) => id)} stand at Stripe`];
    }),
    ...standing.flatMap((one) =>
      asked.some(({ alertId }) => alertOf(one) === String(alertId)) ? [] : [`${one.id} is in no book`],
    ),
    ...asked.flatMap(({ alertId, state }) => {
      const own = ownHistory(kept, alertId);
      const answered = own.findLastIndex(({ event }) => answering.has(event));
      const isByRefund = ['answered by refund', 'decided by rule'].includes(own[answered]?.event ?? '');
      const isTakenBack = own.slice(answered).some(({ event }) => event === 'refund failed');
      const isSaid = /^RESOLVED 10[01]\.001$/.test(listStates(kept, alertId)[answered] ?? '');
      return state === 'failed' && isByRefund && isSaid && !isTakenBack
        ? [`alert ${alertId} is answered by a refund that came back, which nobody knows`]
        : [];
    }),
  ];
};

/** A chargeback at a merchant's own connection is known once, and its alert notified once. */
const chargebacksElsewhere: Invariant = (kept) => {
  const raised = [...kept.observed.nmi.records.values()].filter(({ actions }) =>
    actions.some(({ type }) => type === 'return'),
  );
  const known = kept.of('CHARGEBACK').map((row) => row['chargeback'] as Item);
  return raised.flatMap(({ id }) => {
    const own = known.filter(({ reference, connection }) => reference === id && connection !== null);
    const alerts = readAlerts(kept).filter(
      (alert) => (alert['owner'] as Item | null)?.['sid'] === kept.stage.importer.sid,
    );
    const marks = alerts.flatMap(({ alertId }) =>
      ownHistory(kept, alertId).flatMap(({ event }) => (event === 'charged back' ? [alertId] : [])),
    );
    const alertId = own[0]?.['alertId'] ?? null;
    const wanted = alertId === null ? [] : [alertId];
    return [
      ...(own.length === 1 ? [] : [`the chargeback of ${id} is known ${own.length} times`]),
      ...(isDeepStrictEqual(marks, wanted)
        ? []
        : [`the chargeback of ${id} is alert ${alertId}'s, and marked at ${marks}`]),
    ];
  });
};

/** The ledgers of its shop agree with what Adyen has taken, refunded and lost to issuers. */
const adyenAgrees: Invariant = (kept) => {
  const { adyen, adyenDisputes } = kept.observed;
  return adyen.payments.flatMap(({ psp, reference, captured, refunded, state }) => {
    const txid = txidOfReference(reference);
    const ledger = kept.rows.find(({ pk, sk }) => sk === 'LEDGER' && pk === `TX#${txid}`);
    if (!ledger) return [`${psp} has no ledger`];
    const facts = ledgerFacts(ledger);
    const lost = adyenDisputes
      .filter(({ payment, isWon }) => payment === psp && !isWon)
      .reduce((sum, { minor }) => sum + minor, 0);
    const isOpen = state === 'authorised' ? 1 : 0;
    // A payment that was given up, and appears afterwards, is in the merchant's books with nothing, less what it lost.
    const isGivenUp = readTransactions(kept).some((one) => one['txid'] === txid && one['status'] === 'EXC');
    if (isGivenUp && captured > 0 && facts.captured === 0 && facts.authorized === 0) {
      const [there, here] = [captured - refunded - lost, -facts.chargedBack];
      return there === here ? [] : [`${psp} was given up: ${there} is left at Adyen, ${here} in ${ledger['pk']}`];
    }
    const differences = [
      ['captured', captured, facts.captured],
      ['refunded', refunded, facts.refunded],
      ['charged back', lost, facts.chargedBack],
      ['authorised', isOpen, facts.authorized - facts.voided > 0 ? 1 : 0],
    ] as const;
    return differences.flatMap(([what, there, here]) =>
      there === here ? [] : [`${psp}: ${what} ${there} at Adyen, ${here} in ${ledger['pk']}`],
    );
  });
};

/** Adyen's last report of a dispute is known, once. */
const adyenDisputesKnown: Invariant = (kept) => {
  const known = kept.of('CHARGEBACK').map((row) => row['chargeback'] as Item);
  return kept.observed.adyenDisputes.flatMap(({ reference, isWon }) => {
    const own = known.filter((one) => one['reference'] === reference);
    const isAsTold = own.length === 1 && (own[0]?.['status'] === 'won') === isWon;
    return isAsTold
      ? []
      : [`${reference} is ${isWon ? 'won' : 'open'}, and known as ${own.map((one) => one['status'])}`];
  });
};

const toCents = (amount: unknown): number => Math.round(Number(amount) * 100);

/** The order of a payment agrees with its ledger; a failed payment has none. */
const ordersFollow: Invariant = (kept) =>
  kept.of('ORDER').flatMap((row) => {
    if (row['source'] === 'merchant') return [];
    const ledger = kept.rows.find(({ pk, sk }) => sk === 'LEDGER' && pk === `TX#${idIn(row)}`);
    const payment = row['payment'] as Item | undefined;
    if (!ledger || !payment) return [`order ${idIn(row)} has no payment`];
    const { captured, refunded, voided, authorized } = ledgerFacts(ledger);
    const isAsBooked =
      toCents(payment['captured']) === captured &&
      toCents(payment['refunded']) === refunded &&
      payment['voided'] === (voided > 0 || authorized === 0);
    return isAsBooked ? [] : [`order ${idIn(row)} shows ${JSON.stringify(payment)} of ${captured}, ${refunded}`];
  });

/** An alert that found its order has marked it, until it is withdrawn; and no order has a mark of another alert. */
const ordersMarked: Invariant = (kept) => {
  const searches = kept.of('ALERT_ORDER').map((row) => row['search'] as Item);
  const orders = kept.of('ORDER');
  const marks = orders.flatMap((row) =>
    // Chargebacks mark it too, under their own numbers.
    Object.keys(row['disputes'] as Item).flatMap((id) => (id.startsWith('cb_') ? [] : [`${id} ${idIn(row)}`])),
  );
  const wanted = searches.flatMap(({ alertId, orderId }) => {
    const alert = readAlerts(kept).find((one) => one['alertId'] === alertId);
    const isThere = orders.some((row) => row['id'] === orderId);
    return isThere && alert?.['withdrawnAt'] === null ? [`${alertId} ${orderId}`] : [];
  });
  return [
    ...wanted.filter((mark) => !marks.includes(mark)).map((mark) => `there is no mark ${mark}`),
    ...marks.filter((mark) => !wanted.includes(mark)).map((mark) => `there is a mark ${mark}`),
  ];
};

/** Two payments that were made with one authentication would both be said to be proven. */
const usedOnce: Invariant = (kept) => {
  const known = kept.of('AUTHENTICATION');
  const made = readTransactions(kept).flatMap(({ txid, threeDs }) => {
    const own = (threeDs as { own: { id: number } | null } | undefined)?.own;
    return own ? [{ txid, id: own.id }] : [];
  });
  const users = Map.groupBy(made, ({ id }) => id);
  return [
    ...[...users].flatMap(([id, list]) =>
      list.length > 1 ? [`authentication ${id} proves ${list.map(({ txid }) => txid)}`] : [],
    ),
    ...kept.observed.authentications.flatMap((ids) =>
      ids.size > 1 ? [`one tid began authentications ${[...ids]}`] : [],
    ),
    ...known.flatMap((row) => {
      const payer = Number(row['usedByTxid'] ?? 0);
      const isThere = payer === 0 || readTransactions(kept).some(({ txid }) => txid === payer);
      return isThere ? [] : [`authentication ${idIn(row)} was used by ${payer}, which is gone`];
    }),
  ];
};

/** A challenge ends, whether its payer returns or not; and cards cannot be tried out, nor issuers asked, for long. */
const authenticationsEnd: Invariant = (kept) =>
  kept.of('AUTHENTICATION').flatMap((row) => {
    const { status, starts, attempts } = row;
    return [
      ...(status === 'challenged' ? [`authentication ${idIn(row)} is still ${status}`] : []),
      ...(Number(starts) > 5 || Number(attempts) > 3
        ? [`authentication ${idIn(row)} was started ${starts} times and asked for ${attempts} times`]
        : []),
    ];
  });

/** An alert's hold on a payment is released once it is answered, except for what a network has refunded by itself. */
const letsGo: Invariant = (kept) =>
  kept.rows.flatMap((row) => {
    if (row['sk'] !== 'LEDGER') return [];
    const disputes = Object.entries(row['disputes'] as Record<string, { held: string; byNetwork?: boolean }>);
    return disputes.flatMap(([alertId, { held, byNetwork = false }]) => {
      const alert = readAlerts(kept).find((one) => String(one['alertId']) === alertId);
      const isAnswered = alert !== undefined && !['OPEN', 'WIP', 'OTHER'].includes(String(alert['status']));
      return isAnswered && !byNetwork && held !== '0' ? [`alert ${alertId} is answered and holds ${held}`] : [];
    });
  });

/** Only an answer's refund that was not made here is booked as refunded elsewhere; for 940 its first alert is. */
const booksElsewhere: Invariant = (kept) =>
  kept.rows.flatMap((row) => {
    if (row['sk'] !== 'LEDGER') return [];
    const disputes = Object.entries(row['disputes'] as Record<string, { elsewhere?: string }>);
    return disputes.flatMap(([alertId, { elsewhere }]) => {
      if (elsewhere === undefined) return [];
      const isSaid = listStates(kept, Number(alertId)).some((state) => / (?!940)\d+\.001$/.test(state));
      const own = readTransactions(kept).filter(
        (one) => String(one['alertId']) === alertId && one['action'] === 'REFUND' && one['status'] === 'OK',
      );
      return [
        ...(isSaid ? [] : [`alert ${alertId} never said refunded, and ${elsewhere} is booked as given back elsewhere`]),
        ...own.map((one) => `alert ${alertId} was refunded by ${idIn(one)}, and elsewhere by ${elsewhere}`),
      ];
    });
  });

/**
 * Where a refund that answered an alert has failed, the alert is its merchant's again, or records that it was too late for that.
 */
const answeredByNone: Invariant = (kept) =>
  readTransactions(kept).flatMap(({ txid, action, status, alertId }) => {
    const alert = readAlerts(kept).find((one) => one['alertId'] === alertId);
    if (!alert || action !== 'REFUND' || status !== 'EXC') return [];
    const shown = (alert['automatic'] as { refund: Item | null } | null)?.refund;
    const isByThis = shown?.['payment_gateway_reference2'] === String(txid);
    if (!isByThis || alert['status'] !== 'RESOLVED' || alert['withdrawnAt'] !== null) return [];
    const own = ownHistory(kept, alertId);
    const answered = own.findLastIndex(({ event }) => ['answered by refund', 'decided by rule'].includes(event));
    const isKnown = own.slice(answered).some(({ event }) => event === 'refund failed');
    return isKnown ? [] : [`alert ${alertId} is answered by refund ${txid}, which has failed, and nobody knows`];
  });

const refundPerAlert: Invariant = (kept) => {
  const refunded = readTransactions(kept).filter(
    ({ action, status, alertId }) => alertId !== null && action !== 'CAPTURE' && status !== 'EXC',
  );
  return [...Map.groupBy(refunded, ({ alertId }) => alertId)].flatMap(([alertId, list]) =>
    list.length > 1 ? [`alert ${alertId} was refunded by ${list.map(idIn)}`] : [],
  );
};

/** The payment of an accepted RDR decision is kept for its network, and no refund is made for it, whoever asks for the money later. */
const networkRefunds: Invariant = (kept) =>
  readAlerts(kept).flatMap(({ alertId, providerAlert, withdrawnAt }) => {
    const held = kept.of('HOLD').find(({ id }) => id === alertId)?.['hold'] as { txid: number | null } | undefined;
    const isNetworks = (providerAlert as Item)['decision'] === 'ACCEPTED' && withdrawnAt === null;
    if (!isNetworks || held === undefined || held.txid === null) return [];
    const ledger = kept.rows.find(({ pk, sk }) => pk === `TX#${held.txid}` && sk === 'LEDGER');
    const dispute = (ledger?.['disputes'] as Record<string, { byNetwork?: boolean }> | undefined)?.[String(alertId)];
    const own = readTransactions(kept).filter((one) => one['alertId'] === alertId && one['status'] !== 'EXC');
    return [
      ...(dispute?.byNetwork ? [] : [`payment ${held.txid} does not know that a network refunded it (${alertId})`]),
      ...own.map((one) => `the network refunded alert ${alertId}, and so did ${idIn(one)}`),
    ];
  });

const chargedOnce: Invariant = (kept) =>
  kept.observed.payments.flatMap(({ tid, txids }) => {
    const own = readTransactions(kept).filter((one) => one['tid'] === tid && one['txid'] === one['parentTxid']);
    return [
      ...(own.length > 1 ? [`${tid} was charged by ${own.map(idIn)}`] : []),
      ...(txids.size > 1 ? [`${tid} was answered with ${[...txids]}`] : []),
      ...([...txids].every((txid) => own.some((one) => one['txid'] === txid)) ? [] : [`${tid} is gone`]),
    ];
  });

const funds: Invariant = (kept) => {
  const sum = (name: string) => kept.of('BALANCE').reduce((total, row) => total + Number(row[name] ?? 0), 0);
  const ledgers = kept.rows.filter(({ sk }) => sk === 'LEDGER').map(ledgerFacts);
  const reserved = ledgers.reduce((total, { refunding, payingOut, held }) => total + refunding + payingOut + held, 0);
  // Refunds that merchants report in answers are gone at the processor, though no refund here made them.
  const whole = ledgers.reduce(
    (total, { captured, refunded, elsewhere, paidOut, chargedBack }) =>
      total + captured - refunded - elsewhere - paidOut - chargedBack,
    0,
  );
  const [available, back] = [sum('available#USD'), sum('reserved#USD')];
  return available === whole - reserved && back === reserved
    ? []
    : [`funds are ${available} and ${back}, by the ledgers ${whole - reserved} and ${reserved}`];
};

/** Payouts never exceed what is available, though several ask for it at once. */
const payoutsCovered: Invariant = ({ overdrawn }) => [...overdrawn];

const oneFinalOutcome: Invariant = ({ observed }) =>
  [...Map.groupBy(observed.told, ({ network, caseId }) => `${network} ${caseId}`)].flatMap(([name, told]) => {
    const finals = new Set(told.filter(({ isFinal }) => isFinal).map(({ word }) => word));
    const first = told.find(({ isFinal, taken }) => isFinal && taken);
    const after = told.filter(({ isFinal, time }) => first && !isFinal && time > first.time);
    return [
      ...(finals.size > 1 ? [`${name} heard ${[...finals]}`] : []),
      ...(after.length > 0 ? [`${name} heard ${after.map(({ word }) => word)} after its end`] : []),
    ];
  });

const networkHasIt: Invariant = (kept) =>
  kept.of('OUTCOME').flatMap((outcome) => {
    const { id, state, caseId, isFinal } = outcome;
    const told = kept.observed.told.some((one) => one.caseId === caseId && one.taken && one.isFinal === isFinal);
    return state === 'ACCEPTED' && !told ? [`${id} is ACCEPTED, and the network has nothing of it`] : [];
  });

/** The first sentences of e-mails about new alerts in the previous release. */
const previousLeads = [
  'A dispute alert has arrived for one of your sites.',
  'This is a test alert: no cardholder has disputed anything.',
];

/** Of which new alert an e-mail tells; those about something else name an alert too. */
const readSubject = (text: string): string | undefined => {
  const isNew =
    Object.values(newAlertLeads).some((words) => text.includes(words)) ||
    previousLeads.some((words) => text.startsWith(words));
  return isNew ? /^Alert:\s+(\d+)$/m.exec(text)?.[1] : undefined;
};

/** Once to each receiver; again only where the run that sent it was cut off, did not learn that it had, or could not record that. */
const mailed: Invariant = (kept) =>
  kept.of('MAIL').flatMap((mail) => {
    if (mail['kind'] !== 'new_alert' || mail['state'] !== 'SENT') return [];
    const sent = kept.world.mails.filter(({ text }) => readSubject(text) === String(mail['alertId']));
    const sure = sent.filter(
      ({ run }) => run.cut === undefined && run.faults === 0 && run.conflicts <= maxConflicts,
    ).length;
    return sent.length >= 1 && (sure <= (mail['to'] as unknown[]).length || areClocksFar(kept))
      ? []
      : [`${idIn(mail)} was mailed ${sent.length} times, ${sure} of them for sure`];
  });

const secret: Invariant = ({ leaks }) => leaks.slice(0, 3);

const noSurprise: Invariant = (kept) => {
  const { observed, world } = kept;
  const errors = isMessy(kept) ? [] : [...world.errors.keys(), ...kept.failed];
  // A processor may fail to answer about a dispute five times in a row, which raises an alarm; the next sweep asks again.
  const isExpected = (queue: string) => queue === 'chargebacks' && kept.profile === 'hostile';
  const dead = isMessy(kept) ? [] : world.queues.deadLetters().filter(([queue]) => !isExpected(queue));
  // Rows are frozen: no reader may change what others read.
  const mutations = [...world.errors.keys()].filter((words) =>
    /TypeError|ValidationException|RangeError|ReferenceError/.test(words),
  );
  return [
    ...observed.surprises,
    ...errors,
    ...mutations,
    ...dead.map(([queue, bodies]) => `${queue} gave up ${bodies[0]}`),
  ];
};

/** A store's file of evidence is the one that was uploaded; evidence that is marked as submitted is at Stripe, and came there in time. */
const evidence: Invariant = (kept) =>
  kept.of('CHARGEBACK').flatMap((row) => {
    const chargeback = row['chargeback'] as Item & { files?: { id: string }[] };
    const { id, mid, reference, files, dueBy, evidence: submitted } = chargeback;
    const objects = getObjects(kept.world);
    // Rows of the previous release have no files.
    const lost = (files ?? []).filter(
      (file) => objects.get(`evidence/${mid}/${file.id}`) !== kept.observed.files.get(file.id),
    );
    return [
      ...lost.map((file) => `${id} has file ${file.id}, whose content is gone`),
      ...(submitted && !kept.observed.stripe.disputes.evidence.has(String(reference))
        ? [`${id} says that evidence is submitted, and Stripe has none`]
        : []),
      ...(submitted && dueBy && String((submitted as Item)['at']) > String(dueBy)
        ? [`${id} got its evidence too late`]
        : []),
    ];
  });

/** An accepted chargeback is closed at Stripe, unless that has ended it before. Stripe may answer nothing about disputes for 30 hours. */
const acceptances: Invariant = (kept) =>
  [...kept.observed.acceptedChargebacks].flatMap(([id, at]) => {
    const own = kept.of('CHARGEBACK').find((row) => (row['chargeback'] as Item)['id'] === id)?.['chargeback'] as
      | (Item & { closedAt: string | null })
      | undefined;
    const isClosed = kept.observed.stripe.answered.has(`fw-accept-${id}`);
    const patience = kept.profile === 'calm' ? 10 * minute : 45 * hour;
    const isLate = own?.closedAt != null && Date.parse(own.closedAt) > at + patience;
    return [
      ...(own?.['accepted'] ? [] : [`the acceptance of ${id} is lost`]),
      ...(isLate && !isClosed ? [`${id} was accepted, and is open at Stripe`] : []),
    ];
  });

/** An alert of the inbox gets the site that it was assigned to first, or one that has enrolled its descriptor. */
const inbox: Invariant = (kept) =>
  kept.observed.inbox.flatMap(({ sent: { caseId, withdrawal }, assigned, isEnrolled }) => {
    const [alert] = alertsOfCase(kept, caseId);
    const sid = (alert?.['owner'] as Item | null | undefined)?.['sid'];
    const isTold = kept.of('DELIVERY').some(({ id }) => id === `ntf_${alert?.['alertId']}`);
    return [
      ...(assigned.size > 1 ? [`${caseId} was assigned to ${[...assigned]}`] : []),
      ...[...assigned].filter((one) => one !== sid).map((one) => `${caseId} was assigned to ${one}, and is of ${sid}`),
      ...(isEnrolled && withdrawal === 'none' && sid === undefined ? [`${caseId} is unmatched, and enrolled`] : []),
      ...(!isEnrolled && assigned.size === 0 && sid !== undefined
        ? [`${caseId} is of ${sid}, which nothing says`]
        : []),
      ...(sid !== undefined && !isTold && withdrawal === 'none'
        ? [`${caseId} is of ${sid}, which is not notified`]
        : []),
    ];
  });

const readsAll: Invariant = ({ unread, world }) => [
  ...unread,
  ...[...world.errors.keys()].filter((words) => words.includes('cannot be read')),
];

/** While keys are replaced, no process lacks one that is in use, whenever it has read the secret. */
const keysKnown: Invariant = ({ world }) => [
  ...[...world.errors.keys()].filter((words) => /has no key named|unable to authenticate data/.test(words)),
  ...world.refused,
];

const withinGrants: Invariant = ({ world }) => [...world.denied];

export const invariants = {
  'every function stays within its grants': withinGrants,
  'nothing acknowledged is lost, and a case is one alert': acknowledged,
  'no answer and no withdrawal is lost': answers,
  'of several disputes of one transaction one is the first': duplicates,
  'one POST per slot': postPerSlot,
  'no attempt after 72 hours': attemptsEnd,
  'delivered once it was taken, and not attempted again': endsWithSuccess,
  'an attempt at every slot until it expires': everySlot,
  'no attempt begins after an answer': noneAfterAnswer,
  "an alert that is its merchant's again is told again": toldAgain,
  'every notification is signed': signedRightly,
  'one notification per event': oneNotification,
  'deadlines warn and pass once': deadlines,
  'history is a chain': chain,
  'counts equal items': counts,
  'days and volumes sum up the alerts': days,
  'what was tried is listed as it is': listedAsTheyAre,
  'what is due is done in time': dueIsDone,
  'webhooks, e-mails and outcomes begin in time': beginsInTime,
  'an alert looks for its payment and order at once': looksInTime,
  'nothing is owed at rest': rest,
  'refunds stay within what was captured': refunds,
  'the processor moved what is booked': processorAgrees,
  'the ledgers say what Stripe has': stripeAgrees,
  'a chargeback is known as it stands': chargebacksKnown,
  'a warning of an issuer is one alert': warningsKnown,
  'a charge elsewhere is refunded once for an alert': refundsElsewhere,
  'where nothing tells a refund from its repetition, it is asked for once': refundsWithoutKeys,
  'what banks send back elsewhere is not refunded': refundsThatReturn,
  'a chargeback elsewhere is known once, and its alert marked once': chargebacksElsewhere,
  'the ledgers say what Adyen has': adyenAgrees,
  'a dispute at Adyen is known as it was told last': adyenDisputesKnown,
  'what is reserved of a charge is what its alerts say': reservationsAgree,
  'an order shows what its payment came to': ordersFollow,
  'an order is marked by the alerts about it': ordersMarked,
  'an authentication is used once': usedOnce,
  'an authentication comes to its end': authenticationsEnd,
  'an alert that is answered holds nothing': letsGo,
  'what is given back elsewhere is so by an answer alone': booksElsewhere,
  'no alert is answered by a refund that failed': answeredByNone,
  'an alert is refunded once': refundPerAlert,
  'what a network refunded is refunded by nobody else': networkRefunds,
  'a tid is charged once': chargedOnce,
  'funds are what the ledgers say': funds,
  'a payout takes what is there': payoutsCovered,
  'a network hears one final outcome': oneFinalOutcome,
  'what is accepted, the network has': networkHasIt,
  'e-mails are sent': mailed,
  'an accepted chargeback is accepted at its processor': acceptances,
  'evidence is what was uploaded': evidence,
  'an alert of the inbox gets one owner': inbox,
  'an import counts each charge once, and links the orders that charges name': importsAgree,
  'each order of a connected shop is imported once': shopOrdersAgree,
  'each release reads what the other has written': readsAll,
  'every process knows the keys in use': keysKnown,
  'secrets stay where they belong': secret,
  'nobody gets an answer that makes no sense': noSurprise,
  'calls and answers are as their vendors publish them': () => takeBreaches(),
} as const satisfies Record<string, Invariant>;
export type InvariantName = keyof typeof invariants;
