import type { PaymentDto } from '../app/operations.ts';
import { listText, translate } from '../language/translate.ts';
import { dateText } from '../parts/dates.ts';
import { amountText, isAbove } from '../parts/money.ts';
import type { Told } from './payment-words.ts';

const maxSteps = 6;
const [height, top, bottom] = [96, 16, 78];

/** The rest of a payment after each step that moved money, as bars; the story below has the same figures. */
export const LeftChart = ({ told, currency }: { told: readonly Told[] } & Pick<PaymentDto, 'currency'>) => {
  const steps = told.filter(({ moved }) => moved !== undefined).slice(-maxSteps);
  // Used only for the height of bars, never for an amount that is shown.
  const most = Math.max(...steps.map(({ left }) => Number(left)), 0);
  if (steps.length < 2 || most === 0) return null;
  const wide = 100 / steps.length;
  return (
    <svg
      class="left-chart"
      height={height}
      role="img"
      aria-label={translate('Left after each step: {amounts}.', {
        amounts: listText(steps.map(({ left }) => amountText(left, currency))),
      })}
    >
      <line x1="0" x2="100%" y1={bottom} y2={bottom} />
      {steps.map(({ at, left }, index) => {
        const size = isAbove(left, '0') ? (Number(left) / most) * (bottom - top) : 0;
        const middle = `${wide * (index + 0.5)}%`;
        return (
          <g key={index}>
            <rect x={`${wide * index}%`} width={`${wide - 1}%`} y={bottom - size} height={size} />
            <text x={middle} y={bottom - size - 4} text-anchor="middle">
              {amountText(left, currency)}
            </text>
            <text x={middle} y={height - 4} text-anchor="middle" class="quiet">
              {dateText(at)}
            </text>
          </g>
        );
      })}
    </svg>
  );
};
