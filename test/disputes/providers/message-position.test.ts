import { expect, it } from 'vitest';
import { comparePositions } from '#disputes/providers/message-position.ts';

const at = (date: string) => ({ sequence: null, date });

it.each([
  ['2026-05-02T00:00:00.000Z', '2026-05-02T10:00:00.000Z', 0],
  ['2026-05-02T00:00:00.000Z', '2026-05-03T10:00:00.000Z', -1],
  ['2026-05-02T09:00:00.000Z', '2026-05-02T10:00:00.000Z', -1],
  ['2026-05-02T00:00:00.000Z', '', 0],
])('orders messages of %s and %s by their days where one has no time', (left, right, order) => {
  expect(comparePositions(at(left), at(right))).toBe(order);
  expect(comparePositions(at(right), at(left))).toBe(0 - order);
});
