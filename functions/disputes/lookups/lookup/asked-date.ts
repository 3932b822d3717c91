import * as v from 'valibot';
import { FromTime } from '#core/kernel/schema/schema.ts';

/** The day, or the time, of a transaction as the bank recorded it; ISO in UTC. Networks' messages often have only the day. */
export const AskedDate = v.pipe(
  v.string('must be YYYY-MM-DD or an ISO 8601 date and time with zone'),
  v.trim(),
  FromTime,
);
