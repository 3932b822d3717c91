import type { AlertDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Facts } from '../parts/facts.tsx';
import { Time } from '../parts/time.tsx';
import { isFact, facts as ruleFacts } from './rule-facts.ts';

type Decision = NonNullable<AlertDto['automatic']>;

/** The facts on which a rule decided, by their names in rules. */
export const DecisionFacts = ({ facts }: Pick<Decision, 'facts'>) => (
  <Facts
    facts={Object.entries(facts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([fact, value]) => [isFact(fact) ? ruleFacts[fact].label : stateWords(fact), valueText(fact, value)])}
  />
);

const longest = 200;

/** Fields whose values are states with words of their own. */
const states = ['status', 'alert_action', 'alert_type', 'provider'];
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

const valueText = (name: string, value: unknown) => {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? translate('Yes') : translate('No');
  if (typeof value !== 'string') return JSON.stringify(value).slice(0, longest);
  if (isTime(value)) return <Time at={value} />;
  return states.includes(name) ? stateWords(value) : value.slice(0, longest);
};
