/**
 * Lists: an item appears in pages that can be filtered, counted and entered anywhere while reading little more than what they show. See
 * docs/data-model.md.
 * An item appears in up to four scopes (for example all items, its merchant, its retailer, its site) and has a facet: the values of the two
 * fields by which it can be filtered. Each scope has two indexes, one by scope and one by scope and facet, both sorted by time. The stream
 * maintains counts per scope, facet, month and hour; finer ones are computed on demand.
 */

import { pickShard } from '../table/shard.ts';

/** Attributes of the list indexes in addition to the keys: a list shows nothing else. */
export const listProjection = ['entity', 'summary'] as const;
/** Attributes of the `due` index in addition to the keys. */
export const dueProjection = ['entity', 'id', 'sid'] as const;

export type Scopes = readonly [string | null, (string | null)?, (string | null)?, (string | null)?];

/** A time-ordered position: ISO time, then the identifier, so that no two are equal. */
export const listPosition = (at: string, id: string | number): string => `${at}#${id}`;

/** One facet: the two values by which the item can be filtered. */
export const facetOf = (first: string, second: string): string => `${first}|${second}`;

/** All facets that have one of the first values and one of the second. */
export const crossFacets = (firsts: readonly string[], seconds: readonly string[]): string[] =>
  firsts.flatMap((first) => seconds.map((second) => facetOf(first, second)));

/** The name of a list: an entity within one scope. */
export const listNameOf = (entity: string, scope: string): string => `${entity}#${scope}`;

/** The scope of all items of an entity. */
export const everybody = 'all';

/** The number of lists over which all items of an entity are spread if thousands may arrive in a second. */
const everybodyShards = 8;
const spreadEntities: ReadonlySet<string> = new Set(['ALERT', 'UNMATCHED', 'DELIVERY', 'OUTCOME']);

/** The one of the spread lists to which an item belongs. */
const shardScope = (position: string): string => {
  const id = position.slice(position.indexOf('#') + 1);
  return `${everybody}.${pickShard(id, everybodyShards)}`;
};

/** All scopes that make up one: the list of all items is read from its shards and from the single list that preceded them. */
const spreadScopes = (entity: string, scope: string): string[] =>
  scope === everybody && spreadEntities.has(entity)
    ? [everybody, ...Array.from({ length: everybodyShards }, (_, shard) => `${everybody}.${shard}`)]
    : [scope];

/** The names of the lists that make up an entity within one scope. */
export const listsOf = (entity: string, scope: string): string[] =>
  spreadScopes(entity, scope).map((one) => listNameOf(entity, one));

/** Checks whether a list is one of those into which the list of all items is spread. */
export const isShard = (list: string): boolean => /#all\.\d+$/.test(list);

/**
 * The key attributes that put an item into its lists. `position` comes from listPosition and never changes. Items of one
 * alert are indexed only by time: they are so few that they are filtered as they are read.
 */
export const listKeys = (entity: string, scopes: Scopes, facet: string, position: string): Record<string, string> => ({
  listSk: position,
  // A facet, under its original name in the table: attributes are not renamed.
  listLeaf: facet,
  ...Object.fromEntries(
    scopes.flatMap((scope, index) =>
      scope === null || scope === undefined
        ? []
        : keysIn(`list${index + 1}`, listNameOf(entity, spread(entity, scope, position)), facet),
    ),
  ),
});

const keysIn = (index: string, list: string, facet: string): [string, string][] => [
  [`${index}Pk`, list],
  ...(isShort(list) ? [] : [[`${index}fPk`, `${list}#${facet}`] satisfies [string, string]]),
];

/** The key that puts an item into one more list by facet; it has no place without a facet, so it is always read with facets. */
export const facetKey = (scopeIndex: 5, list: string, facet: string): Record<string, string> => ({
  [`list${scopeIndex}fPk`]: `${list}#${facet}`,
});

const spread = (entity: string, scope: string, position: string): string =>
  scope === everybody && spreadEntities.has(entity) ? shardScope(position) : scope;

/** The parts of an item's image that the counter needs: its counted lists, its facet and the second under which it is counted. */
export type Listed = { lists: readonly string[]; facet: string; second: string };

/**
 * The scope of a list that is not counted: for example one per customer, where there are as many lists as items, and counts would
 * outlive the items. Its total is known if its end was read.
 */
export const uncountedScope = (scope: string): string => `~${scope}`;
const listEntity = (list: string): string => list.split('#', 1)[0] ?? '';
/** Entities none of whose lists are counted: those who answer them say `totalResult: null` where a list goes on, or none at all. */
export const uncountedEntities: ReadonlySet<string> = new Set(['TRANSACTION', 'AUTHENTICATION', 'RATE']);
const isUncounted = (list: string): boolean => list.includes('#~') || uncountedEntities.has(listEntity(list));
/** Checks whether a list is of one alert: so short that it is counted on demand, and the counts are not stored. */
export const isShort = (list: string): boolean => /#A\d+$/.test(list);
/** Entities that many are written of and whose lists are seldom entered by number: all their lists are counted on demand. */
export const onDemandEntities: ReadonlySet<string> = new Set(['DELIVERY', 'OUTCOME', 'AUDIT']);
/** Entities of which there are few: all their lists are counted in the index, each time. Rows of users and of keys never reach the counter: they hold digests of secrets. */
export const fewEntities: ReadonlySet<string> = new Set(['USER', 'QUARANTINE', 'API_KEY']);
/** Checks whether a list is of the alerts that are assigned to one user. */
const isOfAssignee = (list: string): boolean => list.startsWith('ALERT#U');
/** Checks whether a list is counted each time, and nothing of that is stored. */
export const isCountedEachTime = (list: string): boolean =>
  isShort(list) || fewEntities.has(listEntity(list)) || isOfAssignee(list);
/** Checks whether a list is of a retailer's alerts, which few ask for; those of its merchant and its sites are counted as they change. */
const isOfRetailer = (list: string): boolean => /^ALERT#R\d+$/.test(list);
const isKept = (list: string): boolean =>
  isOfRetailer(list) || (onDemandEntities.has(listEntity(list)) && !isShort(list) && !isUncounted(list));
export const isOnDemand = (list: string): boolean => isCountedEachTime(list) || isKept(list);
export const isCountedList = (list: string): boolean => !isUncounted(list) && !isOnDemand(list);

/** Reads back what listKeys wrote; undefined for an item in no list. */
export const readListed = (item: Readonly<Record<string, unknown>>): Listed | undefined => {
  const { listSk, listLeaf } = item;
  if (typeof listSk !== 'string' || typeof listLeaf !== 'string') return undefined;
  const lists = [1, 2, 3, 4].flatMap((scopeIndex) => {
    const list = item[`list${scopeIndex}Pk`];
    return typeof list === 'string' && isCountedList(list) ? [list] : [];
  });
  return { lists, facet: listLeaf, second: listSk.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) };
};

/** The place of an item in a partition of an index for which counts are stored. `time`: ISO. */
export type ListPlace = { partition: string; time: string };

const listPlaces = (item: Readonly<Record<string, unknown>> | undefined): ListPlace[] => {
  const position = item?.['listSk'];
  if (item === undefined || typeof position !== 'string') return [];
  const time = position.slice(0, position.indexOf('#'));
  return [1, 2, 3, 4].flatMap((scopeIndex) => {
    const list = item[`list${scopeIndex}Pk`];
    if (typeof list !== 'string' || !isKept(list)) return [];
    return [list, String(item[`list${scopeIndex}fPk`])].map((partition) => ({ partition, time }));
  });
};

/** The places that an item entered or left with a write. */
export const placesChanged = (
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>> | undefined,
): ListPlace[] => {
  const places = [listPlaces(before), listPlaces(after)].flatMap((own) =>
    own.map((place) => [placeName(place), place] as const),
  );
  const often = Map.groupBy(places, ([name]) => name);
  return [...often.values()].flatMap(([only, other]) => (only && !other ? [only[1]] : []));
};

const placeName = ({ partition, time }: ListPlace): string => `${partition}\n${time}`;

/** The list of all items is counted separately from an item's other lists: many items share its rows, few share those of the others. */
export type CountedPart = { marker: string; listed: Listed | undefined };

/**
 * Returns the parts of an item that are counted separately, each with the name of its marker. An item that may have been in the list of all
 * items always has both parts, because it may have left that list.
 */
export const countedParts = (itemPk: string, before: Listed | undefined, after: Listed | undefined): CountedPart[] => {
  const entities = [before, after].flatMap((listed) => (listed?.lists ?? []).map((list) => list.split('#')[0] ?? ''));
  const isSpread = entities.length === 0 || entities.some((entity) => spreadEntities.has(entity));
  if (!isSpread) return [{ marker: itemPk, listed: after }];
  const part = (isWanted: (list: string) => boolean): Listed | undefined =>
    after && { ...after, lists: after.lists.filter(isWanted) };
  return [
    { marker: itemPk, listed: part((list) => !isShard(list)) },
    { marker: `${itemPk}#${everybody}`, listed: part(isShard) },
  ];
};

/** A change of one counter: `n` items more (or fewer) of `facet` in `list` at `second`. */
export type CountChange = { list: string; facet: string; second: string; n: number };

/** The changes of counts when an item moves from its counted place to its present one. */
export const countChanges = (before: Listed | undefined, after: Listed | undefined): CountChange[] => {
  const entries = (listed: Listed | undefined, n: number) =>
    (listed?.lists ?? []).map((list) => ({ list, facet: listed?.facet ?? '', second: listed?.second ?? '', n }));
  return sumChanges([...entries(before, -1), ...entries(after, 1)]);
};

/** Adds up changes of the same counter and leaves out sums of zero. */
export const sumChanges = (changes: readonly CountChange[]): CountChange[] => {
  const sums = new Map<string, CountChange>();
  for (const change of changes) {
    const name = `${change.list}\n${change.facet}\n${change.second}`;
    sums.set(name, { ...change, n: change.n + (sums.get(name)?.n ?? 0) });
  }
  return [...sums.values()].filter(({ n }) => n !== 0);
};

/**
 * The levels of counter rows: a row counts by parts the time that the level above counts as one; `start` is the part of a time that names a
 * row. Anything finer than an hour is counted when a list is entered in the middle.
 */
export const countLevels = [
  { name: 'ALL', start: '', part: 'YYYY-MM', before: '' },
  { name: 'DAY#', start: 'YYYY-MM-DD', part: 'HH', before: 'T' },
] as const;

/** For an item of a second: which rows count it, and as which of their parts. */
export const countBuckets = (second: string): { bucket: string; part: string }[] =>
  countLevels.map(({ name, start, part, before }) => {
    const from = start.length + before.length;
    return { bucket: `${name}${second.slice(0, start.length)}`, part: second.slice(from, from + part.length) };
  });

/** Rows of counters: attribute `part|first|second` holds how many. */
export const countAttribute = (part: string, facet: string): string => `${part}|${facet}`;

/** Rows of the same bucket of several lists, as one. */
export const sumOfRows = (rows: readonly (Readonly<Record<string, unknown>> | undefined)[]): Record<string, number> => {
  const sum: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row ?? {}))) {
    if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
};

/** Per part (a month, a day, …), how many items one row counts, of the given facets or of all. */
export const countsByPart = (
  row: Readonly<Record<string, unknown>> | undefined,
  facets?: readonly string[],
): ReadonlyMap<string, number> => {
  const wanted = facets && new Set(facets);
  const counts = new Map<string, number>();
  for (const [name, value] of Object.entries(row ?? {})) {
    const bar = name.indexOf('|');
    if (bar < 0 || typeof value !== 'number') continue;
    if (wanted && !wanted.has(name.slice(bar + 1))) continue;
    const part = name.slice(0, bar);
    counts.set(part, (counts.get(part) ?? 0) + value);
  }
  return counts;
};
