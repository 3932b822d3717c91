import type { listKeyRequestsOperation as ListKeyRequestsOperation } from '#accounts/auth/api/list-key-requests/operation.ts';
import { address } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Copied } from '../parts/copy.tsx';
import { dateText } from '../parts/dates.ts';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { dayText } from '../parts/times.ts';
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

/** Why a request was refused, as far as its status says it. */
const statusWords: Readonly<Record<number, string>> = {
  400: translate('A field is missing or wrong'),
  401: translate('The signature or hash is missing or wrong'),
  403: translate('The key lacks the permission, or may not use this site'),
  404: translate('Not found, or it belongs to another merchant'),
  405: translate('The path has no such method'),
  409: translate('It conflicts with what is stored'),
  413: translate('It was too large'),
  429: translate('Too many requests at once'),
};

const sayWhy = (status: number): string => {
  if (status >= 500) return translate('The service failed, not your program');
  return status >= 400 ? (statusWords[status] ?? translate('Refused')) : '–';
};

const columns: readonly Column<Row>[] = [
  { label: translate('Arrived'), isMain: true, cell: ({ at }) => <Time at={at} exact /> },
  { label: translate('Status'), isPlain: true, isShort: true, cell: ({ status }) => sayStatus(status) },
  { label: translate('Why'), isPlain: true, cell: ({ status }) => sayWhy(status) },
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
    cell: ({ request_id: id }) => <Copied text={id} label={translate("Copy the request's id")} isCut />,
  },
];

/** The requests that a program made with a key. */
export const KeyRequests = ({ params }: { params: Readonly<Record<string, string | undefined>> }) => {
  const id = Number(params['id']);
  const { data } = useLoad('names of keys', (signal) => listApiKeys({ body: { ...ofMerchant(), size: 100 }, signal }));
  const key = data?.list.find((one) => one.id === id);
  const day = address.value.query.get('day') || dayText(serviceNow());
  const load: Load<Row> = (given, page, signal) =>
    listKeyRequests({ body: { id, ...given, ...page } as { id: number }, ...(signal && { signal }) });
  return (
    <Screen
      title={translate('Requests of key {number}', { number: key?.name ?? id })}
      heading={translate('Requests of key {number} on {day}', { number: key?.name ?? id, day: dateText(day) })}
      lede={translate(
        'One day in UTC; another one is among the filters. A request appears after about a minute, a few may be missing. The reply itself names the exact reason.',
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
