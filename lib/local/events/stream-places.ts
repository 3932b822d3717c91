import type { Tables } from '../aws/tables.ts';
import type { State } from '../state.ts';
import type { Stream } from './stream-reader.ts';

/** A table's stream, and how far each function that it feeds has read in it. */
export type StreamPlaces = {
  stream: Stream;
  /** The last record that the function of a mapping is done with. */
  readPlace(mappingId: string): string | undefined;
  save(mappingId: string, sequenceNumber: string): void;
};

type Parts = { tables: Tables; state: State };

/** The number of records that all readers must have read before they are deleted: one deletion for many. */
const portion = 1000;

/** Opens the stream once for all mappings. */
export const openStreamPlaces = async (
  tableName: string,
  mappingIds: readonly string[],
  { tables, state }: Parts,
): Promise<StreamPlaces> => {
  const stream = await tables.openStream(tableName);
  // A recreated table has a new stream, whose places mean nothing in the old one.
  const keyOf = (mappingId: string) => `checkpoint:${mappingId}:${stream.arn}`;
  const readPlace = (mappingId: string) => state.get(keyOf(mappingId));
  let forgotten = 0;
  const forget = (): void => {
    const places = mappingIds.map(readPlace);
    // A reader that has not begun begins with the first record that is there.
    if (places.includes(undefined)) return;
    const least = Math.min(...places.map(Number));
    if (least - forgotten < portion) return;
    forgotten = least;
    tables.forgetStream(tableName, least);
  };
  return {
    stream,
    readPlace,
    save: (mappingId, sequenceNumber) => {
      state.set(keyOf(mappingId), sequenceNumber);
      forget();
    },
  };
};
