import { useState } from 'preact/hooks';
import type { listMerchantsOperation as ListMerchantsOperation } from '#accounts/merchants/api/list-merchants/operation.ts';
import { go, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { chooseMerchant } from '../app/merchant.ts';
import { askPulse, listAlerts, listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { listText, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { useLoad } from '../parts/load.ts';
import { type Sum, sumsText } from '../parts/money.ts';
import { DataTable } from '../parts/table.tsx';
import { OperatorTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { listUsers } from './colleagues.ts';
import type { FailingSite } from './delivery-figures.ts';
import { splitByUrgency, sumRisk } from './home-figures.ts';
import { MerchantServices } from './merchant-services.tsx';
import { NewMerchant, serviceNames } from './new-merchant.tsx';
import { readFailing } from './read-failing.tsx';
import { amounts } from './report-parts.tsx';

export const listMerchants = remote<typeof ListMerchantsOperation>({ path: '/api/v3/merchant' });
type Merchant = RowOf<typeof ListMerchantsOperation>;
type Row = Merchant & {
  open: number;
  late: number;
  soon: number;
  risk: Sum[];
  failing: readonly FailingSite[];
  sites: readonly SiteRow[];
};

/** So many merchants are asked for their open alerts at once, and so many alerts of each are read. */
const pageSize = 50;
const maxOpen = 200;

const readMerchants = async (before: number | undefined, signal: AbortSignal) => {
  const { list, next_before } = await listMerchants({
    body: { size: pageSize, ...(before !== undefined && { before }) },
    signal,
  });
  const rows = await Promise.all(
    list.map(async (merchant): Promise<Row> => {
      const { mid } = merchant;
      const [{ open }, alerts, { list: sites }, { sites: failing }] = await Promise.all([
        askPulse({ body: { mid }, signal }),
        listAlerts({ body: { mid: [mid], status: ['OPEN', 'WIP', 'OTHER'], order: 'ASC', size: maxOpen }, signal }),
        listSites({ body: { mid, size: 500 }, signal }),
        readFailing({ mid }, signal),
      ]);
      const { late, soon } = splitByUrgency(alerts.list, serviceNow());
      const risk = sumRisk(alerts.list, serviceNow());
      return { ...merchant, open, late: late.length, soon: soon.length, risk, failing, sites };
    }),
  );
  // Trouble first, then size.
  return {
    rows: rows.toSorted((left, right) => right.failing.length - left.failing.length || right.open - left.open),
    next: next_before,
  };
};

/** For operators: all merchants with what needs a person, and the sites and users of one. */
export const Merchants = () => {
  const [before, setBefore] = useState<number>();
  const [chosen, choose] = useState<number>();
  const { data, error, reload } = useLoad(`merchants ${before ?? ''}`, (signal) => readMerchants(before, signal));
  const shown = data?.rows.find(({ mid }) => mid === chosen) ?? data?.rows[0];
  return (
    <Screen title={translate('Merchants')} heading={data && sayTrouble(data)} actions={<NewMerchant />}>
      <OperatorTabs at="/admin/merchants" />
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting />}
      {data && <List rows={data.rows} onChoose={choose} />}
      {data && (
        <div class="buttons">
          {before !== undefined && <Button onPress={() => setBefore(undefined)}>{translate('First page')}</Button>}
          {data.next !== null && (
            <Button onPress={() => setBefore(data.next ?? undefined)}>{translate('Next page')}</Button>
          )}
        </div>
      )}
      {shown && <Tree key={shown.mid} merchant={shown} onChange={reload} />}
    </Screen>
  );
};

/** The title: how many merchants have trouble, where that is known of all of them. */
const sayTrouble = ({ rows, next }: { rows: readonly Row[]; next: number | null }): string | undefined => {
  const count = rows.filter(({ failing }) => failing.length > 0).length;
  if (count === 0 || next !== null) return undefined;
  return translateCount(
    count,
    '{count} merchant has an endpoint that fails',
    '{count} merchants have an endpoint that fails',
  );
};

const Services = (merchant: Merchant) => (
  <ul class="tokens" aria-label={translate('Services')}>
    {serviceNames.map(({ name, short }) => (
      <li key={name}>
        <Badge
          state={name}
          tone={merchant[name] ? 'good' : 'plain'}
          label={merchant[name] ? short : translate('{service}: off', { service: short })}
        />
      </li>
    ))}
  </ul>
);

const Health = ({ failing, sites }: Row) => {
  if (failing.length > 0)
    return (
      <>
        <Badge state="failing" tone="warn" label={translate('Endpoint fails')} />
        <span class="beneath">
          {listText(
            failing.map(({ sid }) => sites.find((site) => site.sid === sid)?.name ?? translate('Site {sid}', { sid })),
          )}
        </span>
      </>
    );
  return sites.length === 0 ? (
    <Badge state="setup" tone="plain" label={translate('No site yet')} />
  ) : (
    <Badge state="well" tone="good" label={translate('Well')} />
  );
};

/** Counted as Home does, which the oldest alerts suffice for. */
const OpenAlerts = ({ open, late, soon }: Row) => (
  <>
    {countText(open)}
    {soon > 0 && <span class="beneath">{translate('{count} due within six hours', { count: countText(soon) })}</span>}
    {late > 0 && <span class="beneath">{translate('{count} late', { count: countText(late) })}</span>}
  </>
);

const AtRisk = ({ risk, open }: Row) => (
  <>
    {amounts(risk.slice(0, 1))}
    {risk.length > 1 && <span class="beneath">{translate('and {amounts}', { amounts: sumsText(risk.slice(1)) })}</span>}
    {open > maxOpen && (
      <span class="beneath">{translate('of the {count} oldest alerts', { count: countText(maxOpen) })}</span>
    )}
  </>
);

const Ways = ({ mid, name, onChoose }: Row & { onChoose: (mid: number) => void }) => (
  <span class="buttons tight">
    <Button
      aria-label={translate('Sites and users of {name}', { name })}
      onPress={() => {
        onChoose(mid);
        document.getElementById('merchant')?.scrollIntoView({ block: 'start' });
      }}
    >
      {translate('Sites and users')}
    </Button>
    <Button
      aria-label={translate('Work as merchant {name}', { name })}
      onPress={() => {
        chooseMerchant({ mid, name });
        go(link('/'));
      }}
    >
      {translate('Work as merchant')}
    </Button>
  </span>
);

const List = ({ rows, onChoose }: { rows: readonly Row[]; onChoose: (mid: number) => void }) => (
  <DataTable<Row>
    caption={translate('Merchants')}
    rows={rows}
    keyOf={({ mid }) => String(mid)}
    empty={<p>{translate('None.')}</p>}
    columns={[
      { label: translate('Merchant'), isMain: true, cell: ({ name }) => name },
      {
        label: translate('Health'),
        isPlain: true,
        cell: (row) => <Health {...row} />,
      },
      { label: translate('Open alerts'), isNumber: true, cell: (row) => <OpenAlerts {...row} /> },
      { label: translate('At risk'), isNumber: true, cell: (row) => <AtRisk {...row} /> },
      { label: translate('Sites'), isNumber: true, cell: ({ sites }) => countText(sites.length) },
      { label: translate('Since'), isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
      {
        label: translate('Action'),
        isPlain: true,
        cell: (row) => <Ways {...row} onChoose={onChoose} />,
      },
    ]}
  />
);

const siteTypes = {
  alert: translate('Dispute alerts'),
  payment: translate('Payments'),
  '3ds': translate('3-D Secure'),
} as const;

/** A merchant's services, its retailers with their sites and what these are for, and its users. */
const Tree = ({ merchant, onChange }: { merchant: Row; onChange: () => void }) => {
  const { mid, name, sites } = merchant;
  const { data: users } = useLoad(`users of ${mid}`, (signal) => listUsers({ body: { mid, size: 100 }, signal }));
  return (
    <div class="breakdowns" id="merchant">
      <section class="fact">
        <h2>{name}</h2>
        <Services {...merchant} />
        <div class="buttons">
          <MerchantServices {...{ merchant }} onDone={onChange} />
        </div>
        {sites.length === 0 && <p class="quiet">{translate('No site yet')}</p>}
        {[...Map.groupBy(sites, ({ retailer_name: retailer }) => retailer)].map(([retailer, own]) => (
          <section key={retailer}>
            <h3>{retailer}</h3>
            <ul class="plain-list">
              {own.map((site) => (
                <li key={site.sid}>
                  <a href={link(`/settings/${site.sid}`)}>{site.name}</a>{' '}
                  <span class="quiet">{site.type === null ? translate('not set up yet') : siteTypes[site.type]}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </section>
      <section class="fact">
        <h2>{translate('Users')}</h2>
        {users?.list.length === 0 && <p class="quiet">{translate('There are no users yet.')}</p>}
        <table class="ledger">
          <tbody>
            {(users?.list ?? []).map((person) => (
              <tr key={person.username}>
                <th scope="row">
                  {person.name} <span class="quiet">{person.username}</span>
                </th>
                <td>{person.role === null ? '–' : stateWords(person.role)}</td>
                <td>
                  {person.disabled
                    ? stateWords('DISABLED')
                    : person.password_set
                      ? ''
                      : translate('After setting a password')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
};
