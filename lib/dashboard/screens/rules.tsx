import { address, link, setQuery } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Select } from '../parts/field.tsx';
import { useLoad } from '../parts/load.ts';
import type { Column } from '../parts/table.tsx';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { type AlertsRead, newestOnly, readMonth, sumRules } from './read-alerts.ts';
import { alertReport, RulesAgainstPeople, type Totals } from './report-parts.tsx';
import type { RuleAbout } from './rule-facts.ts';
import { createRule, listRules, type RuleRow } from './rule-operations.ts';
import { RdrText } from './rule-refund.tsx';
import { monthWords, trialWords } from './rule-results.ts';
import { Aside, type Owner, type RuleGroup, RuleTable } from './rule-table.tsx';
import { templatesAbout, wordsAbout } from './rule-templates.ts';
import { shadowRules, type Trials, tryRules, workColumns } from './rule-work.tsx';

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
        <>
          <Groups {...data} {...chosen} {...{ month, trials, reload }} />
          {isOfAlerts && totals && <RulesAgainstPeople totals={totals} />}
        </>
      ) : error ? (
        <Trouble error={error} onRetry={reload} />
      ) : (
        <Waiting />
      )}
    </Screen>
  );
};

type GroupsProps = Awaited<ReturnType<typeof readGroups>> &
  Chosen & { month: AlertsRead | undefined; trials: Trials | undefined; reload: () => void };

/** The parts in which rules are shown: those that answer, in their order, those on trial, and those that are off. */
const isLive = ({ enabled, mode }: RuleRow) => enabled && mode === 'live';
const isTrial = ({ enabled, mode }: RuleRow) => enabled && mode === 'shadow';
const isOff = ({ enabled }: RuleRow) => !enabled;

const Groups = ({ groups, left, site, mid, about, month, trials, reload }: GroupsProps) => {
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
  const work = about === 'alerts' ? workColumns(sumRules(month?.rows ?? [])) : [];
  const live = groups.filter(({ rules, text }) => rules.some(isLive) || text !== undefined);
  const others = { groups, reload, isNamed: !only };
  return (
    <div class="stack">
      {live.map((group) => (
        <section key={group.name}>
          {!only && <h2>{group.name}</h2>}
          <RuleTable
            {...{ group, work, reload, wanted: isLive }}
            caption={only ? translate('Rules') : group.name}
            empty={translate('No rule answers here yet.')}
          />
          {group.text !== undefined && <RdrText text={group.text} />}
        </section>
      ))}
      {live.length === 0 && <p class="quiet">{translate('No rule answers here yet.')}</p>}
      {month?.isWhole === false && about === 'alerts' && <p class="small quiet">{newestOnly()}</p>}
      <Aside {...others} title={translate('On trial')} wanted={isTrial} work={trialColumn(trials, about)}>
        {translate('A trial answers nothing. These are what it would have done.')}
      </Aside>
      <Aside {...others} title={translate('Switched off')} wanted={isOff} work={[]} />
      {left > 0 && <p class="small quiet">{translate('The rules of further sites are shown when you choose one.')}</p>}
    </div>
  );
};

const trialColumn = (trials: Trials | undefined, about: RuleAbout): Column<RuleRow>[] =>
  about === 'alerts'
    ? [
        {
          label: translate('It would have'),
          isPlain: true,
          cell: ({ rule_id }) => {
            const run = trials?.get(rule_id);
            return <i class="quiet">{run ? trialWords(run) : translate('Open it to try it on past alerts.')}</i>;
          },
        },
      ]
    : [];

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
