import { useState } from 'preact/hooks';
import type { assignAlertOperation as AssignOperation } from '#disputes/alerts/api/assign-alert/operation.ts';
import type { listUnmatchedOperation as ListUnmatchedOperation } from '#disputes/alerts/api/list-unmatched/operation.ts';
import { address } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { listSites } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, sumsText } from '../parts/money.ts';
import type { PageAsked } from '../parts/narrow-pages.ts';
import { spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';

const listUnmatched = remote<typeof ListUnmatchedOperation>({ path: '/api/v3/service_alerts/unmatched' });
const assign = remote<typeof AssignOperation>({ path: '/api/v3/service_alerts/unmatched/{alert_id}/assign' });
type Row = RowOf<typeof ListUnmatchedOperation>;

const reasons = {
  no_match: translate('Not enrolled by any merchant'),
  tie: translate('Enrolled by several merchants'),
} as const;
const filters = spanFilters(translate('Received'));

type Body = NonNullable<Parameters<typeof listUnmatched>[0]['body']>;
const load = (given: Record<string, string>, page: PageAsked, signal?: AbortSignal) =>
  listUnmatched({ body: { ...(given as Body), ...page }, ...(signal && { signal }) });

/** The alerts that wait for an operator, in words; undefined where there are none, or perhaps more than this page shows. */
const toTitle = (rows: readonly Row[]): string | undefined =>
  rows.length === 0 || rows.length >= 50 || address.value.query.has('cursor')
    ? undefined
    : translateCount(
        rows.length,
        '{count} alert waits to be assigned, {amount}',
        '{count} alerts wait to be assigned, {amount}',
        { amount: sumsText(rows) },
      );

/** Alerts without an owner: an operator assigns each to its site. */
export const Unmatched = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const columns: readonly Column<Row>[] = [
    {
      label: translate('Amount'),
      isMain: true,
      cell: ({ amount, currency, alert_id: id }) => (
        <>
          {amountText(amount, currency)}
          <span class="unseen">, {translate('alert {id}', { id })}</span>
        </>
      ),
    },
    { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card} /> },
    { label: translate('Descriptor'), isPlain: true, cell: ({ descriptor }) => descriptor },
    {
      label: translate('Reason'),
      isPlain: true,
      cell: ({ unmatched_reason }) => (unmatched_reason ? reasons[unmatched_reason] : ''),
    },
    { label: translate('Type'), isPlain: true, isShort: true, cell: ({ alert_type }) => stateWords(alert_type) },
    { label: translate('Network'), isPlain: true, isExtra: true, cell: ({ provider }) => stateWords(provider) },
    { label: translate('Received'), cell: ({ alert_date }) => <Time at={alert_date} /> },
    {
      label: translate('Action'),
      isPlain: true,
      cell: (row) => <Assign row={row} onDone={() => setVersion((before) => before + 1)} />,
    },
  ];
  return (
    <Screen
      title={translate('Unmatched alerts')}
      heading={toTitle(rows)}
      lede={translate('Alerts whose descriptor was enrolled by no merchant, or by more than one.')}
    >
      <Listing<Row>
        name="unmatched"
        caption={translate('Unmatched alerts')}
        {...{ columns, filters, load, version }}
        onRows={setRows}
        csvOf={(row) => ({ ...row })}
        keyOf={({ alert_id }) => String(alert_id)}
        hrefOf={({ alert_id }) => `#/alerts/${alert_id}`}
        empty={<p>{translate('Every alert has found its site.')}</p>}
      />
    </Screen>
  );
};

const Assign = ({ row, onDone }: { row: Row; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={translate('Assign alert {alertId}', { alertId: row.alert_id })} onPress={() => setOpen(true)}>
        {translate('Assign')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Assign alert {alertId}', { alertId: row.alert_id })} onClose={() => setOpen(false)}>
          <AssignForm
            row={row}
            onDone={() => {
              setOpen(false);
              onDone();
            }}
          />
        </Dialog>
      )}
    </>
  );
};

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);

/** Sites found by what is typed; those that share a word with the descriptor come first. */
const AssignForm = ({ row, onDone }: { row: Row; onDone: () => void }) => {
  const [typed, setTyped] = useState('');
  const { data, error, reload } = useLoad('alert sites', (signal) =>
    listSites({ body: { type: ['alert'], size: 500 }, signal }),
  );
  const near = words(row.descriptor);
  const rank = (name: string) => words(name).filter((word) => near.includes(word)).length;
  const choices = (data?.list ?? [])
    .filter(({ sid, name, merchant_name }) =>
      `${sid} ${name} ${merchant_name}`.toLowerCase().includes(typed.toLowerCase()),
    )
    .sort((left, right) => rank(`${right.name} ${right.merchant_name}`) - rank(`${left.name} ${left.merchant_name}`))
    .slice(0, 50)
    .map(({ sid, name, merchant_name }) => ({ value: String(sid), label: `${name}, ${merchant_name} (${sid})` }));
  const send = async ({ sid = '' }: Record<string, string>) => {
    await assign({ params: { alert_id: row.alert_id }, body: { sid } });
    say(translate('Alert {alertId} was assigned. Its site is notified.', { alertId: row.alert_id }));
    onDone();
  };
  return (
    <>
      <p>
        {translate('{descriptor}, {amount}. Its deadline will count from when you assign it.', {
          descriptor: row.descriptor,
          amount: amountText(row.amount, row.currency),
        })}
      </p>
      <Trouble error={error} onRetry={reload} />
      <Form onSend={send} send={translate('Assign')} isDisabled={choices.length === 0}>
        {(problems) => (
          <>
            <Field
              label={translate('Find a site')}
              autoComplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
            <Select
              label={translate('Site')}
              name="sid"
              required
              choices={choices}
              hint={data && choices.length === 0 && translate('No site has that name.')}
              problem={problems['sid']}
            />
          </>
        )}
      </Form>
    </>
  );
};
