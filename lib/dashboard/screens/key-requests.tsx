import type { listKeyRequestsOperation as ListKeyRequestsOperation } from '#accounts/auth/api/list-key-requests/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { ofMerchant } from '../app/merchant.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Copied } from '../parts/copy.tsx';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { listApiKeys } from './api-keys.tsx';

const listKeyRequests = remote<typeof ListKeyRequestsOperation>({ path: '/api/v3/api-keys', roles: ['manager'] });
type Row = RowOf<typeof ListKeyRequestsOperation>;

const filters: readonly Filter[] = [
  {
    name: 'result',
    label: translate('Result'),
    choices: [
      { value: 'refused', label: translate('Refused (4xx)') },
      { value: 'failed', label: translate('Failed (5xx)') },
    ],
  },
  { name: 'day', label: translate('Day'), type: 'date', hint: translate('In UTC, today if empty. Kept for 30 days.') },
];

const sayStatus = (status: number) => {
  if (status >= 500) return <Badge state="FAILED" tone="bad" label={String(status)} />;
  return <Badge state="OK" tone={status >= 400 ? 'warn' : 'good'} label={String(status)} />;
};

const columns: readonly Column<Row>[] = [
  { label: translate('Arrived'), isMain: true, cell: ({ at }) => <Time at={at} exact /> },
  { label: translate('Status'), isPlain: true, isShort: true, cell: ({ status }) => sayStatus(status) },
  {
    label: translate('Method and path'),
    cell: ({ method, path }) => (
      <span class="code">
        {method} {path}
      </span>
    ),
  },
  {
    label: translate('Time taken'),
    isNumber: true,
    cell: ({ milliseconds }) => translate('{milliseconds} ms', { milliseconds }),
  },
  {
    label: translate('Request id'),
    cell: ({ request_id: id }) => <Copied text={id} label={translate("Copy the request's id")} />,
  },
];

/** The requests that a program made with a key. */
export const KeyRequests = ({ params }: { params: Readonly<Record<string, string | undefined>> }) => {
  const id = Number(params['id']);
  const { data } = useLoad('names of keys', (signal) => listApiKeys({ body: { ...ofMerchant(), size: 100 }, signal }));
  const key = data?.list.find((one) => one.id === id);
  const load: Load<Row> = (given, page, signal) =>
    listKeyRequests({ body: { id, ...given, ...page } as { id: number }, ...(signal && { signal }) });
  return (
    <Screen
      title={translate('Requests of key {number}', { number: key?.name ?? id })}
      lede={translate(
        'What a program called, without its data. A request appears after about a minute; a few may be missing.',
      )}
      from={{ label: translate('API keys'), href: '#/api-keys' }}
    >
      <PeopleTabs at="/api-keys" />
      <Listing<Row>
        name={`api-key-${id}`}
        caption={translate('Requests')}
        {...{ columns, filters, load }}
        csvOf={(row) => row}
        keyOf={({ request_id }) => request_id}
        empty={<p>{translate('No request with this key on this day.')}</p>}
      />
    </Screen>
  );
};
