import { link } from '../app/address.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type OrderDto, orderDetails } from './order-operations.ts';
import { orderProfile } from './site-operations.ts';

type Order = OrderDto['order'];

/** An order that is only known by its number. */
export const SeenOrder = ({ orderId }: { orderId: number }) => {
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
  const sums = [
    [translate('Shipping'), order.amount_shipping],
    [translate('Tax'), order.amount_tax],
    [translate('Coupon'), order.amount_coupon],
  ].flatMap(([label, text]) => (text && isAbove(text, '0') ? [[label, amountText(text, order.currency)]] : []));
  return (
    <section class="fact">
      <header>
        <h2>{translate('As the cardholder sees it')}</h2>
        {isElsewhere && (
          <a href={link(`/orders/${order.order_id}`)}>
            {translate('Order {reference}', { reference: order.reference })}
          </a>
        )}
      </header>
      <div class="receipt">
        <p>
          <b>{shop?.display_name ?? translate('The shop')}</b> <Time at={order.order_date} />
        </p>
        <ul>
          {order.items.map(({ name, quantity, amount_unit }, index) => (
            <li key={index}>
              <span>
                {name} <span class="quiet">× {quantity}</span>
              </span>
              <span>{amountText(amount_unit, order.currency)}</span>
            </li>
          ))}
          {sums.map(([label, amount]) => (
            <li key={label} class="quiet">
              <span>{label}</span>
              <span>{amount}</span>
            </li>
          ))}
        </ul>
        <p>
          <b>{translate('Paid')}</b> <b>{amountText(order.amount, order.currency)}</b>
        </p>
      </div>
      <Facts
        facts={[
          [translate('Sent to'), placeLine(order['shipping'])],
          [translate('Delivery'), sentLines(order.deliveries)],
          [
            translate('Questions'),
            [shop?.support_email, shop?.support_phone, shop?.support_url].filter(Boolean).join(', '),
          ],
          [translate('Refunds'), shop?.refund_policy],
        ]}
      />
    </section>
  );
};

/** Fields that an order need not have are not in its schema: what is no text is left out. */
const texts = (value: unknown, names: readonly string[]): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  return names.flatMap((name) => (typeof fields[name] === 'string' && fields[name] !== '' ? [fields[name]] : []));
};

const placeLine = (address: unknown): string =>
  texts(address, ['firstname', 'lastname', 'address', 'postcode', 'suburb_city', 'state', 'country']).join(', ');

/** The state of each delivery: `Delivered 12 May, 1Z999`. */
const sentLines = (deliveries: Order['deliveries']): string =>
  (deliveries ?? [])
    .map(({ status, tracking_number, delivered_at }) =>
      [stateWords(status), delivered_at?.slice(0, 10), tracking_number].filter(Boolean).join(' '),
    )
    .join('; ');
