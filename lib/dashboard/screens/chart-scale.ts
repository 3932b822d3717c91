import { milliseconds } from '#core/kernel/clock.ts';
/** Whole numbers from 0 on for the side of a chart, at most five, the last no less than `most`: in steps of 1, 2 or 5 times a power of ten. */
export const makeScale = (most: number): number[] => {
  const power = 10 ** Math.floor(Math.log10(Math.max(4, most) / 4));
  const step = [1, 2, 5].map((times) => times * power).find((one) => one * 4 >= most) ?? 10 * power;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, n) => n * step);
};

/** Every day (`2026-05-02`) or month (`2026-05`) from one day to another, so that a chart shows those without anything as 0. */
export const everyDate = (from: string, until: string, group: 'day' | 'month'): string[] => {
  const days = Math.floor((Date.parse(until) - Date.parse(from)) / milliseconds.day);
  const length = group === 'day' ? '2026-05-02'.length : '2026-05'.length;
  const all = Array.from({ length: Math.max(0, days + 1) }, (_, n) =>
    new Date(Date.parse(from) + n * milliseconds.day).toISOString().slice(0, length),
  );
  return [...new Set(all)];
};
