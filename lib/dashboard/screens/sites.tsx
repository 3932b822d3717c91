import { link } from '../app/address.ts';
import { listSites, type SiteRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { SettingsTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { FailingNow } from './deliveries.tsx';
import { NewMerchant } from './new-merchant.tsx';
import { NewSite } from './new-site.tsx';

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

const columns: readonly Column<SiteRow>[] = [
  { label: translate('Site'), isMain: true, cell: ({ name }) => name },
  {
    label: translate('For'),
    isPlain: true,
    cell: ({ type }) =>
      type === null ? <Badge state="setup" tone="warn" label={translate('Choose what it is for')} /> : typeWords[type],
  },
  { label: translate('Retailer'), cell: ({ retailer_name }) => retailer_name },
  { label: translate('Merchant'), isPlain: true, isExtra: true, cell: ({ merchant_name }) => merchant_name },
  { label: translate('Since'), isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { label: translate('Number'), isNumber: true, isExtra: true, cell: ({ sid }) => sid },
];

const load = loadPages(listSites);

/** The sites whose settings can be looked at. */
export const Sites = () => (
  <Screen
    title={translate('Settings')}
    lede={translate('Your sites: where notifications go, secrets, and how alerts are handled.')}
    actions={
      <>
        <NewMerchant />
        <NewSite />
      </>
    }
  >
    <SettingsTabs at="/settings" />
    <FailingNow version={0} />
    <Listing<SiteRow>
      name="sites"
      caption={translate('Sites')}
      {...{ columns, filters, load }}
      csvOf={(row) => row}
      keyOf={({ sid }) => String(sid)}
      hrefOf={({ sid }) => link(`/settings/${sid}`)}
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
