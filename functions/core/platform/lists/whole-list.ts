import { decodeCursor, encodeCursor } from './cursor.ts';

/** Lists so short that they are read whole for each page. */

/** One of its items. `position`: as `listPosition` gives it; `facet`: as `facetOf` does. */
export type WholeListEntry<Summary> = { position: string; facet: string; summary: Summary };

/** Which part of a list. Times are ISO; `from` inclusive, `to` exclusive. */
export type PageWanted = {
  /** Only items with one of these facets; absent: all. */
  facets?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  order: 'ASC' | 'DESC';
  size: number;
  offset?: number | undefined;
  cursor?: string | undefined;
};

/** A page of such a list, as `readPage` returns it. */
export const wholeListPage = <Summary>(entries: readonly WholeListEntry<Summary>[], wanted: PageWanted) => {
  const { facets, from = '0000', to = '9999', order, size, offset = 0, cursor } = wanted;
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const isBefore = (left: string, right: string): boolean => (order === 'ASC' ? left < right : left > right);
  const matching = entries
    .filter(({ position, facet }) => position >= from && position < to && (facets?.includes(facet) ?? true))
    .sort((left, right) => (isBefore(left.position, right.position) ? -1 : 1));
  const rest =
    after === undefined ? matching.slice(offset) : matching.filter(({ position }) => isBefore(after, position));
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  return {
    list: shown.map(({ summary }) => summary),
    totalResult: matching.length,
    next_cursor: last && rest.length > size ? encodeCursor(last.position) : null,
  };
};
