import { address, link, setQuery } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Select } from '../parts/field.tsx';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { dayText, durationText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { type Rate, sumInOne } from './one-currency.ts';
import { RatesUsed, useRates } from './rates-used.tsx';
import { type AlertsRead, newestOnly, readMonth, sumRules } from './read-alerts.ts';
import { alertReport, inOneText, share, type Totals } from './report-parts.tsx';
import type { RuleAbout } from './rule-facts.ts';
import { createRule, listRules, type RuleRow } from './rule-operations.ts';
import { RdrText } from './rule-refund.tsx';
import { monthWords, trialWords } from './rule-results.ts';
import { AnswerersTable, Aside, type Owner, type RuleGroup, RuleTable, type Work } from './rule-table.tsx';
import { templatesAbout, wordsAbout } from './rule-templates.ts';
import { shadowRules, type Trials, tryRules } from './rule-work.tsx';

/** The subject of the shown rules. */
export const presentAbout = (): RuleAbout => {
  const about = address.value.query.get('about');
  return about === 'chargebacks' || about === 'warnings' || about === 'rdr' ? about : 'alerts';
};

const aboutField = (about: RuleAbout): Pick<Owner, 'about'> => (about === 'alerts' ? {} : { about });

/** So many sites are read for one screen, each by itself. */
const maxSites = 40;

type Chosen = { site: string; mid: number | undefined; about: RuleAbout };

/** The rules in the order in which they are asked: those of each site, then the merchant's for all its sites; or those of one site. */
const readGroups = async ({ site, mid, about }: Chosen, signal: AbortSignal) => {
  const type = about === 'chargebacks' || about === 'rdr' ? 'payment' : 'alert';
  const { list: sites } = await listSites({
    body: { type: [type], size: 100, ...(mid !== undefined && { mid }) },
    signal,
  });
  const kind = aboutField(about);
  const wanted = sites.filter(({ sid }) => (site === '' ? mid !== undefined : String(sid) === site));
  const owners: readonly Omit<RuleGroup, 'rules' | 'text'>[] = [
    ...wanted.slice(0, maxSites).map(({ sid, name }) => ({ owner: { sid, ...kind }, name })),
    ...(site === '' && mid !== undefined
      ? [{ owner: { mid, ...kind }, name: translate('All sites of the merchant') }]
      : []),
  ];
  const groups = await Promise.all(
    owners.map(async (one): Promise<RuleGroup> => {
      const { list: rules, text } = await listRules({ body: one.owner, signal });
      return { ...one, rules, text };
    }),
  );
  return { sites, groups, left: Math.max(0, wanted.length - maxSites) };
};

/** Reads what became of this month's alerts, by who answered them. */
const readTotals = async ({ site }: Pick<Chosen, 'site'>, signal: AbortSignal): Promise<Totals> => {
  const to = dayText(serviceNow());
  const owner = site === '' ? ofMerchant() : { sid: Number(site) };
  const body = { ...owner, from: `${to.slice(0, '2026-05'.length)}-01`, to, group: 'month' as const };
  return (await alertReport({ body, signal })).totals;
};

/** Rules that answer alerts by themselves, in the order in which they are asked. */
export const Rules = () => {
  const site = address.value.query.get('sid') ?? '';
  const mid = presentMid();
  const about = presentAbout();
  const chosen = { site, mid, about };
  const isOfAlerts = about === 'alerts' && (site !== '' || mid !== undefined);
  const { data, error, reload } = useLoad(JSON.stringify(chosen), (signal) => readGroups(chosen, signal));
  const { data: month } = useLoad(isOfAlerts ? `rules ${mid ?? ''}` : null, readMonth);
  const { data: totals } = useLoad(isOfAlerts ? `totals ${JSON.stringify(chosen)}` : null, (signal) =>
    readTotals(chosen, signal),
  );
  const tried = about === 'alerts' ? shadowRules(data?.groups ?? []) : [];
  const { data: trials } = useLoad(tried.length > 0 ? `trials ${JSON.stringify(tried)}` : null, () => tryRules(tried));
  return (
    <Screen
      title={translate('Rules')}
      heading={isOfAlerts && totals ? monthWords(totals) : undefined}
      lede={wordsAbout[about].lede}
      actions={
        (site !== '' || mid !== undefined) &&
        createRule.isAllowed() && (
          <a class="button main" href={link('/rules/new', { sid: site, about })}>
            {translate('New rule')}
          </a>
        )
      }
    >
      <ChooseOwner key={about} {...chosen} sites={data?.sites} />
      {data ? (
        <Groups {...data} {...chosen} {...{ month, totals, trials, reload }} />
      ) : error ? (
        <Trouble error={error} onRetry={reload} />
      ) : (
        <Waiting />
      )}
    </Screen>
  );
};

type GroupsProps = Awaited<ReturnType<typeof readGroups>> &
  Chosen & {
    month: AlertsRead | undefined;
    totals: Totals | undefined;
    trials: Trials | undefined;
    reload: () => void;
  };

/** The parts in which rules are shown: those that answer, in their order, those on trial, and those that are off. */
const isLive = ({ enabled, mode }: RuleRow) => enabled && mode === 'live';
const isTrial = ({ enabled, mode }: RuleRow) => enabled && mode === 'shadow';
const isOff = ({ enabled }: RuleRow) => !enabled;

const Groups = ({ groups, left, site, mid, about, month, totals, trials, reload }: GroupsProps) => {
  if (groups.length === 0 && mid === undefined)
    return (
      <div class="empty">
        <p>
          {translate(
            'Rules belong to a site or to a merchant. Choose a site here, or a merchant at the top of the page.',
          )}
        </p>
      </div>
    );
  if (groups.every(({ rules }) => rules.length === 0))
    return (
      <div class="empty">
        <Templates owner={groups.at(-1)?.owner ?? aboutField(about)} />
      </div>
    );
  const only = groups.length === 1 && site !== '';
  const work = about === 'alerts' && month ? doneBy(month) : () => nothing;
  const live = groups.filter(({ rules, text }) => rules.some(isLive) || text !== undefined);
  const others = { groups, reload, isNamed: !only };
  return (
    <div class="stack ruled">
      {live.map((group) => (
        <section key={group.name}>
          {!only && <h2>{group.name}</h2>}
          <RuleTable
            {...{ group, work, reload, wanted: isLive }}
            isAsked
            caption={only ? translate('Rules') : group.name}
            empty={translate('No rule answers here yet.')}
          />
          {group.text !== undefined && <RdrText text={group.text} />}
        </section>
      ))}
      {live.length === 0 && <p class="quiet">{translate('No rule answers here yet.')}</p>}
      {month?.isWhole === false && about === 'alerts' && <p class="small quiet">{newestOnly()}</p>}
      <Aside {...others} title={translate('On trial')} wanted={isTrial} {...trialWork(trials, about)}>
        {translate('A trial answers nothing. These are what it would have done.')}
      </Aside>
      <Aside {...others} title={translate('Switched off')} wanted={isOff} work={() => nothing} />
      {about === 'alerts' && totals && <Answerers totals={totals} />}
      {left > 0 && <p class="small quiet">{translate('The rules of further sites are shown when you choose one.')}</p>}
    </div>
  );
};

const nothing: Work = { alerts: '–', refunded: '–' };

/** The answers and refunds of each rule this month. */
const doneBy = (month: AlertsRead) => {
  const done = sumRules(month.rows);
  return ({ rule_id }: RuleRow): Work => {
    const own = done.find(({ id }) => id === rule_id);
    return { alerts: countText(own?.answered ?? 0), refunded: own?.refunded.length ? sumsText(own.refunded) : '–' };
  };
};

/** The results that a trial would have had: slanted, and part of no sum. */
const trialWork = (trials: Trials | undefined, about: RuleAbout) => ({
  work: ({ rule_id }: RuleRow): Work => {
    const run = trials?.get(rule_id);
    if (about !== 'alerts' || !run) return nothing;
    return {
      alerts: <i class="quiet">{countText(run.matched)}</i>,
      refunded: run.refunded.length > 0 ? <i class="quiet">{sumsText(run.refunded)}</i> : '–',
    };
  },
  ...(about === 'alerts' && {
    also: ({ rule_id }: RuleRow) => {
      const run = trials?.get(rule_id);
      return <i>{run ? trialWords(run) : translate('Open it to try it on past alerts.')}</i>;
    },
  }),
});

/** The answers of rules next to those of people this month, their refunds in one currency where they have a rate. */
const Answerers = ({ totals: { answered_by: by } }: { totals: Totals }) => {
  const rates: readonly Rate[] = useRates();
  const all = [...by.rule.refunded, ...by.person.refunded];
  const currency = all[0]?.currency ?? 'USD';
  if (by.rule.answered + by.person.answered === 0) return null;
  const rows = [
    { who: translate('Answered by rules'), ...by.rule },
    { who: translate('Answered by people'), ...by.person },
  ].map(({ who, answered, median_minutes: median, ...row }) => ({
    who,
    alerts: countText(answered),
    refunded: inOneText(row.refunded, { currency, rates }),
    words: [
      translate('{resolved} resolved, {declined} declined, {inTime} in time.', {
        resolved: share(row.resolved, answered),
        declined: share(row.declined, answered),
        inTime: share(row.in_time, answered),
      }),
      median !== null && translate('Half within {duration}.', { duration: durationText(median * 60_000) }),
    ]
      .filter(Boolean)
      .join(' '),
  }));
  return (
    <section>
      <h2>{translate('This month')}</h2>
      <AnswerersTable rows={rows} />
      <RatesUsed {...sumInOne(all, currency, rates)} left={[]} />
    </section>
  );
};

const ChooseOwner = ({ site, mid, about, sites = [] }: Chosen & { sites: readonly SiteRow[] | undefined }) => (
  <div class="fields">
    <Select
      label={translate('Rules about')}
      choices={[
        { value: 'alerts', label: translate('Alerts') },
        { value: 'warnings', label: translate('Early fraud warnings') },
        { value: 'chargebacks', label: translate('Chargebacks') },
        { value: 'rdr', label: translate('Visa RDR') },
      ]}
      value={about}
      onChange={(event) => setQuery({ about: event.currentTarget.value, sid: undefined })}
    />
    <Select
      label={translate('Rules of')}
      choices={[
        { value: '', label: mid === undefined ? translate('Choose a site') : translate('All sites') },
        ...sites.map(({ sid, name }) => ({ value: String(sid), label: name })),
      ]}
      value={site}
      key={String(sites.length)}
      onChange={(event) => setQuery({ sid: event.currentTarget.value || undefined })}
    />
  </div>
);

/** Rules to begin with, shown while there are none. */
const Templates = ({ owner }: { owner: Owner }) => (
  <div class="stack">
    <p>{wordsAbout[owner.about ?? 'alerts'].empty}</p>
    <ul class="plain-list">
      {templatesAbout(owner.about).map(({ id, name, why }) => (
        <li key={id}>
          <a
            href={link('/rules/new', {
              sid: owner.sid === undefined ? undefined : String(owner.sid),
              about: owner.about,
              template: id,
            })}
          >
            {name}
          </a>
          <span class="beneath">{why}</span>
        </li>
      ))}
    </ul>
  </div>
);
