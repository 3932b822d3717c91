import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { zone } from '../app/preferences.ts';
import { translate, translateCount } from '../language/translate.ts';
import { amountText } from '../parts/money.ts';
import { shortText } from '../parts/times.ts';
import { type HourDue, hoursShown, type Risk } from './home-figures.ts';

type RiskProps = { risks: readonly Risk[]; now: number; isWhole: boolean };

/** `$120.00, 3 alerts`. */
const sumText = (amount: string, currency: string, count: number): string =>
  translateCount(count, '{amount}, {count} alert', '{amount}, {count} alerts', {
    amount: amountText(amount, currency),
  });

/** The money that open alerts are about: one currency in large with its deadlines, the others next to it. */
export const RiskOf = ({ risks, now, isWhole }: RiskProps) => {
  const [chosen, choose] = useState<string>();
  const risk = risks.find(({ currency }) => currency === chosen) ?? risks[0];
  return (
    <section class="fact wide" aria-labelledby="at-risk">
      <header>
        <h2 id="at-risk">{translate('Money at risk now')}</h2>
        <a href={link('/queue')}>{translate('Queue')}</a>
      </header>
      {risk ? (
        <div class="at-risk">
          <div>
            <p class="big-figure">{amountText(risk.amount, risk.currency)}</p>
            <p class="quiet small">
              {isWhole
                ? translateCount(risk.count, '{count} open alert in time', '{count} open alerts in time')
                : translateCount(
                    risk.count,
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
        </div>
      ) : (
        <p class="quiet">{translate('No open alert is in time to be answered.')}</p>
      )}
    </section>
  );
};

const height = 120;
const urgencyOf = (from: number): string => {
  if (from < 3) return 'urgent';
  return from < 6 ? 'soon' : 'calm';
};
const hourText = (now: number, from: number): string =>
  shortText(new Date(now + from * 3_600_000).toISOString(), zone.value, now);

const Deadlines = ({ risk: { hours, later, currency }, now }: { risk: Risk; now: number }) => {
  // Used only for the height of bars, never for an amount that is shown.
  const most = Math.max(...hours.map(({ amount }) => Number(amount)));
  const due = hours.filter(({ count }) => count > 0);
  const words = ({ amount, count }: Omit<HourDue, 'from'>) => sumText(amount, currency, count);
  return (
    <figure class="deadlines">
      <figcaption>{translate('Due by hour, the next {hours} hours', { hours: hoursShown })}</figcaption>
      <svg
        height={height}
        role="img"
        aria-label={translate('Amounts due by hour. The table below has the same figures.')}
      >
        <line x1="0" x2="100%" y1={height - 1} y2={height - 1} />
        {due.map(({ from, amount, count }) => {
          const size = Math.max(3, (Number(amount) / most) * (height - 8));
          return (
            <rect
              key={from}
              class={urgencyOf(from)}
              x={`${(from / hoursShown) * 100}%`}
              width={`${100 / hoursShown - 0.2}%`}
              y={height - 1 - size}
              height={size}
              rx="1"
            >
              <title>{`${hourText(now, from)}: ${words({ amount, count })}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="hours small quiet" aria-hidden="true">
        {[0, 24, 48, 72].map((from) => (
          <span key={from}>{from === 0 ? translate('Now') : `+${from} h`}</span>
        ))}
      </p>
      <details class="small">
        <summary>{translate('Figures as a table')}</summary>
        <table class="ledger">
          <thead>
            <tr>
              <th scope="col">{translate('Within the hour from')}</th>
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
