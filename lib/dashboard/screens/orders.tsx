import type { listOrders as ListOrdersOperation } from '../../../functions/orders/list-orders/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { Screen } from '../app/screen.tsx';
import { Badge } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing, type PageAsked } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
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
  { name: 'sid', label: 'Site number', type: 'number' },
  { name: 'date_from', label: 'Ordered from', type: 'date' },
  { name: 'date_to', label: 'Ordered until', type: 'date' },
];

const columns: readonly Column<Row>[] = [
  { label: 'Order', isMain: true, cell: ({ reference }) => reference },
  { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  { label: 'Card', isShort: true, cell: ({ card }) => <span class="code">{card}</span> },
  { label: 'Stored by', cell: ({ source }) => (source === 'payment' ? 'The payment' : 'You') },
  { label: 'Disputed', cell: ({ disputed }) => (disputed ? <Badge state="WIP" label="Disputed" /> : 'No') },
  { label: 'Ordered', cell: ({ order_date }) => <Time at={order_date} /> },
  { label: 'Kept until', isExtra: true, cell: ({ kept_until }) => <Time at={kept_until} /> },
];

type Body = NonNullable<Parameters<typeof listOrders>[0]['body']>;
const load = (given: Record<string, string>, page: PageAsked, signal?: AbortSignal) =>
  listOrders({ body: { ...ofMerchant(), ...(given as Body), ...page }, ...(signal && { signal }) });

/** What was bought, as banks may show it to cardholders. */
export const Orders = () => (
  <Screen title="Orders" lede="What was bought: banks look it up before a cardholder disputes.">
    <OrderTabs at="/orders" />
    <ByMerchant what="Orders">
      <Listing<Row>
        name="orders"
        caption="Orders"
        {...{ columns, filters, load }}
        version={String(presentMid() ?? '')}
        csvOf={(row) => row}
        keyOf={({ order_id }) => String(order_id)}
        hrefOf={({ order_id }) => link(`/orders/${order_id}`)}
        empty={<p>No orders are stored.</p>}
      />
    </ByMerchant>
  </Screen>
);
