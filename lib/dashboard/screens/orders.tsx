import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { listOrdersOperation as ListOrdersOperation } from '#disputes/lookups/api/list-orders/operation.ts';
import { address, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { pastGroup } from '../parts/dates.ts';
import { Day } from '../parts/day.tsx';
import { ListAndPane } from '../parts/list-and-pane.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText, sumsText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter, yesOrNo } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { type Anchor, PaneRows, RowLines } from '../parts/pane-rows.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { OrderPane } from './order.tsx';

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

/** Orders, as banks may show them to cardholders, and all about one of them. */
export const Orders = () => {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const id = address.value.query.get('order') ?? rows[0]?.order_id;
  return (
    <ListAndPane
      title={translate('Orders')}
      field="order"
      list={(heading) => (
        <ByMerchant what={translate('Orders')} heading={heading}>
          <List {...{ heading, id }} onShown={setRows} />
        </ByMerchant>
      )}
      pane={id && <OrderPane key={id} id={String(id)} heading={(words) => <h1 tabIndex={-1}>{words}</h1>} />}
      none={
        <>
          <h2>{translate('No order is open')}</h2>
          <p>{translate('Choose one on the left to see what was bought, and what banks are shown of it.')}</p>
        </>
      }
    />
  );
};

type ListProps = {
  heading: ComponentChildren;
  id: string | number | undefined;
  onShown: (rows: readonly Row[]) => void;
};

const List = ({ heading, id, onShown }: ListProps) => {
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
      keyOf={({ order_id }) => String(order_id)}
      onRows={onShown}
      render={(rows) => (
        <PaneRows
          label={translate('Orders')}
          rows={rows}
          groupOf={({ order_date: at }) => pastGroup(at, minute.value, zone.value)}
          sumOf={(members) =>
            translateCount(members.length, '{count} order, {amount}', '{count} orders, {amount}', {
              amount: sumsText(members),
            })
          }
          idOf={({ order_id }) => String(order_id)}
          field="order"
          openId={id === undefined ? undefined : String(id)}
          beside={undefined}
          {...{ Inside }}
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
      marks={row.disputed && <Badge state="disputed" tone="warn" />}
    />
  );
};
