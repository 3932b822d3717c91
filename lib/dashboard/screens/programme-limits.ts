import type { programmeReportOperation as ProgrammesOperation } from '#disputes/reports/api/programmes/operation.ts';
import type { RowOf } from '../app/client.ts';
import { translate, translateCount } from '../language/translate.ts';
import { amountText } from '../parts/money.ts';
import { countText, percentText } from '../parts/words.ts';

export type ProgrammeRow = RowOf<typeof ProgrammesOperation>;

const percent = (bps: number): string => percentText((bps / 100).toFixed(2));

/** `isCount`: of the disputes counted, not of their share or amount. */
type Limit = { value: number | null; limit: number; words: string; isCount?: true };

const countWords = ({ programme, numerator }: ProgrammeRow, limit: string): string => {
  if (programme === 'VAMP')
    return translateCount(
      numerator,
      '{count} dispute or fraud report, limit {limit}',
      '{count} disputes and fraud reports, limit {limit}',
      { limit },
    );
  if (programme === 'VAMP_ENUMERATION')
    return translateCount(
      numerator,
      '{count} authorisation that tests cards, limit {limit}',
      '{count} authorisations that test cards, limit {limit}',
      { limit },
    );
  return translateCount(numerator, '{count} dispute, limit {limit}', '{count} disputes, limit {limit}', { limit });
};

/** The limits of a programme, all of which a merchant over it reaches, with the figure that counts against each; null: not supplied. */
export const limitsOf = (row: ProgrammeRow): Limit[] => {
  const { ratio_bps: ratio, threshold_bps, numerator, count_threshold: most, amount_usd: amount } = row;
  const usd = row.amount_threshold_usd;
  const limit = { limit: usd === null ? '' : amountText(usd, 'USD') };
  return [
    {
      value: ratio,
      limit: threshold_bps,
      words: translate('{ratio} of payments, limit {limit}', {
        ratio: percent(ratio ?? 0),
        limit: percent(threshold_bps),
      }),
    },
    ...(most === null
      ? []
      : [
          {
            value: numerator,
            limit: most,
            words: countWords(row, countText(most)),
            isCount: true as const,
          },
        ]),
    ...(usd === null
      ? []
      : [
          {
            value: amount,
            limit: usd,
            words:
              amount === null
                ? translate('Amount not supplied, limit {limit}', limit)
                : translate('{amount} disputed, limit {limit}', { amount: amountText(amount, 'USD'), ...limit }),
          },
        ]),
  ];
};
