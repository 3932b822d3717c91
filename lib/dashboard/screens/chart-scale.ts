/** Whole numbers from 0 on for the side of a chart, at most five, the last no less than `most`: in steps of 1, 2 or 5 times a power of ten. */
export const scaleOf = (most: number): number[] => {
  const power = 10 ** Math.floor(Math.log10(Math.max(4, most) / 4));
  const step = [1, 2, 5].map((times) => times * power).find((one) => one * 4 >= most) ?? 10 * power;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, n) => n * step);
};
