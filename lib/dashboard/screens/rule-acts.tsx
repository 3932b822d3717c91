import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { compose, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Time } from '../parts/time.tsx';
import { actionWords } from './rule-actions.ts';
import type { RuleAbout } from './rule-facts.ts';
import { type RuleDto, updateRule } from './rule-operations.ts';
import { conditionWords, ruleSentence } from './rule-sentence.ts';
import { Switch, sayEffect } from './rule-table.tsx';

/** The actions on a rule, and its changes. */

type ActsProps = { rule: RuleDto; onEdit: () => void; onChanged: () => void };

/** The next step of a trial is to let it answer; a rule that answers needs none. */
export const Acts = ({ rule, onEdit, onChanged }: ActsProps) => {
  const [isAsked, setAsked] = useState(false);
  if (!updateRule.isAllowed()) return null;
  const { name, version } = rule;
  const goLive = async () => {
    await updateRule({ params: { id: rule.rule_id }, body: { mode: 'live', version } });
    say(translate('{name} is live now.', { name }));
    setAsked(false);
    onChanged();
  };
  return (
    <>
      <Button onPress={onEdit}>{translate('Edit')}</Button>
      <Switch rule={rule} onDone={onChanged} />
      {rule.enabled && rule.mode === 'shadow' && (
        <Button look="main" onPress={() => setAsked(true)}>
          {translate('Let it answer…')}
        </Button>
      )}
      {isAsked && (
        <Confirm
          title={translate('Let “{name}” answer?', { name })}
          yes={translate('Let it answer')}
          look="main"
          onYes={goLive}
          onClose={() => setAsked(false)}
        >
          <p>
            {sayEffect({ ...rule, enabled: false, mode: 'live' }) ??
              ruleSentence({ ...rule, action: actionWords(rule.action, rule.about) })}
          </p>
        </Confirm>
      )}
    </>
  );
};

type Version = RuleDto['versions'][number];

/** Returns the changes of a version: the fields that differ from the one before. */
const sayChanges = (version: Version, before: Version | undefined, about: RuleAbout): string => {
  if (!before) return translate('Created');
  const parts = [
    version.name !== before.name && translate('name: {name}', { name: version.name }),
    version.mode !== before.mode &&
      translate('mode: {mode}', { mode: version.mode === 'live' ? translate('live') : translate('on trial') }),
    version.enabled !== before.enabled && (version.enabled ? translate('enabled') : translate('disabled')),
    JSON.stringify(version.conditions) !== JSON.stringify(before.conditions) && conditionWords(version.conditions),
    JSON.stringify(version.action) !== JSON.stringify(before.action) &&
      translate('then: {action}', { action: actionWords(version.action, about) }),
  ].filter((part) => typeof part === 'string');
  return parts.join('; ') || translate('No difference');
};

export const Versions = ({ rule: { versions, about } }: { rule: RuleDto }) => {
  const [most, setMost] = useState(10);
  return (
    <Card title={translate('Versions')}>
      <ol class="timeline">
        {versions.slice(0, most).map((version, index) => (
          <li key={version.version}>
            <p>
              {compose('{version} by {name}', {
                version: <strong>{translate('Version {number}', { number: version.version })}</strong>,
                name: version.updated_by,
              })}
            </p>
            <p class="quiet small">
              <Time at={version.updated_at} exact />
            </p>
            <p class="small">{sayChanges(version, versions[index + 1], about)}</p>
          </li>
        ))}
      </ol>
      {versions.length > most && (
        <Button onPress={() => setMost(versions.length)}>
          {translate('Show all {count}', { count: versions.length })}
        </Button>
      )}
    </Card>
  );
};
