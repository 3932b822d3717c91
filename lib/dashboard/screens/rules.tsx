import { useState } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { listSites } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Select } from '../parts/field.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { DataTable } from '../parts/table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { actionWords } from './rule-conflict.tsx';
import { conditionWords, type RuleAbout } from './rule-facts.ts';
import { createRule, disableRule, listRules, orderRules, type RuleRow, updateRule } from './rule-operations.ts';
import { chargebackTemplates, ruleTemplates } from './rule-templates.ts';

type Owner = { sid?: number; mid?: number; about?: 'chargebacks' };

/** What the shown rules decide. */
export const presentAbout = (): RuleAbout =>
  address.value.query.get('about') === 'chargebacks' ? 'chargebacks' : 'alerts';

/** Returns the owner of the shown rules: a site, whose rules come first, or the merchant for all its sites. */
const ownerOf = (text: string): Owner | undefined => {
  const about = presentAbout() === 'chargebacks' ? { about: 'chargebacks' as const } : {};
  if (text !== '') return { sid: Number(text), ...about };
  const mid = presentMid();
  return mid === undefined ? undefined : { mid, ...about };
};

/** Rules that answer alerts by themselves, in the order in which they are asked. */
export const Rules = () => {
  const site = address.value.query.get('sid') ?? '';
  const owner = ownerOf(site);
  const about = presentAbout();
  return (
    <Screen
      title={translate('Rules')}
      lede={
        about === 'chargebacks'
          ? translate(
              'Rules submit evidence, accept chargebacks or assign them. A site’s own rules come first; the first rule that applies decides.',
            )
          : translate(
              'Rules answer alerts automatically. A site’s own rules come first; the first rule that applies decides.',
            )
      }
      actions={
        owner &&
        createRule.isAllowed() && (
          <a class="button main" href={link('/rules/new', { sid: site, about })}>
            {translate('New rule')}
          </a>
        )
      }
    >
      <ChooseOwner key={about} site={site} about={about} />
      {owner ? (
        <RuleList owner={owner} />
      ) : (
        <div class="empty">
          <p>
            {translate(
              'Rules belong to a site or to a merchant. Choose a site here, or a merchant at the top of the page.',
            )}
          </p>
        </div>
      )}
    </Screen>
  );
};

const ChooseOwner = ({ site, about }: { site: string; about: RuleAbout }) => {
  const mid = presentMid();
  const type = about === 'chargebacks' ? 'payment' : 'alert';
  const { data } = useLoad(`${type} sites ${mid ?? ''}`, (signal) =>
    listSites({ body: { type: [type], size: 100, ...(mid !== undefined && { mid }) }, signal }),
  );
  const sites = (data?.list ?? []).map(({ sid, name }) => ({ value: String(sid), label: `${name} (${sid})` }));
  return (
    <div class="narrow-field">
      <Select
        label={translate('Rules about')}
        choices={[
          { value: 'alerts', label: translate('Alerts') },
          { value: 'chargebacks', label: translate('Chargebacks') },
        ]}
        value={about}
        onChange={(event) => setQuery({ about: event.currentTarget.value, sid: undefined })}
      />
      <Select
        label={translate('Rules of')}
        choices={[
          { value: '', label: mid === undefined ? translate('Choose a site') : translate('All sites of the merchant') },
          ...sites,
        ]}
        value={site}
        key={String(data !== undefined)}
        onChange={(event) => setQuery({ sid: event.currentTarget.value || undefined })}
      />
    </div>
  );
};

/** Rules to begin with, shown while there are none. */
const Templates = ({ owner }: { owner: Owner }) => (
  <div class="stack">
    <p>
      {owner.about === 'chargebacks'
        ? translate(
            'There are no rules here yet. Start with a template: test it on the chargebacks of the last year before you save it. In shadow mode, a rule does nothing.',
          )
        : translate(
            'There are no rules here yet. Start with a template: test it on the alerts of the last 30 days before you save it. In shadow mode, a rule answers no alerts.',
          )}
    </p>
    <ul class="plain-list">
      {(owner.about === 'chargebacks' ? chargebackTemplates : ruleTemplates).map(({ id, name, why }) => (
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

const RuleList = ({ owner }: { owner: Owner }) => {
  const { data, error, reload } = useLoad(JSON.stringify(owner), (signal) => listRules({ body: owner, signal }));
  if (!data) return error ? <Trouble error={error} onRetry={reload} /> : <Waiting />;
  const rules = data.list;
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
      caption={translate('Rules')}
      rows={rules}
      keyOf={({ rule_id }) => String(rule_id)}
      hrefOf={({ rule_id }) => link(`/rules/${rule_id}`)}
      empty={<Templates owner={owner} />}
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
        ...(orderRules.isAllowed()
          ? [
              {
                label: translate('Order|sequence'),
                isPlain: true,
                cell: (rule: RuleRow) => <Moves rules={rules} rule={rule} onMove={move} />,
              },
              {
                label: translate('Action'),
                isPlain: true,
                cell: (rule: RuleRow) => <Switch rule={rule} onDone={reload} />,
              },
            ]
          : []),
      ]}
    />
  );
};

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
const consequenceOf = ({ enabled, mode, action, about }: RuleRow): string | undefined => {
  if (mode === 'shadow')
    return enabled
      ? translate('It will no longer record what it would have done. It can be enabled again.')
      : undefined;
  if (about === 'chargebacks')
    return enabled
      ? translate('It will decide no more chargebacks. What it has done stays. It can be enabled again.')
      : translate('From now on it decides chargebacks by itself: {action}.', { action: actionWords(action) });
  return enabled
    ? translate(
        'It will answer no more alerts: they go to the next rule that applies, or wait for people. What it has answered stays. It can be enabled again.',
      )
    : translate('From now on it answers alerts by itself: {action}.', { action: actionWords(action) });
};

const Switch = ({ rule, onDone }: { rule: RuleRow; onDone: () => void }) => {
  const [isAsked, setAsked] = useState(false);
  const consequence = consequenceOf(rule);
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
