import type { listAuditOperation as ListAuditOperation } from '#accounts/auth/api/list-audit/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteName } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';

export const listAudit = remote<typeof ListAuditOperation>({ path: '/api/v3/audit/list', roles: ['manager'] });
type Row = RowOf<typeof ListAuditOperation>;

const filters: readonly Filter[] = [
  { name: 'username', label: translate('Username'), fits: /^[a-z][\w.@+-]*$/i },
  siteFilter,
  ...spanFilters(translate('Done')),
];

const tones: Readonly<Record<Row['result'], Tone>> = { DONE: 'good', REFUSED: 'bad', UNKNOWN: 'warn' };

/** `merchants/rotate-rcode` in words: its area is seldom news. */
const operationWords = (operation: string): string =>
  stateWords((operation.split('/').at(-1) ?? operation).replaceAll('-', '_')).replace('three ds', '3-D Secure');

/** The narrowest thing it was about: who has a site's name needs not its merchant's. */
const About = ({ row: { ids, username } }: { row: Row }) => {
  const { mid, rid, sid, ...others } = ids;
  const named = Object.entries(others).map(([name, id]) => `${stateWords(name.replace(/_id$/, ''))} ${id}`);
  const [retailer, merchant] = [
    rid && translate('Retailer {id}', { id: rid }),
    mid && translate('Merchant {id}', { id: mid }),
  ];
  const words = [...named, username, !sid && (retailer ?? merchant)].filter(Boolean).join(', ');
  if (!sid) return words || '–';
  return (
    <>
      {words}
      {words && ', '}
      <SiteName sid={sid} />
    </>
  );
};

const columns: readonly Column<Row>[] = [
  { label: translate('What'), isMain: true, cell: ({ operation }) => operationWords(operation) },
  { label: translate('By'), isShort: true, cell: ({ by }) => by },
  { label: translate('About'), isPlain: true, cell: (row) => <About row={row} /> },
  { label: translate('Fields'), isExtra: true, cell: ({ fields }) => fields.map(stateWords).sort().join(', ') || '–' },
  {
    label: translate('Result'),
    isPlain: true,
    cell: ({ result, code }) => (
      <>
        <Badge state={result} tone={tones[result]} /> {code && <span class="small">{stateWords(code)}</span>}
      </>
    ),
  },
  { label: translate('From'), isShort: true, isExtra: true, cell: ({ source_ip }) => source_ip },
  { label: translate('When'), cell: ({ at }) => <Time at={at} /> },
];

const load = pagesOf(listAudit);

/** Lists changes and accesses with their authors. */
export const Audit = () => (
  <Screen
    title={translate('Audit')}
    lede={translate('Who changed settings, secrets, users, rules and lists in the last 400 days.')}
  >
    <PeopleTabs at="/audit" />
    {listAudit.isAllowed() ? (
      <Listing<Row>
        name="audit"
        caption={translate('Audit')}
        {...{ columns, filters, load }}
        search=""
        csvOf={({ ids, fields, ...row }) => ({ ...row, ids: JSON.stringify(ids), fields: fields.join(' ') })}
        keyOf={({ id }) => id}
        empty={<p>{translate('Nobody has changed anything.')}</p>}
      />
    ) : (
      <div class="empty">
        <p>{translate('Managers read this list.')}</p>
      </div>
    )}
  </Screen>
);
