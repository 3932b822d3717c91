import { listText, translate } from '../language/translate.ts';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { percentText } from '../parts/words.ts';
import type { Evidence } from './chargeback-operations.ts';

type Estimate = NonNullable<Evidence['estimate']>;
type Decision = NonNullable<NonNullable<Evidence['chargeback']['automatic']>['decision']>;

const unknownWords: Readonly<Record<Estimate['unknown'][number], string>> = {
  win_chance: translate('your chance to win'),
  dispute_fee: translate('the fee for the dispute'),
  counter_fee: translate('the fee for contesting'),
  exchange_rate: translate('an exchange rate'),
};
const feeWords: Readonly<Record<Estimate['fees'][number]['kind'], string>> = {
  dispute: translate('Fee for the dispute'),
  counter: translate('Fee for contesting'),
  compliance: translate('Fee of a compliance dispute'),
};

/** What contesting is worth: the chance by the merchant's own cases, less fees; what is not known is named. */
export const Estimated = ({ evidence: { estimate, chargeback } }: { evidence: Evidence }) => {
  if (estimate === null) return null;
  const { win_chance: chance, won, cases, fees, expected_value: value, gain_over_accepting: gain, unknown } = estimate;
  const amount = (text: string) => amountText(text, chargeback.currency);
  return (
    <section class="fact">
      <h2>{translate('What contesting is worth')}</h2>
      {chance !== null && (
        <p>
          {translate('You won {percent} of the cases with this claim that were contested here ({won} of {cases}).', {
            percent: percentText(String(chance)),
            won,
            cases,
          })}
        </p>
      )}
      {gain !== null && (
        <p>
          <strong>
            {translate('Contesting is expected to bring {amount} more than accepting.', { amount: amount(gain) })}
          </strong>{' '}
          {value !== null &&
            translate('After all fees, {amount} of the disputed sum remain.', { amount: amount(value) })}
        </p>
      )}
      <ul class="plain-list small">
        {fees.map(({ kind, amount: fee, currency, returned_if_won: isReturned }) => (
          <li key={kind}>
            {feeWords[kind]}: {amountText(fee, currency)}
            {isReturned && `, ${translate('returned if you win')}`}
          </li>
        ))}
      </ul>
      {unknown.length > 0 && (
        <p class="quiet small">
          {translate('Not known: {parts}.', { parts: listText(unknown.map((part) => unknownWords[part])) })}
        </p>
      )}
    </section>
  );
};

const resultWords: Readonly<Record<Decision['result'], string>> = {
  submitted: translate('submitted the evidence'),
  accepted: translate('accepted the loss'),
  assigned: translate('assigned it'),
  review: translate('left it to people'),
  recorded: translate('would have decided, but is on trial'),
  left_to_merchant: translate('could not do it, and left it to you'),
};
const reasonWords: Readonly<Record<string, string>> = {
  evidence_below_floor: translate('there is less evidence than the rule asks for'),
  evidence_refused: translate('the processor refused the evidence'),
  chargeback_over: translate('it can no longer be contested'),
  user_not_found: translate('the user does not exist, or may not answer'),
};

/** What rules did with the chargeback, and why. */
export const AutomaticLine = ({ chargeback: { automatic, assignee } }: { chargeback: Evidence['chargeback'] }) => {
  const decisions = [automatic?.decision ?? [], automatic?.shadows ?? []].flat();
  if (decisions.length === 0 && assignee === null) return null;
  return (
    <section class="fact">
      <h2>{translate('Rules')}</h2>
      {assignee !== null && <p>{translate('Assigned to {name}.', { name: assignee })}</p>}
      <ul class="plain-list">
        {decisions.map(({ rule_id: id, name, result, reason, words, at }) => (
          <li key={`${id} ${at}`}>
            <a href={`#/rules/${id}`}>{name}</a> {resultWords[result]}
            {reason !== null && `: ${reasonWords[reason] ?? reason.replaceAll('_', ' ')}`}
            {words !== null && ` (${words})`}{' '}
            <span class="quiet small">
              <Time at={at} exact />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
