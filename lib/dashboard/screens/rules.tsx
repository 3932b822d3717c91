import { useState } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { listSites } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Select } from '../parts/field.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { DataTable } from '../parts/table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { actionWords } from './rule-conflict.tsx';
import { conditionWords } from './rule-facts.ts';
import { createRule, disableRule, listRules, orderRules, type RuleRow, updateRule } from './rule-operations.ts';
import { ruleTemplates } from './rule-templates.ts';

type Owner = { sid?: number; mid?: number };

/** Returns the owner of the shown rules: a site, whose rules come first, or the merchant for all its sites. */
const ownerOf = (text: string): Owner | undefined => {
  if (text !== '') return { sid: Number(text) };
  const mid = presentMid();
  return mid === undefined ? undefined : { mid };
};

/** Rules that answer alerts by themselves, in the order in which they are asked. */
export const Rules = () => {
  const site = address.value.query.get('sid') ?? '';
  const owner = ownerOf(site);
  return (
    <Screen
      title="Rules"
      lede="Rules answer alerts automatically. A site’s own rules come first; the first rule that applies decides."
      actions={
        owner &&
        createRule.isAllowed() && (
          <a class="button main" href={link('/rules/new', { sid: site })}>
            New rule
          </a>
        )
      }
    >
      <ChooseOwner site={site} />
      {owner ? (
        <RuleList owner={owner} />
      ) : (
        <div class="empty">
          <p>Rules belong to a site or to a merchant. Choose a site here, or a merchant at the top of the page.</p>
        </div>
      )}
    </Screen>
  );
};

const ChooseOwner = ({ site }: { site: string }) => {
  const mid = presentMid();
  const { data } = useLoad(`alert sites ${mid ?? ''}`, (signal) =>
    listSites({ body: { type: ['alert'], size: 100, ...(mid !== undefined && { mid }) }, signal }),
  );
  const sites = (data?.list ?? []).map(({ sid, name }) => ({ value: String(sid), label: `${name} (${sid})` }));
  return (
    <div class="narrow-field">
      <Select
        label="Rules of"
        choices={[{ value: '', label: mid === undefined ? 'Choose a site' : 'All sites of the merchant' }, ...sites]}
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
      There are no rules here yet. Start with a template: test it on the alerts of the last 30 days before you save it.
      In shadow mode, a rule answers no alerts.
    </p>
    <ul class="plain-list">
      {ruleTemplates.map(({ id, name, why }) => (
        <li key={id}>
          <a href={link('/rules/new', { sid: owner.sid === undefined ? undefined : String(owner.sid), template: id })}>
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
      say(`${rules[index]?.name} now comes ${by === 1 ? 'later' : 'earlier'}.`);
    });
    reload();
  };
  return (
    <DataTable<RuleRow>
      caption="Rules"
      rows={rules}
      keyOf={({ rule_id }) => String(rule_id)}
      hrefOf={({ rule_id }) => link(`/rules/${rule_id}`)}
      empty={<Templates owner={owner} />}
      columns={[
        { label: 'Rule', isMain: true, cell: ({ name }) => name },
        { label: 'Applies when', cell: ({ conditions }) => conditionWords(conditions) },
        { label: 'Then', isShort: true, cell: ({ action }) => <Badge state={action.type} tone="act" /> },
        { label: 'Status', isShort: true, cell: (rule) => <Standing {...rule} /> },
        ...(orderRules.isAllowed()
          ? [
              {
                label: 'Order',
                cell: (rule: RuleRow) => <Moves rules={rules} rule={rule} onMove={move} />,
              },
              { label: 'Action', cell: (rule: RuleRow) => <Switch rule={rule} onDone={reload} /> },
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
  if (!enabled) return <Badge state="OFF" label="Off" />;
  return mode === 'live' ? <Badge state="OK" label="Live" /> : <Badge state="SHADOW" tone="warn" label="Shadow" />;
};

type MovesProps = { rules: readonly RuleRow[]; rule: RuleRow; onMove: (index: number, by: 1 | -1) => Promise<void> };

const Moves = ({ rules, rule, onMove }: MovesProps) => {
  const index = rules.indexOf(rule);
  return (
    <span class="buttons tight">
      <Button aria-label={`Up: ask ${rule.name} earlier`} disabled={index === 0} onPress={() => onMove(index, -1)}>
        Up
      </Button>
      <Button
        aria-label={`Down: ask ${rule.name} later`}
        disabled={index === rules.length - 1}
        onPress={() => onMove(index, 1)}
      >
        Down
      </Button>
    </span>
  );
};

/** Returns the consequence of switching a rule, where others notice it. */
const consequenceOf = ({ enabled, mode, action }: RuleRow): string | undefined => {
  if (mode === 'shadow')
    return enabled ? 'It will no longer record what it would have done. It can be enabled again.' : undefined;
  return enabled
    ? 'It will answer no more alerts: they go to the next rule that applies, or wait for people. What it has answered stays. It can be enabled again.'
    : `From now on it answers alerts by itself: ${actionWords(action)}.`;
};

const Switch = ({ rule, onDone }: { rule: RuleRow; onDone: () => void }) => {
  const [isAsked, setAsked] = useState(false);
  const consequence = consequenceOf(rule);
  const word = rule.enabled ? 'Disable' : 'Enable';
  const change = async () => {
    const params = { id: rule.rule_id };
    if (rule.enabled) await disableRule({ params, body: {} });
    else await updateRule({ params, body: { enabled: true, version: rule.version } });
    say(`${rule.name} is ${rule.enabled ? 'off' : stateWords(rule.mode).toLowerCase()} now.`);
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
      <Button aria-label={`${word} ${rule.name}`} onPress={press}>
        {word}
      </Button>
      {isAsked && (
        <Confirm title={`${word} ${rule.name}?`} yes={`${word} it`} onYes={change} onClose={() => setAsked(false)}>
          <p>{consequence}</p>
        </Confirm>
      )}
    </>
  );
};
