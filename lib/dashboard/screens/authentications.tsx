import { useState } from 'preact/hooks';
import type { listAuthenticationsOperation as ListOperation } from '#payments/threeds/api/list-authentications/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Listing } from '../parts/listing.tsx';
import { numberText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteText } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { PaymentTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { OutcomeBadge, outcomeChoices } from './authentication-words.tsx';

const listAuthentications = remote<typeof ListOperation>({ path: '/api/v3/3ds/authentications/list' });
type Row = RowOf<typeof ListOperation>;

const filters: readonly Filter[] = [
  { name: 'outcome', label: translate('Outcome'), choices: outcomeChoices },
  siteFilter,
  ...spanFilters(translate('Started')),
];

const columns: readonly Column<Row>[] = [
  {
    label: translate('Amount'),
    isMain: true,
    cell: ({ amount, currency, authentication_id: id }) => (
      <>
        {numberText(amount, currency)}
        <span class="unseen">, {translate('authentication {id}', { id })}</span>
      </>
    ),
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card ?? ''} /> },
  {
    label: translate('Fraud is borne by'),
    cell: ({ liability_shift: isShifted }) =>
      isShifted ? translate('The issuer') : <Badge state="you" tone="warn" label={translate('You')} />,
  },
  { label: translate('Outcome'), isPlain: true, cell: (row) => <OutcomeBadge {...row} /> },
  { label: translate('Site'), isExtra: true, cell: ({ sid }) => <SiteText sid={sid} /> },
  { label: translate('Started'), cell: ({ created_at }) => <Time at={created_at} /> },
];

const load = loadPages(listAuthentications);

/** On how many of the payers that are shown the merchant bears fraud. */
const toTitle = (rows: readonly Row[]): string | undefined => {
  const own = rows.filter(({ liability_shift: isShifted }) => !isShifted).length;
  if (rows.length === 0) return undefined;
  return own === 0
    ? translate('Issuers bear fraud on all that are shown')
    : translate('You bear fraud on {count} of the {all} shown', { count: own, all: rows.length });
};

/** Lists authentications of payers with their results. */
export const Authentications = () => {
  const [rows, setRows] = useState<readonly Row[]>([]);
  return (
    <Screen
      title={translate('3-D Secure')}
      heading={toTitle(rows)}
      lede={translate('What issuers said about payers before they paid. Payers whose issuer bears fraud need nothing.')}
    >
      <PaymentTabs at="/3ds" />
      <ByMerchant what={translate('Authentications')}>
        <Listing<Row>
          name="authentications"
          caption={translate('Authentications')}
          {...{ columns, filters, load }}
          onRows={setRows}
          csvOf={(row) => row}
          keyOf={({ authentication_id }) => String(authentication_id)}
          hrefOf={({ authentication_id }) => link(`/3ds/${authentication_id}`)}
          empty={<p>{translate('No payer was authenticated here.')}</p>}
        />
      </ByMerchant>
    </Screen>
  );
};
