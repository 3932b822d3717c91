import { describe, expect, it } from 'vitest';
import { maxSelected, selectRows } from '#lib/dashboard/parts/selected-rows.ts';

const makeRows = (count: number, first = 1): string[] => Array.from({ length: count }, (_, n) => String(first + n));
const select = (selected: readonly string[], toggled: Parameters<typeof selectRows>[1]): string[] => [
  ...selectRows(new Set(selected), toggled),
];

describe('the selection of rows', () => {
  it('adds a row, and removes it when it is toggled again', () => {
    expect(select(['1'], { shown: makeRows(3), key: '3' })).toEqual(['1', '3']);
    expect(select(['1', '3'], { shown: makeRows(3), key: '1' })).toEqual(['3']);
  });

  it('adds all rows of a range, in either direction, and keeps those that are selected', () => {
    expect(select(['1'], { shown: makeRows(5), key: '4', from: '2' })).toEqual(['1', '2', '3', '4']);
    expect(select(['3'], { shown: makeRows(5), key: '2', from: '4' })).toEqual(['3', '2', '4']);
  });

  it('adds only the row itself if the start of the range is no longer shown', () =>
    expect(select([], { shown: makeRows(5), key: '4', from: '9' })).toEqual(['4']));

  it('accepts as many rows as one bulk answer takes, and no more', () => {
    const shown = makeRows(maxSelected + 2);
    expect(select([], { shown, key: '102', from: '1' })).toEqual(makeRows(100));
    expect(select(makeRows(99), { shown, key: '102' })).toEqual([...makeRows(99), '102']);
    expect(select(makeRows(100), { shown, key: '102' })).toEqual(makeRows(100));
  });

  it('accepts a row of the next page when a whole page was selected before', () =>
    expect(select(makeRows(100), { shown: makeRows(50, 101), key: '101' })).toEqual(['101']));
});
