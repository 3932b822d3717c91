/** Where the fonts of letters lie in their packages. */

const file = (name: string, subset: string, weight: number): string =>
  `node_modules/@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff`;

const serifSubsets = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
const serif = (weight: number): [string, string][] =>
  serifSubsets.map((subset) => [`serif-${subset}-${weight}.woff`, file('noto-serif', subset, weight)]);

/** Files by the names under which they are deployed with a function. */
export const letterFontFiles: Readonly<Record<string, string>> = Object.fromEntries([
  ...serif(400),
  ...serif(700),
  // Others compose letters of marks, which a PDF would have to place one by one.
  ['arabic.woff', file('amiri', 'arabic', 400)],
  ['hebrew.woff', file('noto-serif-hebrew', 'hebrew', 400)],
  ['symbols.woff', file('noto-sans-symbols-2', 'symbols', 400)],
  ['math.woff', file('noto-sans-math', 'latin', 400)],
  ['japanese.woff', file('kosugi', 'japanese', 400)],
  ['chinese.woff', file('zcool-xiaowei', 'chinese-simplified', 400)],
  ['korean.woff', file('gowun-dodum', 'korean', 400)],
]);
