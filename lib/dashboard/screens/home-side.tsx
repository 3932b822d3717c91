import type { ComponentChildren } from 'preact';
import { link } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { Badge } from '../parts/badge.tsx';
import { type Loaded, useLoad } from '../parts/load.ts';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText, countWords } from '../parts/words.ts';
import { type EndpointHealth, monthsToCompare, placeOnGauge } from './home-figures.ts';
import { type ProgrammeRow, percent, programmeReport, standings } from './programmes.tsx';
import { alertCosts, alertReport, amounts } from './report-parts.tsx';

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
  error ? <Trouble error={error} onRetry={reload} /> : <p class="quiet">Loading …</p>;

/** The merchant's figures in the programmes of Visa and Mastercard this month. */
export const ProgrammesNow = () => {
  const month = dayText(serviceNow()).slice(0, '2026-05'.length);
  const body = { ...ofMerchant(), month };
  const loaded = useLoad(`programmes ${JSON.stringify(body)}`, (signal) => programmeReport({ body, signal }));
  return (
    <Block id="programmes" title={`Card scheme programmes, ${month}`} href={link('/reports')} more="Acquirer’s figures">
      {loaded.data ? (
        loaded.data.list.map((row) => <Programme key={row.programme} row={row} />)
      ) : (
        <Loading {...loaded} />
      )}
    </Block>
  );
};

const Programme = ({ row }: { row: ProgrammeRow }) => {
  const { title, programme, status, ratio_bps: ratio, threshold_bps: limit, numerator, count_threshold: most } = row;
  const { label, tone } = standings[status];
  return (
    <div class="programme">
      <p>
        <b title={title}>{programme}</b> <Badge state={status} label={label} tone={tone} />
      </p>
      {ratio === null ? (
        <p class="small quiet">Your acquirer’s figures for the month are missing. Enter them under Reports.</p>
      ) : (
        <>
          <Gauge value={ratio} limit={limit} words={`${percent(ratio)} of payments, limit ${percent(limit)}`} />
          <Gauge
            value={numerator}
            limit={most}
            words={`${countWords(numerator, 'dispute')}, limit ${countText(most)}`}
          />
        </>
      )}
    </div>
  );
};

/** A bar with its limit marked; only what is above the limit is red. */
const Gauge = ({ value, limit, words }: { value: number; limit: number; words: string }) => {
  const at = placeOnGauge(value, limit);
  return (
    <figure class="gauge">
      <svg height="18" role="img" aria-label={words}>
        <rect class="track" width="100%" height="8" y="5" rx="4" />
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

/** The prevented amounts of this month, next to the costs of alerts and to the same days of the month before. */
export const MonthSoFar = () => {
  const { present, before } = monthsToCompare(serviceNow());
  const loaded = useLoad(`months ${JSON.stringify([ofMerchant(), present])}`, async (signal) => {
    const [now, then, costs] = await Promise.all([
      alertReport({ body: { ...ofMerchant(), ...present }, signal }),
      alertReport({ body: { ...ofMerchant(), ...before }, signal }),
      alertCosts({ body: { ...ofMerchant(), ...present }, signal }),
    ]);
    return { now: now.totals, before: then.totals, costs: costs.totals };
  });
  const { data } = loaded;
  return (
    <Block id="month" title="Saved this month" href={link('/reports')} more="Report">
      {data ? (
        <dl class="sums">
          <dt>Chargebacks avoided by refunds in time</dt>
          <dd class="good">{amounts(data.now.prevented)}</dd>
          <dt>The same days of last month</dt>
          <dd>{amounts(data.before.prevented)}</dd>
          <dt>Fees for alerts this month</dt>
          <dd>{data.costs.spent.length === 0 ? 'No prices are set' : amounts(data.costs.spent)}</dd>
          <dt>Lost: expired, or charged back before</dt>
          <dd>{amounts(data.now.lost)}</dd>
        </dl>
      ) : (
        <Loading {...loaded} />
      )}
    </Block>
  );
};

/** The answers of rules to the alerts of yesterday and today. */
export const RulesLately = () => {
  const now = serviceNow();
  const body = { ...ofMerchant(), from: dayText(now - 86_400_000), to: dayText(now) };
  const loaded = useLoad(`rules ${JSON.stringify(body)}`, (signal) => alertReport({ body, signal }));
  const rule = loaded.data?.totals.answered_by.rule;
  return (
    <Block id="rules-lately" title="What rules did" href={link('/rules')} more="Rules">
      {rule ? (
        <>
          <dl class="sums">
            <dt>Resolved</dt>
            <dd>{countWords(rule.resolved, 'alert')}</dd>
            <dt>Declined</dt>
            <dd>{countWords(rule.declined, 'alert')}</dd>
            <dt>Refunded</dt>
            <dd>{amounts(rule.refunded)}</dd>
          </dl>
          <p class="small quiet">Of alerts that came in since yesterday, 00:00 UTC.</p>
        </>
      ) : (
        <Loading {...loaded} />
      )}
    </Block>
  );
};

/** The state of the merchant's endpoints since yesterday. */
export const EndpointsOf = ({ endpoints, isWhole }: { endpoints: readonly EndpointHealth[]; isWhole: boolean }) => (
  <Block id="endpoints" title="Endpoints since yesterday" href={link('/deliveries')} more="Deliveries">
    {endpoints.length === 0 && <p class="quiet">Nothing was sent since yesterday.</p>}
    <dl class="sums">
      {endpoints.map(({ host, delivered, failed }) => [
        <dt key={host}>{host}</dt>,
        <dd key={`${host} state`}>
          {failed > 0 ? (
            <Badge state="failing" tone="bad" label={`${countText(failed)} failing`} />
          ) : (
            <Badge state="delivered" tone="good" label={`${countText(delivered)} delivered`} />
          )}
        </dd>,
      ])}
    </dl>
    {!isWhole && <p class="small quiet">Of the newest 200 notifications.</p>}
  </Block>
);
