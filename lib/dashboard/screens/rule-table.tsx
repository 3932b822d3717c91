import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { say } from '../app/messages.tsx';
import { listText, translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { countText } from '../parts/words.ts';
import { actionWords } from './rule-actions.ts';
import type { RuleAbout } from './rule-facts.ts';
import { disableRule, orderRules, type RuleRow, updateRule } from './rule-operations.ts';
import { ruleSentence } from './rule-sentence.ts';

/** The tables of rules: what they do, their order, and the switch of each. */

export type Owner = { sid?: number; mid?: number; about?: Exclude<RuleAbout, 'alerts'> };

/** `text`: of rules for RDR, for the acquirer. */
export type RuleGroup = { owner: Owner; name: string; rules: readonly RuleRow[]; text: string | undefined };

type Wanted = (rule: RuleRow) => boolean;
type AsideProps = Pick<RuleTableProps, 'work' | 'wanted' | 'also' | 'reload'> & {
  groups: readonly RuleGroup[];
  title: string;
  isNamed: boolean;
  children?: ComponentChildren;
};

/** The rules that answer nothing, apart from those that do. */
export const Aside = ({ groups, title, isNamed, children, ...table }: AsideProps) => {
  const { wanted } = table;
  const some = groups.filter(({ rules }) => rules.some(wanted));
  if (some.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {children && <p class="small quiet">{children}</p>}
      {some.map((group) => (
        <RuleTable
          key={group.name}
          {...{ group, ...table }}
          caption={listText([title, group.name])}
          place={isNamed ? group.name : undefined}
        />
      ))}
    </section>
  );
};

/** The results of a rule, in the same columns wherever it stands. */
export type Work = { alerts: ComponentChildren; refunded: ComponentChildren };

type RuleTableProps = {
  group: RuleGroup;
  caption: string;
  /** Those of the group that it shows. */
  wanted: Wanted;
  work: (rule: RuleRow) => Work;
  /** Said below its sentence. */
  also?: (rule: RuleRow) => ComponentChildren;
  /** True if they are asked: they then have numbers in the order of asking. */
  isAsked?: boolean;
  /** The site, where no heading says it. */
  place?: string | undefined;
  empty?: string;
  reload: () => void;
};

export const RuleTable = ({
  group: { owner, rules: all },
  wanted,
  caption,
  work,
  also,
  isAsked = false,
  place,
  empty,
  reload,
}: RuleTableProps) => {
  const rules = all.filter(wanted);
  /** Past the next rule that is shown; rules of other parts may stand between them. */
  const move = async (index: number, by: 1 | -1) => {
    const moved = rules[index];
    const neighbour = rules[index + by];
    if (!moved || !neighbour) return;
    const ids = all.map(({ rule_id }) => rule_id).filter((id) => id !== moved.rule_id);
    ids.splice(ids.indexOf(neighbour.rule_id) + (by === 1 ? 1 : 0), 0, moved.rule_id);
    await attempt(async () => {
      await orderRules({ body: { ...owner, rule_ids: ids } });
      const { name } = moved;
      say(by === 1 ? translate('{name} now comes later.', { name }) : translate('{name} now comes earlier.', { name }));
    });
    reload();
  };
  return (
    <DataTable<RuleRow>
      caption={caption}
      rows={rules}
      {...(empty && { empty })}
      keyOf={({ rule_id }) => String(rule_id)}
      hrefOf={({ rule_id }) => link(`/rules/${rule_id}`)}
      columns={[
        {
          label: translate('No.'),
          cell: (rule) => (isAsked ? countText(rules.indexOf(rule) + 1) : '–'),
        },
        { label: translate('Rule'), isMain: true, cell: ({ name }) => name },
        {
          label: translate('When, and what then'),
          isPlain: true,
          cell: (rule) => (
            <>
              {ruleSentence({ ...rule, action: actionWords(rule.action, rule.about) })}
              {also && <span class="beneath">{also(rule)}</span>}
              {place && <span class="beneath">{place}</span>}
            </>
          ),
        },
        ...workColumns(isAsked ? translate('Answered this month') : translate('Alerts'), work),
        {
          label: translate('Action'),
          isPlain: true,
          cell: (rule) =>
            orderRules.isAllowed() && (
              <span class="buttons tight">
                {rules.length > 1 && <Moves rules={rules} rule={rule} onMove={move} />}
                <Switch rule={rule} onDone={reload} />
              </span>
            ),
        },
      ]}
    />
  );
};

const workColumns = <R,>(label: string, work: (row: R) => Work): Column<R>[] => [
  { label, isNumber: true, cell: (row) => work(row).alerts },
  { label: translate('Refunded'), isNumber: true, cell: (row) => work(row).refunded },
];

export type Answerer = Work & { who: string; words: string };

/** The answers of rules and of people, below the rules and in the same columns. */
export const AnswerersTable = ({ rows }: { rows: readonly Answerer[] }) => (
  <DataTable<Answerer>
    caption={translate('What rules answered, and what people did')}
    rows={rows}
    keyOf={({ who }) => who}
    columns={[
      { label: translate('No.'), isPlain: true, cell: () => '' },
      { label: translate('Answered by'), isMain: true, cell: ({ who }) => who },
      { label: translate('How'), isPlain: true, cell: ({ words }) => words },
      ...workColumns(translate('Alerts'), (row: Answerer) => row),
      { label: translate('Action'), isPlain: true, cell: () => '' },
    ]}
  />
);

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
    <Badge state="SHADOW" tone="plain" label={translate('On trial')} />
  );
};

type MovesProps = { rules: readonly RuleRow[]; rule: RuleRow; onMove: (index: number, by: 1 | -1) => Promise<void> };

const Moves = ({ rules, rule, onMove }: MovesProps) => {
  const index = rules.indexOf(rule);
  return (
    <>
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
    </>
  );
};

type Switched = Pick<RuleRow, 'rule_id' | 'name' | 'enabled' | 'mode' | 'action' | 'about' | 'version'>;

/** Returns the consequence of switching a rule, where others notice it. */
export const sayEffect = ({
  enabled,
  mode,
  action,
  about,
}: Pick<Switched, 'enabled' | 'mode' | 'action' | 'about'>): string | undefined => {
  if (mode === 'shadow')
    return enabled
      ? translate('It will no longer record what it would have done. It can be enabled again.')
      : undefined;
  if (about === 'chargebacks')
    return enabled
      ? translate('It will decide no more chargebacks. What it has done stays. It can be enabled again.')
      : translate('From now on it decides chargebacks by itself: {action}.', { action: actionWords(action, about) });
  if (about === 'rdr') return undefined;
  if (about === 'warnings')
    return enabled
      ? translate('It will act on no more warnings. What it has done stays. It can be enabled again.')
      : translate('From now on it acts on warnings by itself: {action}.', { action: actionWords(action, about) });
  return enabled
    ? translate(
        'It will answer no more alerts: they go to the next rule that applies, or wait for people. What it has answered stays. It can be enabled again.',
      )
    : translate('From now on it answers alerts by itself: {action}.', { action: actionWords(action, about) });
};

/** The rule that was switched last. It moves to another table, where its button is focused again. */
let switched: number | undefined;

export const Switch = ({ rule, onDone }: { rule: Switched; onDone: () => void }) => {
  const [isAsked, setAsked] = useState(false);
  const consequence = sayEffect(rule);
  const { name } = rule;
  const word = rule.enabled ? translate('Disable') : translate('Enable');
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (switched !== rule.rule_id) return;
    place.current?.querySelector('button')?.focus();
    switched = undefined;
  }, []);
  const change = async () => {
    const params = { id: rule.rule_id };
    if (rule.enabled) await disableRule({ params, body: {} });
    else await updateRule({ params, body: { enabled: true, version: rule.version } });
    if (rule.enabled) say(translate('{name} is off now.', { name }));
    else
      say(
        rule.mode === 'live'
          ? translate('{name} is live now.', { name })
          : translate('{name} is on trial now.', { name }),
      );
    switched = rule.rule_id;
    setAsked(false);
    onDone();
  };
  const press = () => {
    if (consequence === undefined) return attempt(change);
    setAsked(true);
    return undefined;
  };
  return (
    <span ref={place}>
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
    </span>
  );
};
