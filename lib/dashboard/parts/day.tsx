import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { rowDayText } from './dates.ts';
import { exactText } from './times.ts';

/** The day of a moment; its exact time, with zone, on hover. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactText(at, zone.value)}>
    {rowDayText(at, minute.value, zone.value)}
  </time>
);
