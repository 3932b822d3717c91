import { additionWrites } from '#core/platform/table/additions-row.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { rowId } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Key, transact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { fromKeptItem, inVolumesWrite } from '#disputes/alerts/cost/cost-row.ts';
import { type Facts, factLabel } from '../decide/alert-facts.ts';
import {
  amountNumber,
  daysWithin,
  isCountedAlert,
  type VolumeRow,
  type VolumeSubject,
  volumeNames,
  volumeScopes,
  volumeWithin,
} from './volume.ts';
import { volumeAdditions } from './volume-row.ts';

/** An alert takes a row of its own and at most three of volumes; a transaction takes a hundred parts. */
const alertsAtOnce = 25;

/**
 * Counts alerts into the volumes, each only once: what is kept of it says so, and is written in the same transaction as the counts,
 * on condition that it is as it was read. May be called for an alert any number of times, from anywhere.
 */
export const countVolumes = async (alerts: readonly Alert[]): Promise<void> => {
  const counted = alerts.filter(isCountedAlert);
  for (let from = 0; from < counted.length; from += alertsAtOnce) {
    await countSome(counted.slice(from, from + alertsAtOnce));
  }
};

const countSome = (alerts: readonly Alert[]): Promise<void> =>
  retryOnConflict(async () => {
    const items = await getItems(alerts.flatMap(({ alertId }) => [keys.alertCost(alertId), keys.volumeMark(alertId)]));
    const fresh = alerts.flatMap((alert, index) => {
      const [kept, mark] = [fromKeptItem(items[2 * index]), items[2 * index + 1]];
      return kept.inVolumes || mark ? [] : [{ alert, kept }];
    });
    if (fresh.length === 0) return;
    await transact({
      alerts: fresh.map(({ alert, kept }) => inVolumesWrite(alert.alertId, kept)),
      volumes: additionWrites(fresh.flatMap(({ alert }) => volumeAdditions(alert))),
    });
  });

/** Rows of volumes that were read already, so that alerts of one site share them. */
export type VolumeCache = Map<string, VolumeRow | undefined>;

const keysAtOnce = 100;

type Asked = { of: string; window: string };

const scopeNameOf = (of: string, subject: VolumeSubject): string | undefined => {
  const scope = volumeScopes.find((one) => one === of);
  return scope && volumeNames(subject)[scope];
};

/** Reads the rows that the asked volumes of alerts need, a hundred to a call. */
export const readVolumeRows = async (
  asked: readonly Asked[],
  subjects: readonly { subject: VolumeSubject; at: string }[],
  cache: VolumeCache,
): Promise<void> => {
  const wanted = new Map<string, Key>();
  for (const { subject, at } of subjects) {
    for (const { of, window } of asked) {
      const name = scopeNameOf(of, subject);
      if (name === undefined) continue;
      for (const day of daysWithin(window, at)) {
        const key = keys.volume(subject.sid, name, day);
        if (!cache.has(rowId(key))) wanted.set(rowId(key), key);
      }
    }
  }
  const missing = [...wanted.values()];
  for (let from = 0; from < missing.length; from += keysAtOnce) {
    const some = missing.slice(from, from + keysAtOnce);
    const items = await getItems(some);
    some.forEach((key, index) => void cache.set(rowId(key), items[index]));
  }
};

/** Returns the requested volumes as facts, from rows that were read. Volumes of a card are null if the alert names no card. */
export const volumeFacts = (
  asked: readonly Asked[],
  { subject, at, currency }: { subject: VolumeSubject; at: string; currency: string },
  cache: VolumeCache,
  lastHourOf?: (name: string) => { count: number; minor: number },
): Facts =>
  Object.fromEntries(
    asked.flatMap(({ of, window }) => {
      const name = scopeNameOf(of, subject);
      const rowOf = (day: string) =>
        name === undefined ? undefined : cache.get(rowId(keys.volume(subject.sid, name, day)));
      const { count, minor } = volumeWithin(
        rowOf,
        window,
        at,
        currency,
        name === undefined ? undefined : lastHourOf?.(name),
      );
      const params = { of, window };
      return [
        [factLabel('volume_count', params), name === undefined ? null : count],
        [factLabel('volume_sum', params), name === undefined ? null : amountNumber(minor, currency)],
      ] as const;
    }),
  );
