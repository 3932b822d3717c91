import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { newTimedId, randomText, timeOfId } from '#core/kernel/ids.ts';

afterEach(() => setClock());

describe('an identifier drawn by time', () => {
  it('is never drawn twice by one process, and increases, even while the clock stands', () => {
    setClock(() => Date.UTC(2026, 4, 2, 10));
    const ids = Array.from({ length: 10_000 }, newTimedId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
  });

  it('is exact in a JSON number, has 16 digits and begins with 1 until 2033', () => {
    for (const year of [2026, 2030, 2033]) {
      setClock(() => Date.UTC(year, 0, 1));
      const id = newTimedId();
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(String(id)).toMatch(/^1\d{15}$/);
      expect(timeOfId(id)).toBe(Date.UTC(year, 0, 1));
    }
  });

  it('follows a clock that was set back by more than a second', () => {
    setClock(() => Date.UTC(2027, 0, 1));
    newTimedId();
    setClock(() => Date.UTC(2026, 0, 1));
    expect(timeOfId(newTimedId())).toBe(Date.UTC(2026, 0, 1));
  });

  it('is not drawn again when the clock was set forward and back to where it was', () => {
    const ids = Array.from({ length: 40 }, (_, turn) => {
      setClock(() => Date.UTC(2026, 4, 2, 10) + (turn % 2) * 600_000);
      return Array.from({ length: 100 }, newTimedId);
    }).flat();
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('random text', () => {
  it('has the length asked for and does not repeat', () => {
    const texts = Array.from({ length: 1000 }, () => randomText(32));
    expect(texts.every((text) => /^[0-9a-z]{32}$/.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(1000);
  });
});
