import { link } from '../app/address.ts';
import { Badge } from '../parts/badge.tsx';
import { amountText, sumByCurrency } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { countUnrefunded, reasonText } from './dry-run-reasons.ts';
import { type DryRunPage, dryRun } from './rule-operations.ts';

type Wanted = NonNullable<Parameters<typeof dryRun>[0]['body']>;

/** The results of rules for the alerts of the last 30 days. */
export type DryRunSum = {
  evaluated: number;
  matched: number;
  list: DryRunPage['list'];
  refunded: { amount: string; currency: string }[];
  saved: { amount: string; currency: string }[];
  from: string;
};

const maxShown = 20;

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

const Unrefunded = ({ run }: { run: DryRunSum }) => {
  const counted = countUnrefunded(run.list);
  if (counted.length === 0) return null;
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return (
    <p>
      Of these, {countWords(total, 'alert')} would not have been refunded:{' '}
      {counted.map(({ reason, count }) => `${reasonText(reason) || 'another answer'} (${count})`).join('; ')}.
    </p>
  );
};

export const DryRunResult = ({ run }: { run: DryRunSum }) => (
  <section class="note" aria-label="What it would have done" role="status">
    <p>
      Of {countWords(run.evaluated, 'alert')} since <Time at={run.from} /> it applies to <strong>{run.matched}</strong>.
      It would have refunded <strong>{amounts(run.refunded)}</strong> and saved <strong>{amounts(run.saved)}</strong> in
      chargebacks and their fees.
    </p>
    <Unrefunded run={run} />
    {run.list.length > 0 && (
      <details>
        <summary>Which alerts</summary>
        <DataTable<DryRunPage['list'][number]>
          caption="Alerts it applies to"
          rows={run.list.slice(0, maxShown)}
          keyOf={({ alert_id }) => String(alert_id)}
          hrefOf={({ alert_id }) => link(`/alerts/${alert_id}`)}
          columns={[
            { label: 'Alert', isMain: true, cell: ({ alert_id }) => String(alert_id) },
            { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
            { label: 'It would', cell: ({ would }) => <Badge state={would} /> },
            { label: 'Because', cell: ({ reason }) => (reason ? reasonText(reason) : '') },
          ]}
        />
        {run.list.length > maxShown && <p class="small">And {run.list.length - maxShown} more.</p>}
      </details>
    )}
  </section>
);
