import type { ComponentChildren } from 'preact';
import { link } from '../app/address.ts';
import { minute, serviceNow } from '../app/clock.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { connectionsOf } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { agoText, dateText, monthText } from '../parts/dates.ts';
import { type Loaded, useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { SiteText } from '../parts/site-name.tsx';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { monthsToCompare, placeOnGauge, projectMonth } from './home-figures.ts';
import type { Rate } from './one-currency.ts';
import { processorTitle } from './processor-fields.ts';
import { limitsOf, type ProgrammeRow } from './programme-limits.ts';
import { programmeReport, standings } from './programmes.tsx';
import { type AlertsRead, newestOnly, sumRules } from './read-alerts.ts';
import { FailedLink, type FailingRead } from './read-failing.tsx';
import { readSaved, SavedShown } from './saved.tsx';

type BlockProps = { id: string; title: string; href: string; more: string; children: ComponentChildren };

const Block = ({ id, title, href, more, children }: BlockProps) => (
  <section class="fact" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      <a href={href}>{more}</a>
    </header>
    {children}
  </section>
);

/** A block that loads its own data, and keeps what it shows if a later load fails. */
const Loading = ({ error, reload }: Pick<Loaded<unknown>, 'error' | 'reload'>) =>
  error ? <Trouble error={error} onRetry={reload} /> : <p class="quiet">{translate('Loading …')}</p>;

/** The merchant's figures in the programmes of Visa and Mastercard this month. */
export const ProgrammesNow = () => {
  const month = dayText(serviceNow()).slice(0, '2026-05'.length);
  const body = { ...ofMerchant(), month };
  const loaded = useLoad(`programmes ${JSON.stringify(body)}`, (signal) => programmeReport({ body, signal }));
  const known = loaded.data?.list.filter(({ ratio_bps }) => ratio_bps !== null) ?? [];
  return (
    <Block
      id="programmes"
      title={translate('Card scheme programmes, {month}', { month: monthText(month) })}
      href={link('/reports')}
      more={translate('Acquirer’s figures')}
    >
      {known.map((row) => (
        <Programme key={row.programme} row={row} />
      ))}
      {loaded.data ? (
        known.length === 0 && (
          <p class="quiet">
            {translate('Your acquirer’s figures for the month are missing. Enter them under Reports.')}
          </p>
        )
      ) : (
        <Loading {...loaded} />
      )}
    </Block>
  );
};

const Programme = ({ row }: { row: ProgrammeRow }) => {
  const { title, status } = row;
  // Where the month ends at the pace up to the day on which its figures were supplied.
  const end = projectMonth(row, dayText(serviceNow()));
  const { label, tone } = standings[status];
  return (
    <div class="programme">
      <p>
        <b>{title}</b> <Badge state={status} label={label} tone={tone} />
      </p>
      <div class="pairs">
        {limitsOf(row).map(({ value, limit, words, isCount }) =>
          value === null ? (
            <p key={words} class="small quiet">
              {words}
            </p>
          ) : (
            <Gauge key={words} {...{ value, limit, words }} end={isCount && end} />
          ),
        )}
      </div>
      {end !== undefined && row.count_threshold !== null && (
        <p class="small quiet">
          {translate('{count} as supplied on {date}. At this rate, {end} by the end of the month.', {
            count: countText(row.numerator),
            date: dateText(row.supplied_at ?? ''),
            end: countText(end),
          })}
        </p>
      )}
    </div>
  );
};

type GaugeProps = { value: number; limit: number; words: string; end: number | undefined };

/** A bar with its limit marked, lighter up to the expected end; only what is above the limit is red. */
const Gauge = ({ value, limit, words, end = value }: GaugeProps) => {
  const most = Math.max(value, end);
  const at = placeOnGauge(value, limit, most);
  const expected = placeOnGauge(end, limit, most);
  return (
    <figure class="gauge">
      <svg height="18" role="img" aria-label={words}>
        <rect class="track" width="100%" height="8" y="5" rx="4" />
        <rect class="expected" width={`${expected.value + expected.over}%`} height="8" y="5" rx="4" />
        <rect class="value" width={`${at.value}%`} height="8" y="5" rx="4" />
        {at.over > 0 && <rect class="over" x={`${at.limit}%`} width={`${at.over}%`} height="8" y="5" />}
        <line x1={`${at.limit}%`} x2={`${at.limit}%`} y1="0" y2="18" />
      </svg>
      <figcaption class="small quiet" aria-hidden="true">
        {words}
      </figcaption>
    </figure>
  );
};

type MonthProps = { currency: string | undefined; rates: readonly Rate[] };

/** The amount saved after fees this month, in one currency, against as many days of the month before. */
export const MonthSoFar = ({ currency, rates }: MonthProps) => {
  const { present, before } = monthsToCompare(serviceNow());
  const loaded = useLoad(`months ${JSON.stringify([ofMerchant(), present])}`, (signal) =>
    Promise.all([readSaved(present, signal), readSaved(before, signal)]),
  );
  const [now, then] = loaded.data ?? [];
  return (
    <Block id="month" title={translate('Saved this month')} href={link('/reports')} more={translate('Report')}>
      {now && then ? <SavedShown {...{ now, then, currency, rates }} /> : <Loading {...loaded} />}
    </Block>
  );
};

const ruleAnswers = translate('None.');

/** The answers and refunds of each rule this month. */
export const RulesLately = ({ month }: { month: AlertsRead | undefined }) => {
  const work = month && sumRules(month.rows);
  return (
    <Block id="rules-month" title={translate('Rules this month')} href={link('/rules')} more={translate('Rules')}>
      {work ? (
        <dl class="sums">
          {work.map(({ id, name, answered, refunded }) => [
            <dt key={id}>
              <a href={link(`/rules/${id}`)}>{name}</a>
              {refunded.length > 0 && (
                <span class="beneath">{translate('{amount} refunded', { amount: sumsText(refunded) })}</span>
              )}
            </dt>,
            <dd key={`${id} alerts`}>{countText(answered)}</dd>,
          ])}
        </dl>
      ) : (
        <p class="quiet">{translate('Loading …')}</p>
      )}
      {work?.length === 0 && <p class="quiet">{ruleAnswers}</p>}
      <p class="small quiet">{month?.isWhole === false && newestOnly()}</p>
    </Block>
  );
};

type ConnectionsProps = {
  failing: FailingRead;
  month: AlertsRead | undefined;
};

/** The state of the merchant's endpoints, networks and processors. */
export const ConnectionsNow = ({ failing: { sites, isWhole }, month }: ConnectionsProps) => {
  const { mid } = ofMerchant();
  const own = presentMid() ?? mid;
  const { data } = useLoad(own === undefined ? null : `connections ${own}`, (signal) =>
    connectionsOf({ params: { mid: own ?? 0 }, body: {}, signal }),
  );
  const seen = Map.groupBy(month?.rows ?? [], ({ provider }) => provider);
  return (
    <Block id="endpoints" title={translate('Connections')} href={link('/deliveries')} more={translate('Deliveries')}>
      <h3>{translate('Endpoints')}</h3>
      {sites.length === 0 && isWhole && <p class="quiet">{translate('None fails.')}</p>}
      <ul class="states">
        {sites.map(({ sid, count }) => (
          <Status key={sid} isWell={false} name={<SiteText sid={sid} />}>
            <FailedLink {...{ sid, count }} />
          </Status>
        ))}
      </ul>
      {!isWhole && (
        <p class="small quiet">
          {translate('Only the newest {count} notifications were looked at.', { count: countText(200) })}
        </p>
      )}
      <h3>{translate('Networks and processors')}</h3>
      {month && seen.size === 0 && <p class="quiet">{translate('None.')}</p>}
      <ul class="states">
        {[...seen].map(([provider, [newest]]) => (
          <Status key={provider} isWell name={stateWords(provider)}>
            {newest && translate('seen {time} ago', { time: agoText(minute.value - Date.parse(newest.alert_date)) })}
          </Status>
        ))}
        {(data?.connections ?? []).map(({ id, label, kind, active }) => (
          <Status key={id} isWell={active} name={`${label}, ${processorTitle(kind)}`}>
            {active ? translate('connected') : translate('Off')}
          </Status>
        ))}
      </ul>
    </Block>
  );
};

type StatusProps = { isWell: boolean; name: ComponentChildren; children: ComponentChildren };

/** One connection: a mark with a word next to it. */
const Status = ({ isWell, name, children }: StatusProps) => (
  <li class={isWell ? undefined : 'warn'}>
    <span>{name}</span>
    <span class="quiet small">{children}</span>
  </li>
);
