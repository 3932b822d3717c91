import type { backTestChargebackRulesOperation as BackTestOperation } from '#disputes/chargebacks/api/back-test-chargeback-rules/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { compose, translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { amountText, sumByCurrency } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { RuleDto } from './rule-operations.ts';

/** The parts of the screen of a rule that differ for rules about chargebacks. */

const backTest = remote<typeof BackTestOperation>({ path: '/api/v3/service_alerts/chargebacks' });
type BackTestPage = ReplyOf<typeof BackTestOperation>;
type Wanted = NonNullable<Parameters<typeof backTest>[0]['body']>;

export const chargebackActions = [
  { value: 'submit', label: translate('Submit the evidence') },
  { value: 'accept', label: translate('Accept the loss') },
  { value: 'assign', label: translate('Assign it to a user') },
  { value: 'review', label: translate('Leave it to people') },
] as const;
export type ChargebackActionType = (typeof chargebackActions)[number]['value'];

const floors = [
  {
    value: 'decisive',
    label: translate('Evidence that decides disputes of this reason'),
    inRule: translate('if it includes evidence that decides'),
  },
  { value: 'any', label: translate('Any evidence'), inRule: translate('if there is any') },
  { value: 'none', label: translate('None'), inRule: translate('even if there is none') },
] as const;

type Fields = Readonly<Record<string, string | undefined>>;

/** The action as it is sent. */
export const chargebackActionFrom = (
  type: ChargebackActionType,
  { floor, fee_acknowledged: fee, assignee }: Fields,
) => ({
  type,
  ...(type === 'submit' && { floor: floors.find(({ value }) => value === floor)?.value ?? ('decisive' as const) }),
  ...(type === 'submit' && fee && { fee_acknowledged: true as const }),
  ...(type === 'assign' && assignee && { assignee }),
});

/** The details of an action in words, for lists of rules and versions. */
export const chargebackActionWords = ({ type, floor, fee_acknowledged: fee }: RuleDto['action']): string[] => [
  ...floors.flatMap(({ value, inRule }) => (type === 'submit' && value === floor ? [inRule] : [])),
  ...(fee ? [translate('agrees to the fee of 500 USD')] : []),
];

type ActionProps = {
  action: RuleDto['action'] | undefined;
  type: ChargebackActionType;
  problems: Readonly<Record<string, string>>;
  onChange: () => void;
};

export const ChargebackActionFields = ({ action, type, problems, onChange }: ActionProps) => (
  <>
    {type === 'submit' && (
      <>
        <Select
          label={translate('The least evidence')}
          name="floor"
          choices={floors}
          defaultValue={action?.floor ?? 'decisive'}
          onChange={onChange}
          hint={translate('With less, nothing is submitted and the chargeback is left to people.')}
        />
        <Check
          label={translate('Agree to the fee for compliance disputes at Stripe: 500 USD, returned only if it is won')}
          name="fee_acknowledged"
          defaultChecked={action?.fee_acknowledged ?? false}
          onChange={onChange}
        />
      </>
    )}
    {type === 'assign' && (
      <Field
        label={translate('Username')}
        name="assignee"
        required
        maxLength={100}
        defaultValue={action?.assignee ?? ''}
        problem={problems['action.assignee']}
      />
    )}
  </>
);

/** What rules would have done with the chargebacks of the last year. */
export type ChargebackTrial = {
  evaluated: number;
  matched: number;
  list: BackTestPage['list'];
  /** It was about RDR. */
  isRdr: boolean;
  totals: Totals;
  from: string;
};
type Name = 'won' | 'lost' | 'pending' | 'uncontested' | 'would_refund' | 'by_network' | 'by_network_only';
type Totals = Record<Name, { amount: string; currency: string }[]>;

/** Reads all pages. `onPage`: how many chargebacks were read so far. */
export const tryOnChargebacks = async (
  wanted: Wanted,
  onPage: (evaluated: number) => void,
): Promise<ChargebackTrial> => {
  const pages: BackTestPage[] = [];
  let cursor: string | null = null;
  do {
    const page: BackTestPage = await backTest({ body: { ...wanted, ...(cursor !== null && { cursor }) } });
    pages.push(page);
    cursor = page.next_cursor;
    onPage(pages.reduce((sum, { evaluated }) => sum + evaluated, 0));
  } while (cursor !== null);
  const sum = (name: keyof Totals) =>
    sumByCurrency(
      pages.flatMap(({ totals }) => totals.map((one) => ({ amount: one[name] ?? '0', currency: one.currency }))),
    );
  return {
    evaluated: pages.reduce((all, { evaluated }) => all + evaluated, 0),
    matched: pages.reduce((all, { matched }) => all + matched, 0),
    list: pages.flatMap(({ list }) => list),
    isRdr: wanted.about === 'rdr',
    totals: {
      ...{ won: sum('won'), lost: sum('lost'), pending: sum('pending'), uncontested: sum('uncontested') },
      ...{ would_refund: sum('would_refund'), by_network: sum('by_network'), by_network_only: sum('by_network_only') },
    },
    from: pages[0]?.from ?? '',
  };
};

const amounts = (sums: Totals['won']): string =>
  sums.map(({ amount, currency }) => amountText(amount, currency)).join(', ') || translate('nothing');

const maxShown = 20;

const RdrTotals = (totals: Totals) => (
  <>
    {translate(
      'It would have refunded {refunded}. Of that you won {won} by contesting it, and lost {lost} with and {uncontested} without evidence from here. The network refunded {network}, of which it would have left {left} alone.',
      {
        refunded: amounts(totals.would_refund),
        won: amounts(totals.won),
        lost: amounts(totals.lost),
        uncontested: amounts(totals.uncontested),
        network: amounts(totals.by_network),
        left: amounts(totals.by_network_only),
      },
    )}
  </>
);

export const ChargebackTrialResult = ({ trial }: { trial: ChargebackTrial }) => (
  <section class="note" aria-label={translate('What it would have done')} role="status">
    <p>
      {compose('Of {chargebacks} since {time} it applies to {matched}.', {
        chargebacks: translateCount(trial.evaluated, '{count} chargeback', '{count} chargebacks'),
        time: <Time at={trial.from} />,
        matched: <strong>{trial.matched}</strong>,
      })}{' '}
      {trial.isRdr && <RdrTotals {...trial.totals} />}
      {!trial.isRdr &&
        translate(
          'Of what it would have submitted, you won {won} and lost {lost}; {pending} is pending, and {uncontested} was lost without evidence from here.',
          {
            won: amounts(trial.totals.won),
            lost: amounts(trial.totals.lost),
            pending: amounts(trial.totals.pending),
            uncontested: amounts(trial.totals.uncontested),
          },
        )}
    </p>
    {trial.list.length > 0 && (
      <details>
        <summary>{translate('Which chargebacks')}</summary>
        <DataTable<BackTestPage['list'][number]>
          caption={translate('Chargebacks it applies to')}
          rows={trial.list.slice(0, maxShown)}
          keyOf={({ chargeback_id }) => chargeback_id}
          hrefOf={({ chargeback_id }) => link(`/chargebacks/${chargeback_id}`)}
          columns={[
            { label: translate('Raised'), isMain: true, cell: ({ opened_at }) => <Time at={opened_at} /> },
            {
              label: translate('Amount'),
              isPlain: true,
              isNumber: true,
              cell: ({ amount, currency }) => amountText(amount, currency),
            },
            { label: translate('It would'), isPlain: true, cell: ({ would }) => <Badge state={would} /> },
            { label: translate('Status'), isPlain: true, cell: ({ status }) => <Badge state={status} /> },
          ]}
        />
        {trial.list.length > maxShown && (
          <p class="small">{translate('And {count} more.', { count: trial.list.length - maxShown })}</p>
        )}
      </details>
    )}
  </section>
);
