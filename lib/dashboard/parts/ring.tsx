import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { translate } from '../language/translate.ts';
import { exactText, ringText, timeLeft } from './times.ts';

const around = 2 * Math.PI * 17;

type RingProps = { from: string; until: string; isBig?: boolean };

/** The share of the time to answer that is left, with the time written inside. Late: a dashed ring and how long ago it was due. */
export const Ring = ({ from, until, isBig = false }: RingProps) => {
  const now = minute.value;
  const left = Date.parse(until) - now;
  const share = Math.max(0, Math.min(1, left / Math.max(1, Date.parse(until) - Date.parse(from))));
  const { text, urgency } = timeLeft(until, now);
  return (
    <time
      class={`ring ${urgency}${isBig ? ' big' : ''}`}
      dateTime={until}
      title={translate('Answer by {time}', { time: exactText(until, zone.value) })}
    >
      <svg viewBox="0 0 38 38" aria-hidden="true" focusable="false">
        <circle cx="19" cy="19" r="17" />
        {left > 0 && <circle cx="19" cy="19" r="17" stroke-dasharray={`${share * around} ${around}`} />}
      </svg>
      <span aria-hidden="true">{ringText(left)}</span>
      <span class="unseen">{text}</span>
    </time>
  );
};
