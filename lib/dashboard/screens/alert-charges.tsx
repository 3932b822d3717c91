import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { type AlertDto, type ChargeFound, type ChargesFound, refundAlert } from '../app/operations.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import type { Loaded } from '../parts/load.ts';
import { traitNames, verdictWords } from '../parts/match-words.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { upperFirst } from '../parts/words.ts';
import { Later } from './answer-later.tsx';
import { findCertain } from './certain-charge.ts';

type ChargesProps = { alert: AlertDto; onChanged: () => void };

type FoundProps = ChargesProps & { search: Loaded<ChargesFound | undefined> };

/** The charge behind an alert, taken here or at the merchant's own processors. */
export const Charges = ({ search: { data, error, isLoading, reload }, ...shown }: FoundProps) => (
  <section class="fact">
    <header>
      <h2>{translate('Matched charge')}</h2>
      <Button look="bare" onPress={reload} isBusy={isLoading}>
        {translate('Search again')}
      </Button>
    </header>
    <Trouble error={error} onRetry={reload} />
    {isLoading && !data && <Waiting rows={2} />}
    {data && <Found found={data} {...shown} />}
  </section>
);

const Found = ({ found, ...shown }: ChargesProps & { found: ChargesFound }) => {
  const others = found.transactions.filter(({ matches }) => !matches);
  const isCertain = findCertain({ charges: found }) !== undefined;
  return (
    <>
      <p>{matchWords[found.match]}</p>
      <List charges={found.transactions.filter(({ matches }) => matches)} {...{ isCertain }} {...shown} />
      {others.length > 0 && (
        <details>
          <summary>
            {translateCount(others.length, '{count} other charge of this card', '{count} other charges of this card')}
          </summary>
          <List charges={others} isCertain={false} {...shown} />
        </details>
      )}
      {found.unasked.map(({ connection, label, kind, msg }) => (
        <p key={connection} class="note warn">
          <span>{translate('{label} could not be asked: {msg}', { label: label || stateWords(kind), msg })}</span>
        </p>
      ))}
    </>
  );
};

const matchWords = {
  none: translate('No charge that was found matches the alert.'),
  one: translate('This is the charge:'),
  many: translate('Several charges match: compare them before you refund one.'),
  uncertain: translate('No charge is certain enough to be refunded automatically. The most likely one comes first.'),
} as const;

type ListProps = ChargesProps & { isCertain: boolean };

const List = ({ charges, ...shown }: ListProps & { charges: readonly ChargeFound[] }) =>
  charges.length === 0 ? null : (
    <ul class="charges">
      {charges.map((charge) => (
        <li key={`${charge.connection} ${charge.reference}`}>
          <Charge charge={charge} {...shown} />
        </li>
      ))}
    </ul>
  );

/** Checks whether any of a charge may still go back for this alert. */
const canGoBack = ({ refundable, charged_back }: ChargeFound): boolean =>
  !charged_back && refundable !== null && isAbove(refundable, '0');

const leftWords = ({ refundable, currency, charged_back, refunded_by_network: byNetwork }: ChargeFound): string => {
  if (byNetwork) return translate('The network refunded the cardholder.');
  if (charged_back) return translate('It was charged back.');
  if (refundable === null) return translate('What is left of it is unknown: check at the processor.');
  return isAbove(refundable, '0')
    ? translate('{amount} can be refunded.', { amount: amountText(refundable, currency) })
    : translate('All of it has been refunded.');
};

/** How a candidate fits. Only one that is certain and has the amount fits without a reservation. */
const showFit = ({ evidence }: ChargeFound, isCertain: boolean): { tone: 'good' | 'warn' | 'plain'; label: string } => {
  if (!isCertain) return { tone: 'plain', label: translate('May be the charge') };
  const amount = evidence?.traits.find(({ trait }) => trait === 'amount')?.verdict;
  return amount === 'differs' || amount === 'contradicts'
    ? { tone: 'warn', label: translate('The charge, with another amount') }
    : { tone: 'good', label: translate('Fits the alert') };
};

const Charge = ({ charge, alert, isCertain, onChanged }: ListProps & { charge: ChargeFound }) => {
  const { kind, txid, reference, date, amount, currency, matches, evidence } = charge;
  const isPossible = canGoBack(charge) && refundAlert.isAllowed() && ['OPEN', 'WIP', 'OTHER'].includes(alert.status);
  const [isOpen, setOpen] = useState(false);
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) onChanged();
  };
  return (
    <>
      <div>
        <p>
          <strong>{amountText(amount, currency)}</strong>, <Time at={date} />{' '}
          {matches && <Badge state="MATCH" {...showFit(charge, isCertain)} />}
        </p>
        <p class="small quiet">
          {kind === 'forewarn' ? translate('Taken here') : stateWords(kind)},{' '}
          {txid === null ? <span class="code">{reference}</span> : <a href={link(`/payments/${txid}`)}>{txid}</a>}.{' '}
          {leftWords(charge)}
        </p>
        {evidence && <Evidence {...evidence} />}
      </div>
      {isPossible && (
        <Button aria-label={translate('Refund {txid}', { txid: txid ?? reference })} onPress={() => setOpen(true)}>
          {translate('Refund')}
        </Button>
      )}
      {isOpen && (
        <Later>{({ ChargeRefundDialog }) => <ChargeRefundDialog {...{ charge, alert }} onClose={close} />}</Later>
      )}
    </>
  );
};

const marks = { agrees: '✓', partly: '≈', differs: '–', contradicts: '✗', unknown: '?' } as const;

/** The score of a charge and the traits behind it. */
const Evidence = (match: NonNullable<ChargeFound['evidence']>) => (
  <>
    <p class="match">
      <b>{match.score}</b> <span class="quiet small">{translate('of 100')}</span>
    </p>
    <ul class="marks">
      {match.traits.map(({ trait, verdict }) => (
        <li key={trait} class={verdict}>
          <span aria-hidden="true">{marks[verdict]}</span> {upperFirst(traitNames[trait])}
          <span class="quiet"> {verdictWords[verdict]}</span>
        </li>
      ))}
    </ul>
  </>
);
