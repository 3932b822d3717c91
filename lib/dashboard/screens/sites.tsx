import { link } from '../app/address.ts';
import { presentMid } from '../app/merchant.ts';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { type Entry, Groups } from '../parts/day-list.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { loadPages } from '../parts/pages.ts';
import { SettingsTabs } from '../parts/tabs.tsx';
import { isOfAlerts } from './alert-settings.tsx';
import { FailingNow, failingTitle, useFailing } from './deliveries.tsx';
import type { FailingSite } from './delivery-figures.ts';
import { NewMerchant } from './new-merchant.tsx';
import { NewSite } from './new-site.tsx';
import { type SiteDto, siteDetails } from './site-operations.ts';

/** `settings`: of an alert site, as far as they were read with it. */
type Row = SiteRow & { settings?: SiteDto['settings'] };

const typeWords = {
  alert: translate('Alerts'),
  payment: translate('Payments'),
  '3ds': translate('3-D Secure'),
} as const;
const filters: readonly Filter[] = [
  {
    name: 'type',
    label: translate('Type'),
    choices: Object.entries(typeWords).map(([value, label]) => ({ value, label })),
  },
];

/** A site in a line: where its alerts go and by when they are answered, or its use. */
const toText = ({ type, settings, retailer_name, merchant_name }: Row): string => {
  const parts = [];
  if (type !== null) parts.push(typeWords[type]);
  if (settings && isOfAlerts(settings)) {
    const { alertapiurl: url, deadline_hours: hours } = settings;
    parts.push(
      url ? translate('alerts go to {host}', { host: URL.parse(url)?.host ?? url }) : translate('no endpoint'),
    );
    parts.push(
      translate('at most {fraud} h to answer fraud, {dispute} h disputes', {
        fraud: hours.FRAUD,
        dispute: hours.DISPUTE,
      }),
    );
  }
  parts.push(presentMid() === undefined ? `${retailer_name}, ${merchant_name}` : retailer_name);
  return parts.join(' · ');
};

const toEntry = (site: Row, failing: readonly FailingSite[]): Entry => {
  const { sid, type, name, created_at: at } = site;
  const isFailing = failing.some((one) => one.sid === sid);
  return {
    ...{ key: String(sid), at, href: link(`/settings/${sid}`), title: name, text: toText(site) },
    side:
      type === null ? (
        <Badge state="setup" tone="warn" label={translate('Choose what it is for')} />
      ) : (
        isFailing && <Badge state="failing" tone="warn" label={translate('Endpoint fails')} />
      ),
    numbers: translate('Site {sid}', { sid }),
  };
};

const loadSites = loadPages(listSites);

/** The alert sites of a page whose settings are read with it. */
const maxRead = 20;

/** A page, the first alert sites with the settings that their rows lack. */
const load: Load<Row> = async (given, page, signal) => {
  const read = await loadSites(given, page, signal);
  const wanted = read.list.filter(({ type }) => type === 'alert').slice(0, maxRead);
  const details = await Promise.all(
    wanted.map(({ sid }) => siteDetails({ params: { sid: String(sid) }, ...(signal && { signal }) })),
  );
  const known = new Map(details.map((one) => [one.sid, one.settings]));
  return { ...read, list: read.list.map((row) => ({ ...row, settings: known.get(row.sid) ?? null })) };
};

/** The sites whose settings can be looked at. */
export const Sites = () => {
  const failing = useFailing();
  return (
    <Screen
      title={translate('Settings')}
      heading={failingTitle(failing)}
      lede={translate('Your sites: where notifications go, secrets, and how alerts are handled.')}
      actions={
        <>
          <NewMerchant />
          <NewSite />
        </>
      }
    >
      <SettingsTabs at="/settings" />
      <FailingNow data={failing} />
      <Listing<Row>
        name="sites"
        caption={translate('Sites')}
        {...{ filters, load }}
        render={(rows) => (
          <Groups
            caption={translate('Sites')}
            groups={[{ key: 'all', entries: rows.map((site) => toEntry(site, failing?.sites ?? [])) }]}
          />
        )}
        csvOf={({ settings, ...row }) => row}
        keyOf={({ sid }) => String(sid)}
        empty={
          <p>
            {translate(
              'There are no sites here. A site receives alerts or takes payments, and has its own endpoint and secrets. Create the first one.',
            )}
          </p>
        }
      />
    </Screen>
  );
};
