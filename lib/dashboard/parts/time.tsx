import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { translate } from '../language/translate.ts';
import { clockText, exactText, shortText, timeLeft } from './times.ts';

/** A moment; its exact time, with zone, on hover and focus. */
export const Time = ({ at, exact = false }: { at: string | null | undefined; exact?: boolean }) => {
  if (!at || Number.isNaN(Date.parse(at))) return <span class="quiet">–</span>;
  const full = exactText(at, zone.value);
  return (
    <time dateTime={at} title={full}>
      {exact ? full : shortText(at, zone.value, minute.value)}
    </time>
  );
};

/** The time left for an answer: in words and colour, never by colour alone. Minutes once less than an hour is left. */
export const TimeLeft = ({ until, isOver = false }: { until: string | null; isOver?: boolean }) => {
  if (until === null) return <span class="quiet">–</span>;
  const { text, tone } = timeLeft(until, minute.value);
  return (
    <time
      class={`left ${isOver ? 'quiet' : tone}`}
      dateTime={until}
      title={translate('Due {time}', { time: exactText(until, zone.value) })}
    >
      {text}
    </time>
  );
};

/** The time of day of a row under a heading with its day. */
export const ClockTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactText(at, zone.value)} class="quiet">
    {clockText(at, zone.value)}
  </time>
);
