import type { listAuditOperation as ListAuditOperation } from '#accounts/auth/api/list-audit/operation.ts';
import { remote } from '../app/client.ts';
import { zone } from '../app/preferences.ts';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import type { ChangeLine } from '../parts/change-line.ts';
import { Changes } from '../parts/changes.tsx';
import { DayList, type Entry } from '../parts/day-list.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteName } from '../parts/site-name.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { ClockTime } from '../parts/time.tsx';
import { type AuditRow, auditWords, groupActs } from './audit-words.ts';
import { isTimeSetting, settingLabel, settingText } from './setting-words.ts';

export const listAudit = remote<typeof ListAuditOperation>({ path: '/api/v3/audit/list', roles: ['manager'] });
type Row = AuditRow;

const filters: readonly Filter[] = [
  { name: 'username', label: translate('Username'), fits: /^[a-z][\w.@+-]*$/i },
  siteFilter,
  ...spanFilters(translate('Done')),
];

const tones: Readonly<Record<Row['result'], Tone>> = { DONE: 'good', REFUSED: 'bad', UNKNOWN: 'warn' };

/** The numbers of what it was about, apart from its site, which has a link. */
const numbersOf = ({ ids: { mid, rid, sid, ...others } }: Row): string => {
  const named = Object.entries(others).map(([name, id]) => `${stateWords(name.replace(/_id$/, ''))} ${id}`);
  const owner = rid ? translate('Retailer {id}', { id: rid }) : mid && translate('Merchant {id}', { id: mid });
  return [...named, sid ? '' : owner].filter(Boolean).join(', ');
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

/** First values in one line, then each replaced value with its old one, then the fields whose values are not shown. */
const Changed = ({ row }: { row: Row }) => {
  // The name stands above.
  const lines = linesOf({
    ...row,
    changes: row.changes.filter(({ field, before }) => field !== 'name' || before !== null),
  });
  const others = othersOf(row).join(', ');
  const stated = lines.filter(({ from, isTime }) => from === undefined && !isTime);
  return (
    <>
      {stated.length > 0 && <p>{stated.map(({ label, to }) => `${label}: ${to}`).join(' · ')}</p>}
      <Changes lines={lines.filter((line) => !stated.includes(line))} />
      {others && <p class="quiet">{translate('Changed, values not logged: {others}', { others })}</p>}
    </>
  );
};

/** The thing it was about by a name of its own: a new one, or that of a user. */
const nameIn = ({ changes, username }: Row): string | undefined => {
  const name = changes.find(({ field }) => field === 'name')?.after;
  return typeof name === 'string' ? name : (username ?? undefined);
};

/** Calls that anyone can make who knows a username. */
const isAnyones = ({ operation }: Row): boolean => operation === 'auth/ask-for-password';

const About = ({ row, numbers }: { row: Row; numbers: readonly string[] }) => (
  <>
    {isAnyones(row)
      ? translate('Anyone who knows the username may have asked, from {address}', { address: row.source_ip })
      : translate('By {name}, from {address}', { name: row.by, address: row.source_ip })}
    {row.ids['sid'] ? (
      <>
        {' · '}
        <SiteName sid={row.ids['sid']} />
      </>
    ) : null}
    {numbers.map((one) => ` · ${one}`)}
  </>
);

const toEntry = (act: readonly Row[]): Entry[] => {
  const [first] = act;
  if (!first) return [];
  const name = act.length === 1 ? nameIn(first) : countWords(act.length);
  return [
    {
      ...{ key: first.id, at: first.at },
      title: [auditWords(first.operation), name].filter(Boolean).join(': '),
      text: (
        <>
          <About row={first} numbers={[...new Set(act.map(numbersOf))].filter(Boolean)} />
          {act.map((row) => (
            <div key={row.id} class="changed">
              {act.length > 1 && (
                <p>
                  {nameIn(row) && <strong>{nameIn(row)}</strong>} <ClockTime at={row.at} />
                </p>
              )}
              <Changed row={row} />
            </div>
          ))}
        </>
      ),
      side: (
        <>
          {first.result !== 'DONE' && <Badge state={first.result} tone={tones[first.result]} />}
          {first.code && stateWords(first.code)} <ClockTime at={first.at} />
        </>
      ),
    },
  ];
};

const countWords = (count: number): string => translateCount(count, '{count} time', '{count} times');

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
        {...{ filters, load }}
        render={(rows) => (
          <DayList caption={translate('Audit')} entries={groupActs(rows, zone.value).flatMap(toEntry)} />
        )}
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
