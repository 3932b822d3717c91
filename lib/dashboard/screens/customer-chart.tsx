import { translate } from '../language/translate.ts';
import { dateText } from '../parts/dates.ts';
import { amountText, sumsText } from '../parts/money.ts';
import { listMoved } from './customer-facts.ts';
import type { CustomerDto } from './customer-operations.ts';

const [height, zero] = [84, 52];

/** Money over time: paid upwards, given back or taken downwards, one bar for each step in the currency of most of them. */
export const MoneyChart = ({ customer }: { customer: CustomerDto }) => {
  const all = listMoved(customer);
  const [own = []] = [...Map.groupBy(all, ({ currency }) => currency).values()].sort(
    (left, right) => right.length - left.length,
  );
  const [first, last] = [own.at(0), own.at(-1)];
  if (!first || !last || own.length < 2) return null;
  // Used only for the height of bars, never for an amount that is shown.
  const most = Math.max(...own.map(({ amount }) => Math.abs(Number(amount))));
  const wide = 100 / own.length;
  const [paid, back] = [
    own.filter(({ amount }) => !amount.startsWith('-')),
    own.filter(({ amount }) => amount.startsWith('-')),
  ];
  const signless = back.map(({ amount, currency }) => ({ amount: amount.slice(1), currency }));
  return (
    <figure class="money-chart">
      <svg
        height={height}
        role="img"
        aria-label={translate('{paid} was paid and {back} went back, step by step; the story has each of them.', {
          paid: sumsText(paid),
          back: sumsText(signless),
        })}
      >
        <line x1="0" x2="100%" y1={zero} y2={zero} />
        {own.map(({ at, amount, currency, isTaken }, index) => {
          const isBack = amount.startsWith('-');
          const size = Math.max(2, (Math.abs(Number(amount)) / most) * (isBack ? height - zero : zero));
          return (
            <rect
              key={`${at} ${index}`}
              class={isTaken ? 'taken' : isBack ? 'back' : ''}
              x={`${wide * index + wide * 0.2}%`}
              width={`${Math.min(wide * 0.6, 4)}%`}
              y={isBack ? zero : zero - size}
              height={size}
            >
              <title>{`${dateText(at)}: ${amountText(amount, currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="ends small quiet" aria-hidden="true">
        <span>{dateText(first.at)}</span>
        <span>{dateText(last.at)}</span>
      </p>
      <ul class="keys" aria-hidden="true">
        <li class="paid">{translate('Paid|sum')}</li>
        {back.some(({ isTaken }) => !isTaken) && <li class="back">{translate('Refunded')}</li>}
        {back.some(({ isTaken }) => isTaken) && <li class="taken">{translate('Charged back')}</li>}
      </ul>
      {own.length < all.length && (
        <p class="small quiet">{translate('The chart has {currency} only.', { currency: first.currency })}</p>
      )}
    </figure>
  );
};
