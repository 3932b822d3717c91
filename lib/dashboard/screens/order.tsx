import { link } from '../app/address.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { type OrderDto, orderDetails } from './order-operations.ts';
import { OrderSeen } from './order-seen.tsx';

/** One order as the cardholder sees it, and how ready it is for each program. */
export const OrderPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => orderDetails({ params: { id }, signal }));
  return (
    <Screen title={data ? `Order ${data.order.reference}` : 'Order'} from={{ label: 'Orders', href: '#/orders' }}>
      <Trouble error={error} onRetry={reload} />
      {data ? <Known shown={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const Known = ({ shown: { order, payment, alerts, lookups, readiness } }: { shown: OrderDto }) => (
  <div class="split">
    <div class="stack">
      <OrderSeen order={order} />
      <Ready readiness={readiness} />
    </div>
    <div class="stack">
      <Card title="The order">
        <Facts
          facts={[
            ['Ordered', <Time key="ordered" at={order.order_date} exact />],
            ['Card', <CardNumber key="card" card={`${order.card_firstsix}${order.card_lastfour}`} />],
            ['Site', <SiteName key="site" sid={order.sid} />],
            ['Kept until', <Time key="kept" at={order.kept_until} />],
            ['Disputed', order.disputed ? 'Yes' : 'No'],
            ['Payment', payment && <a href={link(`/payments/${payment.txid}`)}>{payment.txid}</a>],
          ]}
        />
      </Card>
      <Card title="Alerts and look-ups">
        {alerts.length + lookups.length === 0 && <p class="quiet">None.</p>}
        <ul class="plain-list">
          {alerts.map(({ alert_id, alert_type, status }) => (
            <li key={alert_id}>
              <a href={link(`/alerts/${alert_id}`)}>{alert_id}</a> {stateWords(alert_type)}{' '}
              {status && <Badge state={status} />}
            </li>
          ))}
          {lookups.map(({ lookup_id, at, result, provider }) => (
            <li key={lookup_id}>
              <Time at={at} />: {stateWords(provider)} asked, {stateWords(result).toLowerCase()}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  </div>
);

const programs = [
  ['provider_a', 'Look-ups by provider A'],
  ['provider_b', 'Look-ups by provider B'],
  ['ce3', 'Compelling evidence 3.0'],
] as const;

const missingWords: Readonly<Record<string, string>> = {
  receipt_url: 'a link to the receipt',
  arn: 'ARN, authorisation code or network’s transaction ID',
  display_name: 'the shop’s name',
  logo_url: 'logo',
  support_contact: 'a contact for questions',
  refund_policy_url: 'refund policy',
  deliveries: 'deliveries',
  descriptor: 'descriptor',
  card_token: 'card number or token',
  ip: 'IP address',
  device_id: 'device',
  account_id: 'customer’s account',
  shipping: 'shipping address',
};

const evidenceWords: Readonly<Record<string, string>> = {
  qualified: 'would qualify',
  too_few: 'too few earlier orders of this customer',
  no_device_or_ip: 'earlier orders share neither device nor IP address with this one',
  one_element: 'earlier orders have only one thing in common with this one',
  credential_unknown: 'the card is not known',
};

const Ready = ({ readiness }: Pick<OrderDto, 'readiness'>) => (
  <Card title="Ready for">
    <dl class="words">
      {programs.map(([name, label]) => (
        <div key={name}>
          <dt>
            {label} {readiness[name].length === 0 && <Badge state="OK" label="Ready" />}
          </dt>
          <dd>
            {readiness[name].length > 0 &&
              `Missing: ${readiness[name].map((field) => missingWords[field] ?? field).join('; ')}`}
          </dd>
        </div>
      ))}
    </dl>
    <p class="small quiet">
      As compelling evidence now:{' '}
      {evidenceWords[readiness.ce3_result] ?? stateWords(readiness.ce3_result).toLowerCase()}.
    </p>
  </Card>
);
