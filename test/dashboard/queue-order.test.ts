import { expect, it } from 'vitest';
import { type ListRead, mayBeDueEarlier } from '#lib/dashboard/screens/queue-order.ts';

/** Alerts received at these hours of a day, each with so many hours to answer. */
const aList = (received: readonly (readonly [at: number, hours: number])[], goesOn: boolean): ListRead => ({
  list: received.map(([at, hours]) => ({
    alert_date: new Date(at * 3_600_000).toISOString(),
    deadline: new Date((at + hours) * 3_600_000).toISOString(),
  })),
  next_cursor: goesOn ? 'more' : null,
});
const fraud = [
  [0, 24],
  [5, 24],
] as const;
const disputes = [
  [1, 72],
  [9, 72],
] as const;

/** As the service tells them: received at a fraction of a second, and due at a whole one. */
const atFractions: ListRead = {
  ...aList([], true),
  list: ['03.037Z', '03.981Z', '04.002Z'].map((at) => ({
    alert_date: `2026-05-02T10:00:${at}`,
    deadline: `2026-05-03T10:00:${at.slice(0, 2)}.000Z`,
  })),
};

it.each([
  ['all is shown', [aList(fraud, false), aList(disputes, false)], false],
  ['one list goes on behind what is due first', [aList(fraud, false), aList(disputes, true)], false],
  ['what follows is due before what is shown of the other list', [aList(fraud, true), aList(disputes, true)], true],
  ['a site has less time than the others', [aList([...disputes.slice(0, 1), [2, 12], [3, 72]], true)], true],
  ['all have the same time', [aList(disputes, true)], false],
  ['all have the same time, at fractions of a second', [atFractions], false],
  ['nothing is there', [aList([], false), aList([], false)], false],
])('a later page may hold something due earlier, or not, where %s', (_, lists, may) =>
  expect(mayBeDueEarlier(lists)).toBe(may),
);
