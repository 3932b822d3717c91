import { link } from '../app/address.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { amountText, sumByCurrency } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { counted } from '../parts/words.ts';
import { type DryRunPage, dryRun } from './rule-operations.ts';

type Wanted = NonNullable<Parameters<typeof dryRun>[0]['body']>;

/** What rules would have done with the alerts of the last 30 days. */
export type DryRunSum = {
  evaluated: number;
  matched: number;
  list: DryRunPage['list'];
  refunded: { amount: string; currency: string }[];
  saved: { amount: string; currency: string }[];
  from: string;
};

const mostShown = 20;

/** Reads all pages. `onPage`: how many alerts were looked at so far. */
export const runDry = async (wanted: Wanted, onPage: (evaluated: number) => void): Promise<DryRunSum> => {
  const pages: DryRunPage[] = [];
  let cursor: string | null = null;
  do {
    const page: DryRunPage = await dryRun({ body: { ...wanted, ...(cursor !== null && { cursor }) } });
    pages.push(page);
    cursor = page.next_cursor;
    onPage(sumOf(pages, ({ evaluated }) => evaluated));
  } while (cursor !== null);
  const totals = pages.flatMap((page) => page.totals);
  return {
    evaluated: sumOf(pages, ({ evaluated }) => evaluated),
    matched: sumOf(pages, ({ matched }) => matched),
    list: pages.flatMap(({ list }) => list),
    refunded: sumByCurrency(totals.map(({ refunded: amount, currency }) => ({ amount, currency }))),
    saved: sumByCurrency(totals.map(({ saved: amount, currency }) => ({ amount, currency }))),
    from: pages[0]?.from ?? '',
  };
};

const sumOf = (pages: readonly DryRunPage[], of: (page: DryRunPage) => number): number =>
  pages.reduce((sum, page) => sum + of(page), 0);

const amounts = (sums: readonly { amount: string; currency: string }[]): string =>
  sums.map(({ amount, currency }) => amountText(amount, currency)).join(', ') || 'nothing';

export const DryRunResult = ({ run }: { run: DryRunSum }) => (
  <section class="note" aria-label="What it would have done" role="status">
    <p>
      Of {counted(run.evaluated, 'alert')} since <Time at={run.from} /> it applies to <strong>{run.matched}</strong>. It
      would have refunded <strong>{amounts(run.refunded)}</strong> and saved <strong>{amounts(run.saved)}</strong> of
      chargebacks and their fees.
    </p>
    {run.list.length > 0 && (
      <details>
        <summary>Which alerts</summary>
        <table class="plain">
          <caption class="unseen">Alerts it applies to</caption>
          <thead>
            <tr>
              <th scope="col">Alert</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col">It would</th>
            </tr>
          </thead>
          <tbody>
            {run.list.slice(0, mostShown).map(({ alert_id, amount, currency, would, reason }) => (
              <tr key={alert_id}>
                <th scope="row">
                  <a href={link(`/alerts/${alert_id}`)}>{alert_id}</a>
                </th>
                <td class="number">{amountText(amount, currency)}</td>
                <td>
                  <Badge state={would} /> {reason && <span class="small quiet">{stateWords(reason)}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {run.list.length > mostShown && <p class="small">And {run.list.length - mostShown} more.</p>}
      </details>
    )}
  </section>
);
