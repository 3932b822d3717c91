import { link } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { type DeliveryRow, listDeliveries } from '../app/operations.ts';
import { translateCount } from '../language/translate.ts';
import { dayText } from '../parts/times.ts';
import { type Failing, sumFailing } from './delivery-figures.ts';

/** So many of the newest notifications of seven days are read, and of so many sites at most what they accepted. */
const newest = 200;
const maxSites = 50;
const firstDay = (): string => dayText(serviceNow() - 7 * 86_400_000);

/** `isWhole`: all notifications of the time were looked at. */
export type FailingRead = Failing & { isWhole: boolean };

/** The endpoints that fail: the one definition of all screens. A site with notifications that failed is asked for those it accepted. */
export const readFailing = async (scope: { mid?: number }, signal: AbortSignal): Promise<FailingRead> => {
  const read = (state: DeliveryRow['state'][], site: { sid?: number } = {}) =>
    listDeliveries({ body: { ...scope, ...site, state, date_from: firstDay(), size: newest }, signal });
  const { list, totalResult } = await read(['PENDING', 'EXPIRED']);
  const asked = sumFailing(list).sites.slice(0, maxSites);
  const accepted = await Promise.all(asked.map(({ sid }) => read(['DELIVERED'], { sid })));
  return {
    ...sumFailing([...list, ...accepted.flatMap((page) => page.list)]),
    isWhole: list.length >= totalResult,
  };
};

type LinkProps = { sid: number; count: number; class?: string };

/** The number of notifications of a site that failed, as a link to them. `FAILED`: see the filters of deliveries. */
export const FailedLink = ({ sid, count, class: look }: LinkProps) => (
  <a class={look} href={link('/deliveries', { sid: String(sid), state: 'FAILED', date_from: firstDay() })}>
    {translateCount(count, '{count} notification failed', '{count} notifications failed')}
  </a>
);

/** The same of notifications that were given up although the endpoint works. */
export const LostLink = ({ sid, count }: LinkProps) => (
  <a href={link('/deliveries', { sid: String(sid), state: 'EXPIRED', date_from: firstDay() })}>
    {translateCount(count, '{count} notification was not delivered', '{count} notifications were not delivered')}
  </a>
);
