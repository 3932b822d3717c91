import type { listRatesOperation as ListRatesOperation } from '#payments/pricing/api/list-rates/operation.ts';
import { remote } from '../app/client.ts';
import { listText, translate } from '../language/translate.ts';
import { dateText } from '../parts/dates.ts';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { decimalText } from '../parts/words.ts';
import type { OneSum, Rate } from './one-currency.ts';

const listRates = remote<typeof ListRatesOperation>({ path: '/api/v3/pricing/rate/list' });

/** The present rates; none until they are read, or if they cannot be: amounts without a rate are named. */
export const useRates = (): readonly Rate[] =>
  useLoad('rates', (signal) => listRates({ body: { size: 200 }, signal })).data?.list ?? [];

const sayRate = ({ from, to, rate }: Rate): string => `1 ${from} = ${decimalText(rate)} ${to}`;

/** Says how a total was converted, and what is not in it. */
export const RatesUsed = ({ used, left }: Pick<OneSum, 'used' | 'left'>) => (
  <>
    {used.length > 0 && (
      <p class="quiet small">
        {translate('Converted at {rates}.', {
          rates: [...Map.groupBy(used, ({ source, set_at: at }) => `(${source}, ${dateText(at)})`)]
            .map(([source, rates]) => `${listText(rates.map(sayRate))} ${source}`)
            .join('; '),
        })}
      </p>
    )}
    {left.length > 0 && (
      <p class="quiet small">{translate('Without {amount}: no exchange rate is set.', { amount: sumsText(left) })}</p>
    )}
  </>
);
