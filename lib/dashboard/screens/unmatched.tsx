import { useState } from 'preact/hooks';
import type { assignAlertOperation as AssignOperation } from '#disputes/alerts/api/assign-alert/operation.ts';
import type { listUnmatchedOperation as ListUnmatchedOperation } from '#disputes/alerts/api/list-unmatched/operation.ts';
import { address, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { listText, translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { type Group, Groups } from '../parts/day-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import type { PageAsked } from '../parts/narrow-pages.ts';
import { spanFilters } from '../parts/pages.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { alertName } from './named-alerts.ts';

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

const toGroups = (rows: readonly Row[], onDone: () => void): Group[] =>
  [...Map.groupBy(rows, ({ descriptor }) => descriptor)].map(([descriptor, own]) => ({
    ...{ key: descriptor, title: `${descriptor} · ${sumsText(own)}` },
    more: own.length > 1 && <Assign rows={own} onDone={onDone} />,
    entries: own.map((row) => ({
      ...{ key: String(row.alert_id), at: row.alert_date, href: link(`/alerts/${row.alert_id}`) },
      title: alertName(row),
      text: [
        row.unmatched_reason && reasons[row.unmatched_reason],
        stateWords(row.alert_type),
        stateWords(row.provider),
      ]
        .filter(Boolean)
        .join(' · '),
      side: (
        <>
          <Time at={row.alert_date} /> <Assign rows={[row]} onDone={onDone} />
        </>
      ),
    })),
  }));

/** Alerts without an owner, by descriptor: an operator assigns one, or all of a descriptor, to a site. */
export const Unmatched = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  return (
    <Screen
      title={translate('Unmatched alerts')}
      heading={toTitle(rows)}
      lede={translate('Alerts whose descriptor was enrolled by no merchant, or by more than one.')}
    >
      <Listing<Row>
        name="unmatched"
        caption={translate('Unmatched alerts')}
        {...{ filters, load, version }}
        render={(shown) => (
          <Groups
            caption={translate('Unmatched alerts')}
            groups={toGroups(shown, () => setVersion((before) => before + 1))}
          />
        )}
        onRows={setRows}
        csvOf={(row) => ({ ...row })}
        keyOf={({ alert_id }) => String(alert_id)}
        empty={<p>{translate('Every alert has found its site.')}</p>}
      />
    </Screen>
  );
};

type AssignProps = { rows: readonly Row[]; onDone: () => void };

const Assign = ({ rows, onDone }: AssignProps) => {
  const [isOpen, setOpen] = useState(false);
  const [row] = rows;
  if (!row) return null;
  const words = rows.length === 1 ? translate('Assign') : translateCount(rows.length, 'Assign', 'Assign all {count}');
  const title =
    rows.length === 1 ? translate('Assign alert {alertId}', { alertId: row.alert_id }) : `${words}: ${row.descriptor}`;
  const finish = () => {
    setOpen(false);
    onDone();
  };
  return (
    <>
      <Button aria-label={title} onPress={() => setOpen(true)}>
        {words}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <AssignForm {...{ rows, row }} onDone={finish} />
        </Dialog>
      )}
    </>
  );
};

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);

/** Sites found by what is typed; those that share a word with the descriptor come first, and none is preset without one. */
const toChoices = (sites: readonly SiteRow[], typed: string, descriptor: string) => {
  const near = wordsIn(descriptor);
  const found = sites
    .map(({ sid, name, merchant_name }) => ({
      ...{ value: String(sid), label: `${name}, ${merchant_name} (${sid})` },
      rank: wordsIn(`${name} ${merchant_name}`).filter((word) => near.includes(word)).length,
    }))
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .sort((left, right) => right.rank - left.rank)
    .slice(0, 50);
  const isGuess = found.length > 1 && found[0]?.rank === 0;
  return isGuess ? [{ value: '', label: translate('Choose a site') }, ...found] : found;
};

/** Assigns alerts one after another; returns those that were refused, with the reason. One alone throws. */
const assignAll = async (rows: readonly Row[], sid: string): Promise<string[]> => {
  const failed: string[] = [];
  for (const row of rows) {
    try {
      await assign({ params: { alert_id: row.alert_id }, body: { sid } });
    } catch (refusal) {
      if (rows.length === 1) throw refusal;
      failed.push(`${alertName(row)} (${refusal instanceof Error ? refusal.message : String(refusal)})`);
    }
  }
  return failed;
};

const AssignForm = ({ rows, row: { descriptor }, onDone }: AssignProps & { row: Row }) => {
  const [typed, setTyped] = useState('');
  const { data, error, reload } = useLoad('alert sites', (signal) =>
    listSites({ body: { type: ['alert'], size: 500 }, signal }),
  );
  const choices = toChoices(data?.list ?? [], typed, descriptor);
  const send = async ({ sid = '' }: Record<string, string>) => {
    const failed = await assignAll(rows, sid);
    say(sayAssigned(rows.length - failed.length, failed), failed.length > 0 ? 'bad' : 'good');
    onDone();
  };
  return (
    <>
      <p>
        {translate('{descriptor}, {amount}. The network’s deadline does not wait for this.', {
          descriptor,
          amount: sumsText(rows),
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

const sayAssigned = (count: number, failed: readonly string[]): string =>
  [
    translateCount(
      count,
      '{count} alert was assigned. Its site is notified.',
      '{count} alerts were assigned. Their site is notified.',
    ),
    failed.length > 0 && translate('Not assigned: {alerts}', { alerts: listText(failed) }),
  ]
    .filter(Boolean)
    .join(' ');
