import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import type { AlertDto } from '../app/operations.ts';
import { inSentence, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { Changes } from '../parts/changes.tsx';
import { Facts } from '../parts/facts.tsx';
import { useFetched } from '../parts/fetched.tsx';
import { matchText } from '../parts/match-words.ts';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ChangeCredit } from './credit.tsx';
import { creditReasons } from './credit-words.ts';
import { changeLines, howText, whoText } from './history-words.ts';

/** The story of an alert: the decisions of rules, its cost, and its history. */

type Decision = NonNullable<AlertDto['automatic']>;

export const Decisions = ({ alert: { automatic, shadow_rules } }: { alert: AlertDto }) => {
  const decisions = [...(automatic ? [automatic] : []), ...shadow_rules];
  if (decisions.length === 0) return null;
  return (
    <Card title={translate('What rules said')}>
      <ul class="plain-list">
        {decisions.map((decision) => (
          <li key={decision.rule_id}>
            <Said {...decision} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

const shadowWords: Readonly<Record<string, string>> = {
  refund: translate('would have chosen to refund'),
  decline: translate('would have chosen to decline'),
  resolve: translate('would have chosen to resolve'),
  notify: translate('would have chosen to notify'),
  review: translate('would have chosen to review'),
};

const held: { value?: typeof import('./decision-facts.tsx') } = {};

/** Loaded when it is wanted: the names of all facts of rules are many words. */
const Seen = ({ facts }: Pick<Decision, 'facts'>) => {
  const { value: module, error, again } = useFetched(held, () => import('./decision-facts.tsx'));
  return module ? <module.DecisionFacts facts={facts} /> : <Trouble error={error} onRetry={again} />;
};

const Said = ({ rule_id, version, name, mode, action, result, reason, match, facts }: Decision) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>
        <a href={link(`/rules/${rule_id}`)}>{name}</a> <Badge state={mode} tone={mode === 'live' ? 'good' : 'warn'} />{' '}
        {mode === 'shadow' ? (shadowWords[action.type] ?? action.type) : inSentence(stateWords(result))}
        {reason && <span class="quiet">: {inSentence(stateWords(reason))}</span>}
      </p>
      {match && <p class="small quiet">{matchText(match)}</p>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{translate('What it saw, in version {version}', { version })}</summary>
        {isOpen && <Seen facts={facts} />}
      </details>
    </>
  );
};

type CostProps = { alert: AlertDto; cost: NonNullable<AlertDto['cost']>; onChanged: () => void };

export const Cost = ({ alert: { alert_id }, cost, onChanged }: CostProps) => {
  const { price, price_currency, credit, credit_reason, credit_evidence, saved, saved_currency } = cost;
  return (
    <Card
      title={translate('Cost')}
      actions={<ChangeCredit alertId={alert_id} state={credit} reason={credit_reason} onDone={onChanged} />}
    >
      <Facts
        facts={[
          [translate('Price'), price === null ? translate('Not set') : amountText(price, price_currency ?? '')],
          [translate('Prevented'), saved && amountText(saved, saved_currency ?? '')],
          [translate('Credit'), credit !== 'none' && stateWords(credit)],
          [translate('Reason'), credit_reason && creditReasons[credit_reason]],
          [translate('Note'), credit_evidence.note],
        ]}
      />
    </Card>
  );
};

type HistoryProps = Pick<AlertDto, 'currency' | 'dispute_currency'> & { entries: AlertDto['history'] };

export const History = ({ entries, ...currencies }: HistoryProps) => (
  <ol class="timeline">
    {entries.toReversed().map(({ at, by, via, change }) => (
      <li key={`${at}${change.event}`}>
        <p>
          <strong>{stateWords(change.event)}</strong>
        </p>
        <p class="quiet small">
          <Time at={at} exact />
          {[whoText(by, via), howText(via)].filter(Boolean).map((words) => `, ${words}`)}
        </p>
        {typeof change.to['note'] === 'string' && <p class="said">{change.to['note']}</p>}
        <Changes lines={changeLines(change, currencies)} />
      </li>
    ))}
  </ol>
);
