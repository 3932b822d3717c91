import type { listAuthenticationsOperation as ListOperation } from '#payments/threeds/api/list-authentications/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Listing } from '../parts/listing.tsx';
import { numberText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { PaymentTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { OutcomeBadge, outcomeChoices, transStatusWords } from './authentication-words.tsx';

const listAuthentications = remote<typeof ListOperation>({ path: '/api/v3/3ds/authentications/list' });
type Row = RowOf<typeof ListOperation>;

const filters: readonly Filter[] = [
  { name: 'outcome', label: translate('Outcome'), choices: outcomeChoices },
  siteFilter,
  ...spanFilters(translate('Started')),
];

const columns: readonly Column<Row>[] = [
  { label: translate('Authentication'), isMain: true, cell: ({ authentication_id }) => String(authentication_id) },
  { label: translate('Outcome'), isPlain: true, cell: (row) => <OutcomeBadge {...row} /> },
  { label: translate('The issuer said'), isExtra: true, cell: ({ transStatus }) => transStatusWords(transStatus) },
  {
    label: translate('Fraud is borne by'),
    cell: ({ liability_shift }) => (liability_shift ? translate('The issuer') : translate('You')),
  },
  {
    label: translate('Amount'),
    isPlain: true,
    isNumber: true,
    cell: ({ amount, currency }) => numberText(amount, currency),
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card ?? ''} /> },
  { label: translate('Started'), cell: ({ created_at }) => <Time at={created_at} /> },
];

const load = loadPages(listAuthentications);

/** Lists authentications of payers with their results. */
export const Authentications = () => (
  <Screen title={translate('3-D Secure')} lede={translate('What issuers said about payers before they paid.')}>
    <PaymentTabs at="/3ds" />
    <ByMerchant what={translate('Authentications')}>
      <Listing<Row>
        name="authentications"
        caption={translate('Authentications')}
        {...{ columns, filters, load }}
        csvOf={(row) => row}
        keyOf={({ authentication_id }) => String(authentication_id)}
        hrefOf={({ authentication_id }) => link(`/3ds/${authentication_id}`)}
        empty={<p>{translate('No payer was authenticated here.')}</p>}
      />
    </ByMerchant>
  </Screen>
);
