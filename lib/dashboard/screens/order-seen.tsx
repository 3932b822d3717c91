import type { orderDetailsOperation as OrderDetailsOperation } from '#disputes/lookups/api/order-details/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { orderProfile } from './site-operations.ts';

export const orderDetails = remote<typeof OrderDetailsOperation>({ path: '/api/v3/orders/{id}/details' });
export type OrderDto = ReplyOf<typeof OrderDetailsOperation>;
type Order = OrderDto['order'];

/** An order that is only known by its number. */
export const OrderOf = ({ orderId }: { orderId: number }) => {
  const { data, error, reload } = useLoad(`order ${orderId}`, (signal) =>
    orderDetails({ params: { id: orderId }, signal }),
  );
  return data ? <OrderSeen order={data.order} isElsewhere /> : <Trouble error={error} onRetry={reload} />;
};

/** An order as its cardholder sees it at the bank: the shop, what was bought, and whom to ask. */
export const OrderSeen = ({ order, isElsewhere = false }: { order: Order; isElsewhere?: boolean }) => {
  const { data: shop } = useLoad(`profile ${order.sid}`, (signal) =>
    orderProfile({ params: { sid: order.sid }, signal }),
  );
  const money = (text: unknown) => typeof text === 'string' && text !== '0' && amountText(text, order.currency);
  return (
    <Card
      title="As the cardholder sees it"
      actions={isElsewhere && <a href={link(`/orders/${order.order_id}`)}>Order {order.reference}</a>}
    >
      {shop?.display_name && <h3>{shop.display_name}</h3>}
      <Items order={order} />
      <Facts
        facts={[
          ['Ordered', <Time key="ordered" at={order.order_date} exact />],
          ['Shipping', money(order['amount_shipping'])],
          ['Tax', money(order['amount_tax'])],
          ['Coupon', money(order['amount_coupon'])],
          ['Paid', <strong key="paid">{amountText(order.amount, order.currency)}</strong>],
          ['Sent to', placeOf(order['shipping'])],
          ['Delivery', deliveriesOf(order['deliveries'])],
          ['Questions', [shop?.support_email, shop?.support_phone, shop?.support_url].filter(Boolean).join(', ')],
          ['Refunds', shop?.refund_policy],
        ]}
      />
    </Card>
  );
};

const Items = ({ order: { items, currency } }: { order: Order }) => (
  <table class="plain">
    <caption class="unseen">Items</caption>
    <thead>
      <tr>
        <th scope="col">Item</th>
        <th scope="col" class="number">
          Quantity
        </th>
        <th scope="col" class="number">
          Each
        </th>
      </tr>
    </thead>
    <tbody>
      {items.map(({ name, quantity, amount_unit }, index) => (
        <tr key={index}>
          <th scope="row">{name}</th>
          <td class="number">{quantity}</td>
          <td class="number">{amountText(amount_unit, currency)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Fields that an order need not have are not in its schema: what is no text is left out. */
const texts = (value: unknown, names: readonly string[]): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  return names.flatMap((name) => (typeof fields[name] === 'string' && fields[name] !== '' ? [fields[name]] : []));
};

const placeOf = (address: unknown): string =>
  texts(address, ['firstname', 'lastname', 'address', 'postcode', 'suburb_city', 'state', 'country']).join(', ');

const deliveriesOf = (deliveries: unknown): string =>
  (Array.isArray(deliveries) ? deliveries : [])
    .map((one) => texts(one, ['status', 'carrier', 'tracking_number']).join(' '))
    .filter(Boolean)
    .join('; ');
