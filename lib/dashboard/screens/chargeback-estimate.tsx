import { listText, translate } from '../language/translate.ts';
import { Facts } from '../parts/facts.tsx';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { percentText } from '../parts/words.ts';
import { FeesButton } from './chargeback-fees.tsx';
import type { Evidence } from './chargeback-operations.ts';
import { breakEven, ofContesting } from './chargeback-value.ts';

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

type EstimatedProps = { evidence: Evidence; onChanged: () => void };

/** What contesting is worth: the chance by the merchant's own cases, less fees; what is not known is named. */
export const Estimated = ({ evidence: { estimate, chargeback }, onChanged }: EstimatedProps) => {
  if (estimate === null) return null;
  const { win_chance: chance, won, cases, expected_value: value, gain_over_accepting: gain, unknown } = estimate;
  const amount = (text: string) => amountText(text, chargeback.currency);
  const others = unknown.filter((part) => part !== 'win_chance');
  return (
    <section class="fact">
      <h2>
        {gain === null
          ? translate('Contesting can bring back {amount}', { amount: amount(chargeback.amount) })
          : translate('Contesting is expected to bring {amount} more than accepting.', { amount: amount(gain) })}
      </h2>
      {chance === null ? (
        <p>
          {translate('No case with this claim was decided here yet, so your chance to win is not known.')}{' '}
          {sayBreakEven(estimate, chargeback.amount)}
        </p>
      ) : (
        <>
          <progress max={100} value={chance} aria-label={translate('Your chance to win')} />
          <p>
            {translate('You won {percent} of the cases with this claim that were contested here ({won} of {cases}).', {
              percent: percentText(String(chance)),
              won,
              cases,
            })}{' '}
            {value !== null &&
              translate('After all fees, {amount} of the disputed sum remain.', { amount: amount(value) })}
          </p>
        </>
      )}
      <Facts facts={[...listOutcomes(estimate, chargeback)]} />
      {others.length > 0 && (
        <p class="quiet small">
          {translate('Not known: {parts}.', { parts: listText(others.map((part) => unknownWords[part])) })}{' '}
          <FeesButton onSaved={onChanged} />
        </p>
      )}
    </section>
  );
};

const sayBreakEven = (estimate: Estimate, amount: string): string | undefined => {
  const percent = breakEven(estimate, amount);
  if (percent === undefined) return undefined;
  return percent > 100
    ? translate('Its fees are higher than what it can bring back.')
    : translate('Contesting pays off from a winning chance of {percent}.', { percent: percentText(percent) });
};

/** The consequence of each end, by the fees that are known. */
const listOutcomes = (estimate: Estimate, { amount, currency }: Evidence['chargeback']): [string, string][] => {
  const isUnknown = estimate.unknown.includes('counter_fee');
  const fees = ofContesting(estimate);
  return [
    [translate('If you win'), translate('{amount} comes back.', { amount: amountText(amount, currency) })],
    [
      translate('If you lose'),
      fees.length === 0 && !isUnknown
        ? translate('It costs no more than accepting.')
        : translate('The fees are spent.'),
    ],
    ...estimate.fees.map(({ kind, amount: fee, currency: own, returned_if_won: isReturned }): [string, string] => [
      feeWords[kind],
      `${amountText(fee, own)}${isReturned ? `, ${translate('returned if you win')}` : ''}`,
    ]),
  ];
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
