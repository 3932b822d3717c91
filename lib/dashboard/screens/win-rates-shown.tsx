import { ofMerchant, presentMid } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { useLoad } from '../parts/load.ts';
import { kindWords } from './chargeback-kinds.ts';
import { listChargebacks } from './chargeback-operations.ts';
import { chargebackReason } from './chargeback-words.ts';
import { countPrevented, onlyDecided, type RateGroup, rateText, winRatesOf } from './win-rates.ts';

const maxRead = 500;

/** The share of contested chargebacks that were won: by reason, network and evidence. Nothing, until one was decided. */
export const WinRates = () => {
  const { data } = useLoad(`rates ${presentMid()}`, (signal) =>
    listChargebacks({
      body: { ...ofMerchant(), status: ['won', 'lost', 'refunded_by_network'], size: maxRead },
      signal,
    }),
  );
  const prevented = countPrevented(data?.list ?? []);
  if (!data || onlyDecided(data.list).length + prevented === 0) return null;
  const groups = winRatesOf(data.list, {
    claim: (_, row) => chargebackReason(row),
    network: stateWords,
    kind: (kind) => kindWords[kind],
  });
  return (
    <details class="rates">
      <summary>{translate('How contested chargebacks ended')}</summary>
      <div class="split">
        {groups.map(({ title, rates }) => (
          <Rates key={title} title={title} rates={rates} />
        ))}
      </div>
      {prevented > 0 && (
        <p class="quiet small">
          {translate(
            'Prevented, because the network refunded the cardholder: {count}. They count as neither won nor lost.',
            {
              count: prevented,
            },
          )}
        </p>
      )}
      {data.next_cursor !== null && (
        <p class="quiet small">{translate('The last {count} that were decided.', { count: maxRead })}</p>
      )}
    </details>
  );
};

const Rates = ({ title, rates }: { title: string; rates: readonly RateGroup[] }) => (
  <table class="plain">
    <caption>{title}</caption>
    <tbody>
      {rates.map((rate) => (
        <tr key={rate.name}>
          <th scope="row">{rate.name}</th>
          <td class="number">{translate('{rate} won', { rate: rateText(rate) })}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
