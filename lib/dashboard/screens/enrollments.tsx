import { useRef, useState } from 'preact/hooks';
import type { createEnrollmentOperation as CreateOperation } from '#disputes/enrollments/api/create-enrollment/operation.ts';
import type { listEnrollmentsOperation as ListOperation } from '#disputes/enrollments/api/list-enrollments/operation.ts';
import type { unenrollItemOperation as UnenrollOperation } from '#disputes/enrollments/api/unenroll-item/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { compose, inSentence, listText, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { DayList, type Entry } from '../parts/day-list.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter, PageAsked } from '../parts/narrow-pages.ts';
import { siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteField } from '../parts/site-field.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { ClockTime, Time } from '../parts/time.tsx';

export const listEnrollments = remote<typeof ListOperation>({ path: '/api/v3/service_alerts/descriptor_enrollments' });
const createEnrollment = remote<typeof CreateOperation>({
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  roles: ['developer', 'manager'],
});
const unenroll = remote<typeof UnenrollOperation>({
  path: '/api/v3/service_alerts/descriptor_enrollment/{id}/unenroll',
  roles: ['developer', 'manager'],
});
type Row = RowOf<typeof ListOperation>;
type Item = Row['enrollment_items'][number];

const statuses = [
  'ENROLLED',
  'PARTIALLY ENROLLED',
  'WAITING FOR PROVIDER',
  'WAITING FOR ACTION',
  'FAILED',
  'UNENROLLED',
];
const filters: readonly Filter[] = [
  {
    name: 'status',
    label: translate('Status'),
    choices: statuses.map((value) => ({ value, label: stateWords(value) })),
  },
  siteFilter,
  ...spanFilters(translate('Requested')),
];

type Body = NonNullable<Parameters<typeof listEnrollments>[0]['body']>;

/** This list has no cursors: it is entered by how many rows lie before. */
const load = async (given: Record<string, string>, { size, cursor }: PageAsked, signal?: AbortSignal) => {
  const offset = Number(cursor ?? 0);
  const { mid } = ofMerchant();
  const body = { ...(mid !== undefined && { mid: [mid] }), ...(given as Body), size, offset };
  const { list, totalResult } = await listEnrollments({ body, ...(signal && { signal }) });
  const next = offset + list.length;
  return { list, totalResult, next_cursor: next < totalResult && list.length > 0 ? String(next) : null };
};

/** Which descriptors the networks watch for whom. */
export const Enrollments = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const reload = () => setVersion((before) => before + 1);
  return (
    <Screen
      title={translate('Enrollments')}
      heading={toTitle(rows)}
      lede={compose('The descriptors for which networks send you {alerts}.', {
        alerts: <Term name="alert">{inSentence(translate('Alerts'))}</Term>,
      })}
      actions={createEnrollment.isAllowed() && <Enroll onDone={reload} />}
    >
      <Listing<Row>
        name="enrollments"
        caption={translate('Enrollment requests')}
        {...{ filters, load }}
        onRows={setRows}
        render={(rows) => (
          <DayList
            caption={translate('Enrollment requests')}
            failedTitle={translate('Not watched yet')}
            entries={rows.map((row) => toEntry(row, reload))}
          />
        )}
        version={version}
        csvOf={({ enrollment_items, enrollment_request_id, merchant_name, site_name }) =>
          enrollment_items.map((item) => ({ enrollment_request_id, merchant_name, site_name, ...lineShape, ...item }))
        }
        keyOf={({ enrollment_request_id }) => String(enrollment_request_id)}
        empty={<p>{translate('Nothing is enrolled yet, so no alerts can reach you.')}</p>}
      />
    </Screen>
  );
};

/** The problem of a request, and the next step. */
const problems: Readonly<Record<string, string>> = {
  FAILED: translate('The networks refused it: check the descriptors, and enroll them again.'),
  'PARTIALLY ENROLLED': translate('Only some are watched: see which are not, and enroll those again.'),
  'WAITING FOR ACTION': translate('It waits until a person has entered it at the network: ask your operator.'),
};

/** The number of shown requests that need a person; if none does, of the descriptors that networks watch. */
const toTitle = (rows: readonly Row[]): string | undefined => {
  const count = rows.filter(({ status }) => status in problems).length;
  const watched = namesOf(
    rows.flatMap(({ enrollment_items: items }) => items.filter(({ status }) => status === 'ENROLLED')),
  );
  if (count > 0) return translateCount(count, '{count} request needs you', '{count} requests need you');
  return watched.size === 0
    ? undefined
    : translateCount(watched.size, 'Networks watch {count} descriptor', 'Networks watch {count} descriptors');
};

/** Names in a sentence, the first few of them. */
const shownNames = (names: readonly string[]): string => {
  const some = names.slice(0, 3);
  const more = names.length - some.length;
  return listText([...some, ...(more > 0 ? [translateCount(more, '{count} more', '{count} more')] : [])]);
};

const toEntry = (row: Row, onDone: () => void): Entry => {
  const { enrollment_request_id: id, enrollment_items: items, site_name, merchant_name, status, last_activity } = row;
  const networks = [...new Set(items.map(({ provider }) => stateWords(provider)))];
  const problem = problems[status];
  return {
    key: String(id),
    at: row.request_date,
    title: shownNames([...namesOf(items)].filter(Boolean)),
    text: (
      <>
        {translate('{site}, at {networks}', { site: site_name, networks: listText(networks) })}
        {presentMid() === undefined && `, ${merchant_name}`} · {translate('Last activity')} <Time at={last_activity} />
      </>
    ),
    side: (
      <>
        <Badge state={status} /> {problem ? <Time at={row.request_date} /> : <ClockTime at={row.request_date} />}
      </>
    ),
    ...(problem && { failed: problem }),
    numbers: (
      <>
        <Items row={row} onDone={onDone} /> · {translate('Request {id}', { id })}
      </>
    ),
  };
};

/** The columns of a file, as one network's items lack those of another. */
const lineShape = {
  provider: '',
  descriptor: '',
  match_type: '',
  mcc: '',
  network_bin: '',
  network_caid: '',
  network_arn: '',
  rdr_ruleset: '',
};

/** The names of entries: several networks may watch the same one. */
const namesOf = (items: readonly Item[]): ReadonlySet<string> => new Set(items.map(itemName));

const itemName = (item: Item): string => item.descriptor || ('network_bin' in item ? (item.network_bin ?? '') : '');

const Items = ({ row, onDone }: { row: Row; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const { enrollment_request_id: id, enrollment_items: items } = row;
  return (
    <>
      <Button
        look="bare"
        onPress={() => setOpen(true)}
        aria-label={translateCount(
          namesOf(items).size,
          '{count} descriptor of request {id}',
          '{count} descriptors of request {id}',
          {
            id,
          },
        )}
      >
        {translateCount(namesOf(items).size, '{count} descriptor', '{count} descriptors')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Request {id}', { id })} isWide onClose={() => setOpen(false)}>
          <DataTable<Item>
            caption={translate('Items of the request')}
            rows={items}
            keyOf={(item) => `${item.provider} ${itemName(item)}`}
            columns={[
              { label: translate('Descriptor'), isMain: true, cell: itemName },
              {
                label: translate('Match'),
                isPlain: true,
                cell: (item) => ('match_type' in item ? matchWords(item.match_type) : ''),
              },
              {
                label: translate('Network'),
                isPlain: true,
                isShort: true,
                cell: ({ provider }) => stateWords(provider),
              },
              { label: translate('Status'), isPlain: true, cell: ({ status }) => <Badge state={status} /> },
              { label: translate('Last activity'), cell: ({ last_activity }) => <Time at={last_activity} /> },
              ...(unenroll.isAllowed() ? [unenrolling(id, onDone)] : []),
            ]}
          />
        </Dialog>
      )}
    </>
  );
};

const unenrolling = (id: number, onDone: () => void): Column<Item> => ({
  label: translate('Action'),
  cell: (item) => item.status === 'ENROLLED' && <Unenroll {...{ id, item, onDone }} />,
});

const Unenroll = ({ id, item, onDone }: { id: number; item: Item; onDone: () => void }) => {
  const [isSure, setSure] = useState(false);
  const press = async () => {
    if (!isSure) {
      setSure(true);
      return;
    }
    const network =
      'network_bin' in item
        ? { network_bin: item.network_bin, network_caid: item.network_caid, network_arn: item.network_arn }
        : {};
    try {
      await unenroll({
        params: { id },
        body: { provider: item.provider, descriptor: item.descriptor || null, ...network },
      });
      say(translate('{name} is no longer enrolled.', { name: itemName(item) }));
      onDone();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  const label = translate('Unenroll {name} at {network}', { name: itemName(item), network: stateWords(item.provider) });
  return (
    <Button
      look={isSure ? 'danger' : 'plain'}
      aria-label={isSure ? `${translate('Sure?')} ${label}` : label}
      onPress={press}
    >
      {isSure ? translate('Sure?') : translate('Unenroll')}
    </Button>
  );
};

const matchTypes = [
  { value: 'Exact', label: translate('Exactly this text') },
  { value: 'Starts with', label: translate('Everything that begins with it') },
] as const;

const matchWords = (type: string | null): string => matchTypes.find(({ value }) => value === type)?.label ?? type ?? '';

const Enroll = ({ onDone }: { onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const last = useRef({ content: '', key: '' });
  const send = async ({ sid = '', descriptor = '', match_type }: Record<string, string>, form: HTMLFormElement) => {
    const ticked = new FormData(form);
    const provider = (['provider_a', 'provider_b'] as const).filter((name) => ticked.get(name) === 'on');
    if (provider.length === 0) throw new Error(translate('Choose a network.'));
    const match = matchTypes.find(({ value }) => value === match_type)?.value ?? 'Exact';
    const body = { sid, enrollment_items: [{ provider, descriptor, match_type: match }] };
    // The same request, sent again after a lost answer, has the same key; descriptors have characters that a key must not have.
    const content = JSON.stringify(body);
    if (last.current.content !== content) last.current = { content, key: crypto.randomUUID() };
    const { msg } = await createEnrollment({ body, idempotencyKey: last.current.key });
    say(msg);
    setOpen(false);
    onDone();
  };
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        {translate('Enroll a descriptor')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Enroll a descriptor')} onClose={() => setOpen(false)}>
          <Form onSend={send} send={translate('Request it')}>
            {(problems) => (
              <>
                <SiteField type="alert" problem={problems['sid']} />
                <Field
                  label={translate('Descriptor')}
                  name="descriptor"
                  required
                  maxLength={64}
                  autoCapitalize="characters"
                  hint={translate(
                    'As it appears on card statements; with * at its end, everything that begins with it.',
                  )}
                  problem={problems['enrollment_items.0.descriptor']}
                />
                <Select
                  label={translate('Match')}
                  name="match_type"
                  choices={matchTypes}
                  problem={problems['enrollment_items.0.match_type']}
                />
                <fieldset class="stack">
                  <legend>{translate('Networks')}</legend>
                  <Check label={translate('Provider A')} name="provider_a" defaultChecked />
                  <Check label={translate('Provider B')} name="provider_b" defaultChecked />
                </fieldset>
              </>
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
};
