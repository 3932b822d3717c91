import type { listOrdersOperation as ListOrdersOperation } from '#disputes/lookups/api/list-orders/operation.ts';
import { address, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { translate, translateCount } from '../language/translate.ts';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { Day } from '../parts/day.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText, sumsText } from '../parts/money.ts';
import { type ListShown, MoneyList, MoneyRows } from '../parts/money-list.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter, yesOrNo } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { type Anchor, RowLines } from '../parts/pane-rows.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { OrderPane, Standing } from './order.tsx';

const listOrders = remote<typeof ListOrdersOperation>({ path: '/api/v3/orders/list' });
type Row = RowOf<typeof ListOrdersOperation>;

const filters: readonly Filter<Row>[] = [
  ...spanFilters(translate('Ordered')),
  { name: 'account_id', label: translate('Customer’s account') },
  ...amountFilters,
  networkFilter,
  siteFilter,
  { name: 'disputed', label: translate('Disputed'), choices: yesOrNo },
];

const load = loadPages(listOrders, filters);

const idOf = ({ order_id }: Row): string => String(order_id);

/** Orders, as banks may show them to cardholders, and all about one of them. */
export const Orders = () => (
  <MoneyList
    title={translate('Orders')}
    field="order"
    {...{ idOf, List }}
    Pane={OrderPane}
    none={[
      translate('No order is open'),
      translate('Choose one on the left to see what was bought, and what banks are shown of it.'),
    ]}
  />
);

const List = (shown: ListShown<Row>) => (
  <ByMerchant what={translate('Orders')} heading={shown.heading}>
    <OrderList {...shown} />
  </ByMerchant>
);

const OrderList = ({ heading, id, onShown }: ListShown<Row>) => {
  const disputed = address.value.query.get('disputed');
  const tab = (value: string, label: string) => ({
    href: link('/orders', { disputed: value }),
    label,
    isPresent: value === (disputed ?? ''),
  });
  return (
    <Listing<Row>
      name="orders"
      caption={translate('Orders')}
      {...{ heading, filters, load }}
      search="orders"
      tabs={
        <Tabs
          label={translate('Orders or look-ups')}
          tabs={[
            tab('', translate('All')),
            tab('true', translate('Disputed')),
            { href: '#/lookups', label: translate('Look-ups'), isPresent: false },
          ]}
        />
      }
      shownFilters={disputed === 'true' ? ['disputed'] : []}
      csvOf={(row) => ({ ...row, items: row.items.join(', ') })}
      keyOf={idOf}
      onRows={onShown}
      render={(rows) => (
        <MoneyRows
          label={translate('Orders')}
          rows={rows}
          at={({ order_date: at }) => at}
          sumOf={(members) =>
            translateCount(members.length, '{count} order, {amount}', '{count} orders, {amount}', {
              amount: sumsText(members),
            })
          }
          field="order"
          openId={id}
          {...{ Inside, idOf }}
        />
      )}
      empty={<p>{translate('No orders are stored.')}</p>}
    />
  );
};

const Inside = ({ row, anchor }: { row: Row; anchor: Anchor }) => {
  const amount = amountText(row.amount, row.currency);
  return (
    <RowLines
      anchor={anchor}
      title={row.buyer ?? cardText(row.card)}
      unseen={translate('{amount}, order {reference}', { amount, reference: row.reference })}
      amount={amount}
      who={
        <>
          {row.items.length > 0 && `${row.items.join(', ')}, `}
          <CardNumber card={row.card} />, <Day at={row.order_date} />, {row.reference}
        </>
      }
      marks={<Standing state={row.money_state} />}
    />
  );
};
