import type { listOrdersOperation as ListOrdersOperation } from '#disputes/lookups/api/list-orders/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { Badge } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import { pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { OrderTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';

const listOrders = remote<typeof ListOrdersOperation>({ path: '/api/v3/orders/list' });
type Row = RowOf<typeof ListOrdersOperation>;

const filters: readonly Filter[] = [
  { name: 'account_id', label: 'Customer’s account' },
  {
    name: 'disputed',
    label: 'Disputed',
    choices: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
  },
  siteFilter,
  ...spanFilters('Ordered'),
];

const columns: readonly Column<Row>[] = [
  { label: 'Order', isMain: true, cell: ({ reference }) => reference },
  { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { label: 'Card', isShort: true, cell: ({ card }) => <CardNumber card={card} /> },
  { label: 'From', cell: ({ source }) => (source === 'payment' ? 'A payment' : 'Your API calls') },
  { label: 'Disputed', cell: ({ disputed }) => (disputed ? <Badge state="WIP" label="Disputed" /> : 'No') },
  { label: 'Ordered', cell: ({ order_date }) => <Time at={order_date} /> },
  { label: 'Kept until', isExtra: true, cell: ({ kept_until }) => <Time at={kept_until} /> },
];

const load = pagesOf(listOrders);

/** Lists orders, as banks may show them to cardholders. */
export const Orders = () => (
  <Screen title="Orders" lede="What was bought. Banks look it up before a cardholder disputes a payment.">
    <OrderTabs at="/orders" />
    <ByMerchant what="Orders">
      <Listing<Row>
        name="orders"
        caption="Orders"
        {...{ columns, filters, load }}
        csvOf={(row) => row}
        keyOf={({ order_id }) => String(order_id)}
        hrefOf={({ order_id }) => link(`/orders/${order_id}`)}
        empty={<p>No orders are stored.</p>}
      />
    </ByMerchant>
  </Screen>
);
