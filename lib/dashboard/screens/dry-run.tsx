import { link } from '../app/address.ts';
import { compose, translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { amountText, sumByCurrency } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { countUnrefunded, reasonText, sumNotCompared } from './dry-run-reasons.ts';
import { factWords } from './rule-facts.ts';
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
  /** Facts that the rules compare, with the number of alerts that lack them. */
  notCompared: DryRunPage['not_compared'];
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
    onPage(sumPages(pages, ({ evaluated }) => evaluated));
  } while (cursor !== null);
  const totals = pages.flatMap((page) => page.totals);
  return {
    evaluated: sumPages(pages, ({ evaluated }) => evaluated),
    matched: sumPages(pages, ({ matched }) => matched),
    list: pages.flatMap(({ list }) => list),
    refunded: sumByCurrency(totals.map(({ refunded: amount, currency }) => ({ amount, currency }))),
    saved: sumByCurrency(totals.map(({ saved: amount, currency }) => ({ amount, currency }))),
    from: pages[0]?.from ?? '',
    notCompared: sumNotCompared(pages),
  };
};

const sumPages = (pages: readonly DryRunPage[], of: (page: DryRunPage) => number): number =>
  pages.reduce((sum, page) => sum + of(page), 0);

const amounts = (sums: readonly { amount: string; currency: string }[]): string =>
  sums.map(({ amount, currency }) => amountText(amount, currency)).join(', ') || 'nothing';

/** Says why alerts that a rule applies to would not be refunded. */
export const Unrefunded = ({ run }: { run: DryRunSum }) => {
  const counted = countUnrefunded(run.list);
  if (counted.length === 0) return null;
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return (
    <p>
      {translateCount(
        total,
        'Of these, {count} alert would not have been refunded: {reasons}.',
        'Of these, {count} alerts would not have been refunded: {reasons}.',
        {
          reasons: counted
            .map(({ reason, count }) => `${reasonText(reason) || translate('another answer')} (${count})`)
            .join('; '),
        },
      )}
    </p>
  );
};

export const DryRunResult = ({ run }: { run: DryRunSum }) => (
  <section class="note" aria-label={translate('What it would have done')} role="status">
    <p>
      {compose(
        'Of {alerts} since {time} it applies to {matched}. It would have refunded {refunded} and saved {saved} in chargebacks and their fees.',
        {
          alerts: translateCount(run.evaluated, '{count} alert', '{count} alerts'),
          time: <Time at={run.from} />,
          matched: <strong>{run.matched}</strong>,
          refunded: <strong>{amounts(run.refunded)}</strong>,
          saved: <strong>{amounts(run.saved)}</strong>,
        },
      )}
    </p>
    <Unrefunded run={run} />
    {run.notCompared.length > 0 && (
      <p>
        {translate('Not known of some alerts, so that conditions about it may not mean what you intend: {facts}.', {
          facts: run.notCompared.map(({ fact, alerts }) => `${factWords(fact)} (${alerts})`).join('; '),
        })}
      </p>
    )}
    {run.list.length > 0 && (
      <details>
        <summary>{translate('Which alerts')}</summary>
        <DataTable<DryRunPage['list'][number]>
          caption={translate('Alerts it applies to')}
          rows={run.list.slice(0, maxShown)}
          keyOf={({ alert_id }) => String(alert_id)}
          hrefOf={({ alert_id }) => link(`/alerts/${alert_id}`)}
          columns={[
            { label: translate('Alert'), isMain: true, cell: ({ alert_id }) => String(alert_id) },
            {
              label: translate('Amount'),
              isPlain: true,
              isNumber: true,
              cell: ({ amount, currency }) => amountText(amount, currency),
            },
            { label: translate('It would'), isPlain: true, cell: ({ would }) => <Badge state={would} /> },
            { label: translate('Because'), isPlain: true, cell: ({ reason }) => (reason ? reasonText(reason) : '') },
          ]}
        />
        {run.list.length > maxShown && (
          <p class="small">{translate('And {count} more.', { count: run.list.length - maxShown })}</p>
        )}
      </details>
    )}
  </section>
);
