import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { zone } from '../app/preferences.ts';
import { presentLocale, translate, translateCount } from '../language/translate.ts';
import { amountText, sumsText } from '../parts/money.ts';
import { shortText } from '../parts/times.ts';
import { type HourDue, hoursPerBar, hoursShown, type Risk } from './home-figures.ts';
import { type Rate, sumInOne } from './one-currency.ts';
import { RatesUsed } from './rates-used.tsx';

type RiskProps = { risks: readonly Risk[]; now: number; isWhole: boolean; rates: readonly Rate[] };

/** `$120.00, 3 alerts`. */
const sumText = (amount: string, currency: string, count: number): string =>
  translateCount(count, '{amount}, {count} alert', '{amount}, {count} alerts', {
    amount: amountText(amount, currency),
  });

/** The money that open alerts are about: one sum in large, its currencies below it, and the deadlines of one of them. */
export const RiskChart = ({ risks, now, isWhole, rates }: RiskProps) => {
  const [chosen, choose] = useState<string>();
  const risk = risks.find(({ currency }) => currency === chosen) ?? risks[0];
  const all = sumInOne(risks, risks[0]?.currency ?? '', rates);
  const count = risks
    .filter(({ currency }) => all.left.every((one) => one.currency !== currency))
    .reduce((sum, one) => sum + one.count, 0);
  return (
    <section class="fact wide" aria-labelledby="at-risk">
      <header>
        <h2 id="at-risk">{translate('Money at risk now')}</h2>
        <a href={link('/queue')}>{translate('Queue')}</a>
      </header>
      {risk ? (
        <div class="at-risk">
          <div>
            <p class="big-figure">{amountText(all.total.amount, all.total.currency)}</p>
            <p class="quiet small">
              {isWhole
                ? translateCount(count, '{count} open alert in time', '{count} open alerts in time')
                : translateCount(
                    count,
                    '{count} open alert in time, of the 1,000 that came in first',
                    '{count} open alerts in time, of the 1,000 that came in first',
                  )}
            </p>
            {risks.length > 1 && (
              <fieldset class="currencies">
                <legend class="unseen">{translate('Currency of the chart')}</legend>
                {risks.map(({ currency, amount, count }) => (
                  <label key={currency}>
                    <input
                      type="radio"
                      name="currency"
                      checked={currency === risk.currency}
                      onChange={() => choose(currency)}
                    />
                    <span>{sumText(amount, currency, count)}</span>
                  </label>
                ))}
              </fieldset>
            )}
          </div>
          <Deadlines risk={risk} now={now} />
          <div class="wide">
            <RatesUsed {...all} />
          </div>
        </div>
      ) : (
        <p class="quiet">{translate('No open alert is in time to be answered.')}</p>
      )}
    </section>
  );
};

const [height, top, bottom] = [150, 18, 122];
const pickUrgency = (from: number): 'urgent' | 'soon' | 'calm' => {
  if (from < 3) return 'urgent';
  return from < 6 ? 'soon' : 'calm';
};
const hourText = (now: number, from: number): string =>
  shortText(new Date(now + from * 3_600_000).toISOString(), zone.value, now);

const urgencyWords = {
  urgent: translate('under 3 h'),
  soon: translate('under 6 h'),
  calm: translate('later'),
} as const;

/** The midnights of the next three days, as hours from now, with the names of the days. */
const midnights = (now: number): { from: number; day: string }[] => {
  const day = new Date(now);
  const inZone = zone.value === 'utc' ? { timeZone: 'UTC' } : {};
  if (zone.value === 'utc') day.setUTCHours(24, 0, 0, 0);
  else day.setHours(24, 0, 0, 0);
  const name = new Intl.DateTimeFormat(presentLocale(), { weekday: 'short', ...inZone });
  return [0, 24, 48].map((hours) => {
    const at = day.getTime() + hours * 3_600_000;
    return { from: (at - now) / 3_600_000, day: name.format(at) };
  });
};

const Deadlines = ({ risk: { hours, later, currency }, now }: { risk: Risk; now: number }) => {
  // Used only for the height of bars, never for an amount that is shown.
  const most = Math.max(...hours.map(({ amount }) => Number(amount)), 1);
  const due = hours.filter(({ count }) => count > 0);
  const words = ({ amount, count }: Omit<HourDue, 'from'>) => sumText(amount, currency, count);
  const percentAt = (from: number): string => `${(from / hoursShown) * 100}%`;
  const highest = due.find(({ amount }) => Number(amount) === most);
  const byUrgency = Map.groupBy(due, ({ from }) => pickUrgency(from));
  return (
    <figure class="deadlines">
      <figcaption>
        <span>{translate('Due in the next {hours} hours', { hours: hoursShown })}</span>
        <ul class="keys" aria-hidden="true">
          {[...byUrgency].map(([urgency, some]) => (
            <li key={urgency} class={urgency}>
              {urgencyWords[urgency]}, {sumsText(some.map(({ amount }) => ({ amount, currency })))}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg height={height} role="img" aria-label={translate('Amounts due by three hours, as in the table below.')}>
        <line class="grid" x1="0" x2="100%" y1={top} y2={top} />
        <line x1="0" x2="100%" y1={bottom} y2={bottom} />
        {highest && (
          <text x="100%" y={top - 5} text-anchor="end">
            {amountText(highest.amount, currency)}
          </text>
        )}
        {due.map(({ from, amount, count }) => {
          const size = Math.max(3, (Number(amount) / most) * (bottom - top));
          return (
            <rect
              key={from}
              class={pickUrgency(from)}
              x={percentAt(from)}
              width={`${(hoursPerBar / hoursShown) * 100 - 0.5}%`}
              y={bottom - size}
              height={size}
              rx="2"
            >
              <title>{`${hourText(now, from)}: ${words({ amount, count })}`}</title>
            </rect>
          );
        })}
        <text x="0" y={height - 8}>
          {translate('Now')}
        </text>
        {midnights(now)
          .filter(({ from }) => from > 6)
          .map(({ from, day }) => (
            <g key={from}>
              <line x1={percentAt(from)} x2={percentAt(from)} y1={bottom} y2={bottom + 6} />
              <text x={percentAt(from)} y={height - 8}>
                {day}
              </text>
            </g>
          ))}
      </svg>
      <details class="small">
        <summary>{translate('Figures as a table')}</summary>
        <table class="ledger">
          <thead>
            <tr>
              <th scope="col">{translate('Within three hours from')}</th>
              <th scope="col">{translate('Due')}</th>
            </tr>
          </thead>
          <tbody>
            {due.map((one) => (
              <tr key={one.from}>
                <th scope="row">{hourText(now, one.from)}</th>
                <td>{words(one)}</td>
              </tr>
            ))}
            {later && (
              <tr>
                <th scope="row">{translate('Later')}</th>
                <td>{words(later)}</td>
              </tr>
            )}
          </tbody>
        </table>
      </details>
    </figure>
  );
};
