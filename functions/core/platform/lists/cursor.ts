import { Refusal } from '../operation/errors.ts';

/** A page's end as opaque text for the caller. It holds a position in time and no personal data. */
export const encodeCursor = (position: string): string => Buffer.from(position, 'utf8').toString('base64url');

/** The time is followed by one of our identifiers, or a username. */
const position = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w.@+-]{1,100}$/;

/** The message for a cursor that Forewarn did not issue. */
export const cursorWords = 'cursor: use the next_cursor of the page before, unchanged.';

/** Reads a cursor back; refuses (400) any that we did not write. */
export const decodeCursor = (cursor: string): string => {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!position.test(text)) throw new Refusal('request_invalid', cursorWords);
  return text;
};
