import { serviceNow } from '../app/clock.ts';
import { translate } from '../language/translate.ts';
import { dateText } from '../parts/dates.ts';
import { dayText } from '../parts/times.ts';
import { everyDate } from './chart-scale.ts';

type Dot = { alert_id: number; alert_date: string; isOther?: boolean };
type DotsProps = { from: string; rows: readonly Dot[]; words: string };

const [step, base] = [13, 8];

/** Each alert as a dot above its day, from a day (`2026-05-02`) until today; hollow ones are different. `words` says the same. */
export const Dots = ({ from, rows, words }: DotsProps) => {
  const dates = everyDate(from, dayText(serviceNow()), 'day');
  const byDay = [...Map.groupBy(rows, ({ alert_date: at }) => dates.indexOf(at.slice(0, from.length)))];
  const height = base + step * Math.max(...byDay.map(([, own]) => own.length));
  return (
    <figure class="dots">
      <svg height={height} role="img" aria-label={words}>
        {byDay.flatMap(([day, own]) =>
          own.map(({ alert_id, isOther }, at) => (
            <circle
              key={alert_id}
              class={isOther ? 'other' : ''}
              cx={`${2 + (96 * Math.max(0, day)) / Math.max(1, dates.length - 1)}%`}
              cy={height - base - step * at}
              r="4"
            />
          )),
        )}
      </svg>
      <p class="ends small quiet" aria-hidden="true">
        <span>{dateText(from)}</span>
        <span>{translate('Today')}</span>
      </p>
    </figure>
  );
};
