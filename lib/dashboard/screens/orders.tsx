import type { listOrdersOperation as ListOrdersOperation } from '#disputes/lookups/api/list-orders/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter, yesOrNo } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { OrderTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';

const listOrders = remote<typeof ListOrdersOperation>({ path: '/api/v3/orders/list' });
type Row = RowOf<typeof ListOrdersOperation>;

const filters: readonly Filter<Row>[] = [
  { name: 'account_id', label: translate('Customer’s account') },
  {
    name: 'disputed',
    label: translate('Disputed'),
    choices: yesOrNo,
  },
  networkFilter,
  ...amountFilters,
  siteFilter,
  ...spanFilters(translate('Ordered')),
];

const columns: readonly Column<Row>[] = [
  {
    label: translate('Amount'),
    isMain: true,
    cell: ({ amount, currency, reference }) => (
      <>
        {amountText(amount, currency)}
        <span class="unseen">, {reference}</span>
      </>
    ),
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card} /> },
  {
    label: translate('Status'),
    isPlain: true,
    cell: ({ disputed }) =>
      disputed ? (
        <Badge state="WIP" label={translate('Disputed')} />
      ) : (
        <Badge state="OK" tone="plain" label={translate('Not disputed')} />
      ),
  },
  { label: translate('Order'), cell: ({ reference }) => reference },
  {
    label: translate('From'),
    isExtra: true,
    cell: ({ source }) => (source === 'payment' ? translate('A payment') : translate('Your API calls')),
  },
  { label: translate('Ordered'), cell: ({ order_date }) => <Time at={order_date} /> },
  { label: translate('Kept until'), isExtra: true, cell: ({ kept_until }) => <Time at={kept_until} /> },
];

const load = loadPages(listOrders, filters);

/** Lists orders, as banks may show them to cardholders. */
export const Orders = () => (
  <Screen
    title={translate('Orders')}
    lede={translate('What was bought. Banks look it up before a cardholder disputes a payment.')}
  >
    <OrderTabs at="/orders" />
    <ByMerchant what={translate('Orders')}>
      <Listing<Row>
        name="orders"
        caption={translate('Orders')}
        {...{ columns, filters, load }}
        search="orders"
        csvOf={(row) => row}
        keyOf={({ order_id }) => String(order_id)}
        hrefOf={({ order_id }) => link(`/orders/${order_id}`)}
        empty={<p>{translate('No orders are stored.')}</p>}
      />
    </ByMerchant>
  </Screen>
);
