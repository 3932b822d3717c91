import type { Partitions } from '#core/platform/operation/grants.ts';
import registered from './registered-partitions.json' with { type: 'json' };

/** The partitions of the table that each function may touch, by `<area>/<name>`: `npm run fix` writes the file. */
const registeredPartitions: Readonly<Record<string, Partitions>> = registered;

/** The partitions that a function may touch; undefined if `npm run fix` has not registered it yet, or if it may not read the table. */
export const partitionsFor = ({ area, name }: { area: string; name: string }): Partitions | undefined =>
  registeredPartitions[`${area}/${name}`];

/** The beginning of the partition keys with a first word; a word may end with its own separator. */
export const leadingText = (word: string): string => (word.endsWith('@') ? word : `${word}#`);

/** The first word of the partitions of the index `due`. */
export const dueWord = 'DUE';
