import type { ComponentChildren } from 'preact';
import { link } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { type Loaded, useLoad } from '../parts/load.ts';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
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
  error ? <Trouble error={error} onRetry={reload} /> : <p class="quiet">{translate('Loading …')}</p>;

/** The merchant's figures in the programmes of Visa and Mastercard this month. */
export const ProgrammesNow = () => {
  const month = dayText(serviceNow()).slice(0, '2026-05'.length);
  const body = { ...ofMerchant(), month };
  const loaded = useLoad(`programmes ${JSON.stringify(body)}`, (signal) => programmeReport({ body, signal }));
  return (
    <Block
      id="programmes"
      title={translate('Card scheme programmes, {month}', { month })}
      href={link('/reports')}
      more={translate('Acquirer’s figures')}
    >
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
        <p class="small quiet">
          {translate('Your acquirer’s figures for the month are missing. Enter them under Reports.')}
        </p>
      ) : (
        <>
          <Gauge
            value={ratio}
            limit={limit}
            words={translate('{ratio} of payments, limit {limit}', {
              ratio: percent(ratio),
              limit: percent(limit),
            })}
          />
          <Gauge
            value={numerator}
            limit={most}
            words={translateCount(numerator, '{count} dispute, limit {limit}', '{count} disputes, limit {limit}', {
              limit: countText(most),
            })}
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
    <Block id="month" title={translate('Saved this month')} href={link('/reports')} more={translate('Report')}>
      {data ? (
        <dl class="sums">
          <dt>{translate('Chargebacks avoided by refunds in time')}</dt>
          <dd class="good">{amounts(data.now.prevented)}</dd>
          <dt>{translate('The same days of last month')}</dt>
          <dd>{amounts(data.before.prevented)}</dd>
          <dt>{translate('Fees for alerts this month')}</dt>
          <dd>{data.costs.spent.length === 0 ? translate('No prices are set') : amounts(data.costs.spent)}</dd>
          <dt>{translate('Lost: expired, or charged back before')}</dt>
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
    <Block id="rules-lately" title={translate('What rules did')} href={link('/rules')} more={translate('Rules')}>
      {rule ? (
        <>
          <dl class="sums">
            <dt>{translate('Resolved')}</dt>
            <dd>{translateCount(rule.resolved, '{count} alert', '{count} alerts')}</dd>
            <dt>{translate('Declined')}</dt>
            <dd>{translateCount(rule.declined, '{count} alert', '{count} alerts')}</dd>
            <dt>{translate('Refunded')}</dt>
            <dd>{amounts(rule.refunded)}</dd>
          </dl>
          <p class="small quiet">{translate('Of alerts that came in since yesterday, 00:00 UTC.')}</p>
        </>
      ) : (
        <Loading {...loaded} />
      )}
    </Block>
  );
};

/** The state of the merchant's endpoints since yesterday. */
export const EndpointsOf = ({ endpoints, isWhole }: { endpoints: readonly EndpointHealth[]; isWhole: boolean }) => (
  <Block
    id="endpoints"
    title={translate('Endpoints since yesterday')}
    href={link('/deliveries')}
    more={translate('Deliveries')}
  >
    {endpoints.length === 0 && <p class="quiet">{translate('Nothing was sent since yesterday.')}</p>}
    <dl class="sums">
      {endpoints.map(({ host, delivered, failed }) => [
        <dt key={host}>{host}</dt>,
        <dd key={`${host} state`}>
          {failed > 0 ? (
            <Badge state="failing" tone="bad" label={translate('{count} failing', { count: countText(failed) })} />
          ) : (
            <Badge
              state="delivered"
              tone="good"
              label={translate('{count} delivered', { count: countText(delivered) })}
            />
          )}
        </dd>,
      ])}
    </dl>
    {!isWhole && <p class="small quiet">{translate('Of the newest 200 notifications.')}</p>}
  </Block>
);
