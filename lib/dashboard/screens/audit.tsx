import type { listAuditOperation as ListAuditOperation } from '#accounts/auth/api/list-audit/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import type { ChangeLine } from '../parts/change-line.ts';
import { Changes } from '../parts/changes.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteName } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { auditWords } from './audit-words.ts';
import { isTimeSetting, settingLabel, settingText } from './setting-words.ts';

export const listAudit = remote<typeof ListAuditOperation>({ path: '/api/v3/audit/list', roles: ['manager'] });
type Row = RowOf<typeof ListAuditOperation>;

const filters: readonly Filter[] = [
  { name: 'username', label: translate('Username'), fits: /^[a-z][\w.@+-]*$/i },
  siteFilter,
  ...spanFilters(translate('Done')),
];

const tones: Readonly<Record<Row['result'], Tone>> = { DONE: 'good', REFUSED: 'bad', UNKNOWN: 'warn' };

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

const linesOf = ({ changes }: Row): ChangeLine[] =>
  changes.map(({ field, before, after }) => {
    const from = settingText(field, before);
    return {
      label: settingLabel(field),
      ...(from !== '' && { from }),
      to: settingText(field, after) || '–',
      ...(isTimeSetting(field) && { isTime: true }),
    };
  });

/** Names that say what a call was about, which has a column of its own. */
const subjects = ['mid', 'rid', 'sid', 'id', 'username', 'from', 'to', 'version', 'keep_others'];

/** Fields that were sent and whose values are not shown. */
const othersOf = ({ changes, fields }: Row): string[] => {
  const shown = new Set(changes.map(({ field }) => field.split('.')[0]));
  return fields.filter((name) => !shown.has(name) && !subjects.includes(name)).map(settingLabel);
};

/** Old and new values; under them what else was sent. */
const Changed = ({ row }: { row: Row }) => {
  const others = othersOf(row).join(', ');
  if (row.changes.length === 0) return others || '–';
  return (
    <>
      <Changes lines={linesOf(row)} />
      {others && <p class="small quiet">{translate('Also sent: {others}', { others })}</p>}
    </>
  );
};

const columns: readonly Column<Row>[] = [
  { label: translate('What|audit'), isMain: true, cell: ({ operation }) => auditWords(operation) },
  { label: translate('By'), isShort: true, cell: ({ by }) => by },
  { label: translate('About'), isPlain: true, cell: (row) => <About row={row} /> },
  { label: translate('What changed'), isPlain: true, cell: (row) => <Changed row={row} /> },
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

const load = loadPages(listAudit);

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
        csvOf={({ ids, fields, changes, ...row }) => ({
          ...row,
          ids: JSON.stringify(ids),
          fields: fields.join(' '),
          changes: JSON.stringify(changes),
        })}
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
