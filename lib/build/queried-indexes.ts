import { indexNames } from '#core/platform/operation/grants.ts';

/** A query in a function's code: the indexes of which it needs every one, or one at least where the filter is added elsewhere. */
export type QueriedIndexes = { names: readonly string[]; isAnyEnough: boolean };

const literalName = /IndexName: "(\w+)"/g;
const scopeIndex = /\bscopeIndex: (?:(\d)|(\w+)\.(\w+))/g;

/**
 * The indexes that a function's bundle can query: those that it names, and those of the requests of lists, whose number is a literal or a
 * member of a constant object (`orderLists.site`). Code that the function never uses is not in its bundle.
 */
export const queriedIndexesIn = (bundle: string): QueriedIndexes[] => [
  ...[...bundle.matchAll(literalName)].map(([, name = '']) => ({ names: [name], isAnyEnough: false })),
  ...[...bundle.matchAll(scopeIndex)].map(({ index, 1: digit, 2: constant = '', 3: member = '' }) => {
    const number = digit ?? readMember(bundle, constant, member);
    const request = requestAround(bundle, index);
    const [plain, filtered] = [`list${number}`, `list${number}f`];
    if (!request.isWhole) return { names: [plain, filtered], isAnyEnough: true };
    return { names: [request.isFiltered ? filtered : plain], isAnyEnough: false };
  }),
];

const readMember = (bundle: string, constant: string, member: string): string => {
  const [, fields = ''] = new RegExp(`\\b${constant} = \\{([^}]*)\\}`).exec(bundle) ?? [];
  const [, digit] = new RegExp(`\\b${member}: (\\d)`).exec(fields) ?? [];
  if (!digit) throw new Error(`The number of the index ${constant}.${member} is not a literal`);
  return digit;
};

/** A request is whole if its own object, or the one that spreads it, names the entity; and filtered if that names facets. */
const requestAround = (bundle: string, at: number): { isWhole: boolean; isFiltered: boolean } => {
  const start = openingBefore(bundle, at);
  const own = bundle.slice(start, closingAfter(bundle, start) + 1);
  const isSpread = bundle.slice(0, start).trimEnd().endsWith('...');
  const outer = isSpread ? requestAround(bundle, start - 1) : { isWhole: false, isFiltered: false };
  return {
    isWhole: outer.isWhole || /\bentity\b/.test(own),
    isFiltered: outer.isFiltered || /\bfacets\b/.test(own),
  };
};

const openingBefore = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at >= 0; at -= 1) {
    if (text[at] === '}') depth += 1;
    if (text[at] === '{' && depth-- === 0) return at;
  }
  throw new Error('A request of a list is outside of an object');
};

const closingAfter = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
};

/** The indexes that a function's code queries and that its grants leave out: each is a call that AWS refuses. */
export const missingIndexes = (bundle: string, granted: readonly string[] = []): string[] => {
  const missing = queriedIndexesIn(bundle).filter(({ names, isAnyEnough }) => {
    const known = names.filter((name) => (indexNames as readonly string[]).includes(name));
    return isAnyEnough ? !known.some((name) => granted.includes(name)) : !known.every((name) => granted.includes(name));
  });
  return [...new Set(missing.map(({ names }) => names.join(' or ')))].sort();
};
