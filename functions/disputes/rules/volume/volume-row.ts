import { milliseconds } from '#core/kernel/clock.ts';
import { countedAmount } from '#core/kernel/money/counted-minor.ts';
import type { Addition } from '#core/platform/table/additions-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { volumeAttributes, volumeDay, volumeNames, volumeSubjectOf } from './volume.ts';

/** Long enough for the longest window at the end of the longest dry run. */
const keptMilliseconds = 62 * milliseconds.day;

const ttlAfter = (at: string): number => Math.ceil((Date.parse(at) + keptMilliseconds) / milliseconds.second);

/** Returns the additions of an alert to the rows in which it counts. */
export const volumeAdditions = (alert: Alert): Addition[] => {
  const { providerAlert, receivedAt: at } = alert;
  const subject = volumeSubjectOf(alert);
  if (!subject) return [];
  const { count, sum } = volumeAttributes(at, providerAlert.currency);
  const fixed = { entity: 'VOLUME', ttl: ttlAfter(at) };
  return Object.values(volumeNames(subject)).flatMap((name) => {
    const key = keys.volume(subject.sid, name, volumeDay(at));
    return [
      { key, fixed, attribute: count, n: 1 },
      { key, fixed, attribute: sum, n: countedAmount(providerAlert.amount, providerAlert.currency) },
    ];
  });
};
