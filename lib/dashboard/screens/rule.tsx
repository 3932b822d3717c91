import { useState } from 'preact/hooks';
import { address, go, link } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { listReasonCodes, type ReasonCode } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { ServiceError } from '../app/transport.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import {
  ChargebackActionFields,
  type ChargebackTrial,
  ChargebackTrialResult,
  chargebackActionFrom,
  tryOnChargebacks,
} from './chargeback-rule.tsx';
import { type Conditions, ConditionsEditor } from './conditions.tsx';
import { DryRunResult, type DryRunSum, runDry } from './dry-run.tsx';
import {
  type AnyActionType,
  actionsAbout,
  actionWords,
  anyActionOf,
  isOfChargebacks,
  needsCode,
} from './rule-actions.ts';
import { Acts, Versions } from './rule-acts.tsx';
import { RuleConflict, type RuleState } from './rule-conflict.tsx';
import { RuleDone } from './rule-done.tsx';
import type { RuleAbout } from './rule-facts.ts';
import { createRule, type RuleDto, ruleDetails, updateRule } from './rule-operations.ts';
import { extraOptions, HoldOption, RefundOptions, refundOptions, WarningOptions } from './rule-refund.tsx';
import { ruleSentence } from './rule-sentence.ts';
import { Standing } from './rule-table.tsx';
import { findTemplate } from './rule-templates.ts';
import { TrialSoFar } from './rule-trial.tsx';
import { presentAbout } from './rules.tsx';

const modes = [
  { value: 'shadow', label: translate('On trial: only records what it would do') },
  { value: 'live', label: translate('Live: answers alerts, or decides chargebacks') },
] as const;

type Params = Readonly<Record<string, string | undefined>>;

/** A rule to look at and to change, or a new one. */
export const RulePage = ({ params: { id = '' } }: { params: Params }) => {
  const isNew = id === 'new';
  const { data, error, reload } = useLoad(isNew ? null : id, (signal) => ruleDetails({ params: { id }, signal }));
  const [isEditing, setEditing] = useState(false);
  const finish = () => {
    setEditing(false);
    reload();
  };
  return (
    <Screen
      title={isNew ? translate('New rule') : (data?.name ?? translate('Rule'))}
      from={{
        label: translate('Rules'),
        href: link('/rules', {
          sid: address.value.query.get('sid') ?? String(data?.sid ?? ''),
          about: data?.about ?? presentAbout(),
        }),
      }}
      {...(data && {
        lede: (
          <>
            <Standing {...data} /> {ruleSentence({ ...data, action: actionWords(data.action, data.about) })}
          </>
        ),
        actions: !isEditing && <Acts rule={data} onEdit={() => setEditing(true)} onChanged={reload} />,
      })}
    >
      <Trouble error={error} onRetry={reload} />
      {isNew && <Editor onSaved={(saved) => go(link(`/rules/${saved}`))} />}
      {data && (
        <div class="split">
          <div class="stack">
            {isEditing && <Editor key={data.version} rule={data} onSaved={finish} onClose={() => setEditing(false)} />}
            <Results key={data.version} rule={data} />
          </div>
          <Versions rule={data} />
        </div>
      )}
      {!isNew && !data && !error && <Waiting />}
    </Screen>
  );
};

/** Its results, or those that it would have had. Results of rules about chargebacks are found by trying them. */
const Results = ({ rule }: { rule: RuleDto }) => {
  if (rule.about === 'alerts' && rule.mode === 'shadow') return <TrialSoFar rule={rule} />;
  return rule.about === 'alerts' || rule.about === 'warnings' ? <RuleDone rule={rule} /> : <TriedOnPast rule={rule} />;
};

const TriedOnPast = ({ rule }: { rule: RuleDto }) => {
  const { run, looked, tryOut } = useTrial();
  const { about, conditions, action } = rule;
  const body = { ...ruleOwner(rule), rule: { conditions, action } } as Parameters<typeof runDry>[0];
  return (
    <Card
      title={translate('What it would have done')}
      actions={!run && <Button onPress={() => tryOut(about, body)}>{sendText(about, looked, false)}</Button>}
    >
      {run ? (
        <TrialResult run={run} />
      ) : (
        <p class="quiet">{translate('Try it to see which chargebacks of the last year it applies to.')}</p>
      )}
    </Card>
  );
};

const startWith = (rule: RuleDto | undefined): Conditions => rule?.conditions ?? presentTemplate().conditions;

/** The template that the address names; the first one if it names none. */
const presentTemplate = () => findTemplate(address.value.query.get('template'), presentAbout());

/** Returns the owner of a rule: a site, or a merchant for all its sites. */
const ruleOwner = (rule: RuleDto | undefined) => {
  const sid = rule ? rule.sid : Number(address.value.query.get('sid') ?? Number.NaN);
  const mid = rule?.mid ?? presentMid();
  return sid !== null && Number.isFinite(sid) ? { sid } : { ...(mid !== undefined && { mid }) };
};

const actionFrom = (type: AnyActionType, { reason_code, comments, advice, ...fields }: Record<string, string>) => ({
  type,
  ...(type === 'refund' ? refundOptions(fields) : extraOptions(fields)),
  ...(advice && { comments: advice }),
  ...(needsCode(type) && reason_code && { reason_code }),
  ...(needsCode(type) && comments && { comments }),
});

const readMode = (text: string | undefined): RuleDto['mode'] => (text === 'live' ? 'live' : 'shadow');

/** Tries a rule on the last 30 days. Once the rule is changed, the result is stale. */
const useTrial = () => {
  const [run, setRun] = useState<Trial>();
  const [looked, setLooked] = useState<number>();
  const tryOut = async (about: RuleAbout, body: Parameters<typeof runDry>[0]) => {
    setLooked(0);
    try {
      setRun(
        about === 'chargebacks' || about === 'rdr'
          ? {
              chargebacks: await tryOnChargebacks(
                { ...(body as Parameters<typeof tryOnChargebacks>[0]), about },
                setLooked,
              ),
            }
          : { alerts: await runDry({ ...body, about }, setLooked) },
      );
    } finally {
      setLooked(undefined);
    }
  };
  return { run, looked, tryOut, stale: () => setRun(undefined) };
};

/** Saves over the version that one has seen, `known`. Where there is another by now, `conflict` shows both. */
const useSaving = (onSaved: (id: number) => void) => {
  const [found, setFound] = useState<{ mine: RuleState; stored: RuleDto }>();
  const afterSaving = ({ rule_id, name }: Pick<RuleDto, 'rule_id' | 'name'>) => {
    say(translate('{name} is saved.', { name }));
    onSaved(rule_id);
  };
  const saveOver = async (known: RuleDto, mine: RuleState) => {
    const params = { id: known.rule_id };
    try {
      afterSaving(await updateRule({ params, body: { ...mine, version: known.version } }));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'changed_meanwhile') throw error;
      setFound({ mine, stored: await ruleDetails({ params }) });
    }
  };
  const conflict = found && (
    <RuleConflict
      {...found}
      onKeep={() => saveOver(found.stored, found.mine)}
      onTake={() => onSaved(found.stored.rule_id)}
      onClose={() => setFound(undefined)}
    />
  );
  return { saved: afterSaving, saveOver, conflict };
};

/** The words of the button that tries a rule, and then saves it. */
const sendText = (about: RuleAbout, looked: number | undefined, isTried: boolean): string => {
  if (looked !== undefined)
    return about === 'chargebacks' || about === 'rdr'
      ? translate('Checked {count} chargebacks …', { count: looked })
      : translate('Checked {count} alerts …', { count: looked });
  if (isTried) return translate('Save');
  return about === 'chargebacks' || about === 'rdr'
    ? translate('Try it on the last year')
    : translate('Try it on the last 30 days');
};

const maySave = (rule: RuleDto | undefined): boolean => (rule ? updateRule.isAllowed() : createRule.isAllowed());

const useCodes = () =>
  useLoad('codes of provider_a', (signal) => listReasonCodes({ body: { provider: 'provider_a' }, signal }));

type Trial = { alerts: DryRunSum } | { chargebacks: ChargebackTrial };

const TrialResult = ({ run }: { run: Trial }) =>
  'alerts' in run ? <DryRunResult run={run.alerts} /> : <ChargebackTrialResult trial={run.chargebacks} />;

type EditorProps = { rule?: RuleDto; onSaved: (id: number) => void; onClose?: () => void };

const Editor = ({ rule, onSaved, onClose }: EditorProps) => {
  const [conditions, setConditions] = useState<Conditions>(startWith(rule));
  const about = rule?.about ?? presentAbout();
  const [type, setType] = useState<AnyActionType>(anyActionOf(about, rule?.action.type ?? presentTemplate().action));
  const { run, looked, tryOut, stale } = useTrial();
  const owner = ruleOwner(rule);
  const { saved, saveOver, conflict } = useSaving(onSaved);
  const send = async ({ name = '', mode, ...fields }: Record<string, string>) => {
    const action =
      about === 'chargebacks' && isOfChargebacks(type) ? chargebackActionFrom(type, fields) : actionFrom(type, fields);
    if (!run) return tryOut(about, { ...owner, rule: { conditions, action } } as Parameters<typeof runDry>[0]);
    const told = { name, mode: readMode(mode), conditions, action };
    if (rule) await saveOver(rule, told);
    else saved(await createRule({ body: { ...owner, ...told, about } }));
  };
  const { data: codes } = useCodes();
  return (
    <Card title={rule ? translate('The rule') : translate('The new rule')}>
      <Form
        onSend={send}
        send={sendText(about, looked, run !== undefined)}
        isDisabled={(run !== undefined && !maySave(rule)) || (needsCode(type) && !codes)}
        {...(onClose && { actions: <Button onPress={onClose}>{translate('Cancel')}</Button> })}
      >
        {(problems) => (
          <>
            <Field
              label={translate('Name')}
              name="name"
              required
              maxLength={200}
              defaultValue={rule?.name ?? (address.value.query.has('template') ? presentTemplate().name : '')}
              problem={problems['name']}
            />
            <ConditionsEditor
              conditions={conditions}
              about={about}
              onChange={(next) => {
                setConditions(next);
                stale();
              }}
              problem={problems['conditions']}
            />
            <ActionFields {...{ rule, type, problems, about, codes }} onType={setType} onChange={stale} />
            <p class="note">{ruleSentence({ conditions, about, action: actionWords({ type }, about) })}</p>
            <ModeField {...{ rule, problems }} />
            {run && <TrialResult run={run} />}
          </>
        )}
      </Form>
      {conflict}
    </Card>
  );
};

const ModeField = ({ rule, problems }: Pick<CodeProps, 'rule' | 'problems'>) => (
  <Select
    label={translate('Mode')}
    name="mode"
    choices={modes}
    defaultValue={rule?.mode ?? 'shadow'}
    hint={translate('Let a new rule run on trial for a while first.')}
    problem={problems['mode']}
  />
);

type ActionProps = CodeProps & { about: RuleAbout; onType: (type: AnyActionType) => void };

const ActionFields = ({ onType, about, ...props }: ActionProps) => (
  <>
    <Select
      label={translate('Then')}
      choices={actionsAbout[about]}
      value={props.type}
      onChange={(event) => {
        onType(anyActionOf(about, event.currentTarget.value));
        props.onChange();
      }}
      problem={props.problems['action.type']}
    />
    {about === 'chargebacks' && isOfChargebacks(props.type) && (
      <ChargebackActionFields
        action={props.rule?.action}
        type={props.type}
        problems={props.problems}
        onChange={props.onChange}
      />
    )}
    {about === 'warnings' && <WarningOptions {...props} action={props.rule?.action ?? presentTemplate().also} />}
    {about === 'alerts' && props.type === 'refund' && (
      <RefundOptions action={props.rule?.action} onChange={props.onChange} />
    )}
    {about === 'alerts' && (props.type === 'notify' || props.type === 'review') && (
      <HoldOption action={props.rule?.action} onChange={props.onChange} />
    )}
    {needsCode(props.type) && <Code {...props} />}
  </>
);

type CodeProps = {
  /** undefined: not read yet. */
  codes: { list: readonly ReasonCode[]; in_force_since: string | null } | undefined;
  rule: RuleDto | undefined;
  type: AnyActionType;
  problems: Readonly<Record<string, string>>;
  onChange: () => void;
};

const Code = ({ codes, rule, type, problems, onChange }: CodeProps) => {
  const status = type === 'decline' ? 'DECLINED' : 'RESOLVED';
  const choices = (codes?.list ?? [])
    .filter(({ outcome }) => outcome === status)
    // Those that say enough by themselves first: the first is what one has not chosen.
    .sort((left, right) => left.needs.length - right.needs.length)
    .map(({ reason_code, meaning }) => ({ value: reason_code, label: `${meaning} (${reason_code})` }));
  return (
    <>
      <Select
        label={translate('Reason')}
        name="reason_code"
        key={`${type} ${choices.length}`}
        choices={choices}
        defaultValue={rule?.action.reason_code ?? choices[0]?.value ?? ''}
        onChange={onChange}
        hint={
          codes?.in_force_since
            ? translate('Codes of the network, in force since {day}.', { day: codes.in_force_since })
            : ''
        }
        problem={problems['action.reason_code'] ?? problems['action']}
      />
      <LongField
        label={translate('Comment for the network (optional)')}
        name="comments"
        maxLength={2000}
        defaultValue={rule?.action.comments ?? ''}
      />
    </>
  );
};
