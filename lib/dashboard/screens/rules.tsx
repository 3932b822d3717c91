import { useState } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Select } from '../parts/field.tsx';
import { useLoad } from '../parts/load.ts';
import { type Column, DataTable } from '../parts/table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { withoutTests } from './home-figures.ts';
import { type AlertsRead, newestOnly, readMonth, sumRules } from './read-alerts.ts';
import { actionWords } from './rule-conflict.tsx';
import { conditionWords, type RuleAbout } from './rule-facts.ts';
import { createRule, disableRule, listRules, orderRules, type RuleRow, updateRule } from './rule-operations.ts';
import { RdrText } from './rule-refund.tsx';
import { templatesAbout, wordsAbout } from './rule-templates.ts';
import { shadowRules, tryRules, type Work, workColumns } from './rule-work.tsx';

type Owner = { sid?: number; mid?: number; about?: Exclude<RuleAbout, 'alerts'> };

/** What the shown rules decide. */
export const presentAbout = (): RuleAbout => {
  const about = address.value.query.get('about');
  return about === 'chargebacks' || about === 'warnings' || about === 'rdr' ? about : 'alerts';
};

const aboutField = (about: RuleAbout): Pick<Owner, 'about'> => (about === 'alerts' ? {} : { about });

/** So many sites are read for one screen, each by itself. */
const maxSites = 40;

/** `text`: of rules for RDR, for the acquirer. */
type Group = { owner: Owner; name: string; rules: readonly RuleRow[]; text: string | undefined };
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
  const owners: readonly Omit<Group, 'rules' | 'text'>[] = [
    ...wanted.slice(0, maxSites).map(({ sid, name }) => ({ owner: { sid, ...kind }, name })),
    ...(site === '' && mid !== undefined
      ? [{ owner: { mid, ...kind }, name: translate('All sites of the merchant') }]
      : []),
  ];
  const groups = await Promise.all(
    owners.map(async (one): Promise<Group> => {
      const { list: rules, text } = await listRules({ body: one.owner, signal });
      return { ...one, rules, text };
    }),
  );
  return { sites, groups, left: Math.max(0, wanted.length - maxSites) };
};

/** Rules that answer alerts by themselves, in the order in which they are asked. */
export const Rules = () => {
  const site = address.value.query.get('sid') ?? '';
  const mid = presentMid();
  const about = presentAbout();
  const chosen = { site, mid, about };
  const { data, error, reload } = useLoad(JSON.stringify(chosen), (signal) => readGroups(chosen, signal));
  const { data: month } = useLoad(about === 'alerts' ? `rules ${mid ?? ''}` : null, readMonth);
  const tried = about === 'alerts' ? shadowRules(data?.groups ?? []) : [];
  const { data: trials } = useLoad(tried.length > 0 ? `trials ${JSON.stringify(tried)}` : null, () => tryRules(tried));
  return (
    <Screen
      title={translate('Rules')}
      lede={month && mid !== undefined ? <MonthOfRules {...month} /> : wordsAbout[about].lede}
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
        <Groups {...data} {...chosen} work={month && { done: sumRules(month.rows), trials }} reload={reload} />
      ) : error ? (
        <Trouble error={error} onRetry={reload} />
      ) : (
        <Waiting />
      )}
    </Screen>
  );
};

/** The share of this month's answers that rules gave. */
const MonthOfRules = ({ rows, isWhole }: AlertsRead) => {
  const done = withoutTests(rows).filter(({ status }) => status === 'RESOLVED' || status === 'DECLINED');
  const count = sumRules(rows).reduce((sum, { answered }) => sum + answered, 0);
  return (
    <>
      {translateCount(
        count,
        'Rules answered {count} alert this month, of {all} that were answered.',
        'Rules answered {count} alerts this month, of {all} that were answered.',
        { all: countText(done.length) },
      )}{' '}
      {!isWhole && newestOnly()}
    </>
  );
};

type GroupsProps = Awaited<ReturnType<typeof readGroups>> & Chosen & { work: Work | undefined; reload: () => void };

const Groups = ({ groups, left, site, mid, about, work, reload }: GroupsProps) => {
  const filled = site === '' ? groups.filter(({ rules }) => rules.length > 0) : groups;
  const only = filled.length === 1 && site !== '';
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
  if (filled.every(({ rules }) => rules.length === 0))
    return (
      <div class="empty">
        <Templates owner={groups.at(-1)?.owner ?? aboutField(about)} />
      </div>
    );
  return (
    <div class="stack">
      {filled.map((group) => (
        <section key={group.name}>
          {!only && <h2>{group.name}</h2>}
          <RuleTable {...{ group, work, reload }} caption={only ? translate('Rules') : group.name} />
          {group.text !== undefined && <RdrText text={group.text} />}
        </section>
      ))}
      {left > 0 && <p class="small quiet">{translate('The rules of further sites are shown when you choose one.')}</p>}
    </div>
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

type RuleTableProps = {
  group: Group;
  caption: string;
  work: Work | undefined;
  reload: () => void;
};

const RuleTable = ({ group: { owner, rules }, caption, work, reload }: RuleTableProps) => {
  const move = async (index: number, by: 1 | -1) => {
    const ids = rules.map(({ rule_id }) => rule_id);
    const [moved] = ids.splice(index, 1);
    if (moved === undefined) return;
    ids.splice(index + by, 0, moved);
    await attempt(async () => {
      await orderRules({ body: { ...owner, rule_ids: ids } });
      const name = rules[index]?.name ?? '';
      say(by === 1 ? translate('{name} now comes later.', { name }) : translate('{name} now comes earlier.', { name }));
    });
    reload();
  };
  return (
    <DataTable<RuleRow>
      caption={caption}
      rows={rules}
      keyOf={({ rule_id }) => String(rule_id)}
      hrefOf={({ rule_id }) => link(`/rules/${rule_id}`)}
      columns={[
        { label: translate('Rule'), isMain: true, cell: ({ name }) => name },
        { label: translate('Applies when'), isPlain: true, cell: ({ conditions }) => conditionWords(conditions) },
        {
          label: translate('Then'),
          isPlain: true,
          isShort: true,
          cell: ({ action }) => <Badge state={action.type} tone="act" />,
        },
        { label: translate('Status'), isPlain: true, isShort: true, cell: (rule) => <Standing {...rule} /> },
        ...(work ? workColumns(work) : []),
        ...(orderRules.isAllowed() ? changeColumns(rules, move, reload) : []),
      ]}
    />
  );
};

const changeColumns = (
  rules: readonly RuleRow[],
  move: MovesProps['onMove'],
  reload: () => void,
): Column<RuleRow>[] => [
  {
    label: translate('Order|sequence'),
    isPlain: true,
    cell: (rule) => <Moves rules={rules} rule={rule} onMove={move} />,
  },
  { label: translate('Action'), isPlain: true, cell: (rule) => <Switch rule={rule} onDone={reload} /> },
];

const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'bad');
  }
};

export const Standing = ({ enabled, mode }: Pick<RuleRow, 'enabled' | 'mode'>) => {
  if (!enabled) return <Badge state="OFF" label={translate('Off')} />;
  return mode === 'live' ? (
    <Badge state="OK" label={translate('Live')} />
  ) : (
    <Badge state="SHADOW" tone="warn" label={translate('Shadow')} />
  );
};

type MovesProps = { rules: readonly RuleRow[]; rule: RuleRow; onMove: (index: number, by: 1 | -1) => Promise<void> };

const Moves = ({ rules, rule, onMove }: MovesProps) => {
  const index = rules.indexOf(rule);
  return (
    <span class="buttons tight">
      <Button
        aria-label={translate('Up: ask {name} earlier', { name: rule.name })}
        disabled={index === 0}
        onPress={() => onMove(index, -1)}
      >
        {translate('Up')}
      </Button>
      <Button
        aria-label={translate('Down: ask {name} later', { name: rule.name })}
        disabled={index === rules.length - 1}
        onPress={() => onMove(index, 1)}
      >
        {translate('Down')}
      </Button>
    </span>
  );
};

/** Returns the consequence of switching a rule, where others notice it. */
const sayEffect = ({ enabled, mode, action, about }: RuleRow): string | undefined => {
  if (mode === 'shadow')
    return enabled
      ? translate('It will no longer record what it would have done. It can be enabled again.')
      : undefined;
  if (about === 'chargebacks')
    return enabled
      ? translate('It will decide no more chargebacks. What it has done stays. It can be enabled again.')
      : translate('From now on it decides chargebacks by itself: {action}.', { action: actionWords(action) });
  if (about === 'rdr') return undefined;
  if (about === 'warnings')
    return enabled
      ? translate('It will act on no more warnings. What it has done stays. It can be enabled again.')
      : translate('From now on it acts on warnings by itself: {action}.', { action: actionWords(action) });
  return enabled
    ? translate(
        'It will answer no more alerts: they go to the next rule that applies, or wait for people. What it has answered stays. It can be enabled again.',
      )
    : translate('From now on it answers alerts by itself: {action}.', { action: actionWords(action) });
};

const Switch = ({ rule, onDone }: { rule: RuleRow; onDone: () => void }) => {
  const [isAsked, setAsked] = useState(false);
  const consequence = sayEffect(rule);
  const { name } = rule;
  const word = rule.enabled ? translate('Disable') : translate('Enable');
  const change = async () => {
    const params = { id: rule.rule_id };
    if (rule.enabled) await disableRule({ params, body: {} });
    else await updateRule({ params, body: { enabled: true, version: rule.version } });
    if (rule.enabled) say(translate('{name} is off now.', { name }));
    else
      say(
        rule.mode === 'live'
          ? translate('{name} is live now.', { name })
          : translate('{name} is shadow now.', { name }),
      );
    setAsked(false);
    onDone();
  };
  const press = () => {
    if (consequence === undefined) return attempt(change);
    setAsked(true);
    return undefined;
  };
  return (
    <>
      <Button
        aria-label={rule.enabled ? translate('Disable {name}', { name }) : translate('Enable {name}', { name })}
        onPress={press}
      >
        {word}
      </Button>
      {isAsked && (
        <Confirm
          title={rule.enabled ? translate('Disable {name}?', { name }) : translate('Enable {name}?', { name })}
          yes={rule.enabled ? translate('Disable it') : translate('Enable it')}
          onYes={change}
          onClose={() => setAsked(false)}
        >
          <p>{consequence}</p>
        </Confirm>
      )}
    </>
  );
};
