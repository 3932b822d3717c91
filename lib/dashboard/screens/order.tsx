import { link } from '../app/address.ts';
import { Screen } from '../app/screen.tsx';
import { compose, inSentence, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove, isAtLeast } from '../parts/money.ts';
import { SiteName, SiteText } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { customerLink } from './customer-operations.ts';
import { type OrderDto, orderDetails } from './order-operations.ts';
import { OrderSeen } from './order-seen.tsx';

/** One order as the cardholder sees it, and how ready it is for each program. */
export const OrderPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => orderDetails({ params: { id }, signal }));
  return (
    <Screen
      title={data ? orderTitle(data.order) : translate('Order')}
      above={data && <Made {...data.order} />}
      from={{ label: translate('Orders'), href: '#/orders' }}
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known shown={data} /> : !error && <Waiting />}
    </Screen>
  );
};

/** The money, and what was bought. */
const orderTitle = ({ amount, currency, items }: OrderDto['order']): string =>
  [amountText(amount, currency), items.map(({ name }) => name).join(', ')].filter(Boolean).join(', ');

const Made = ({ reference, card_firstsix, card_lastfour, sid, order_date }: OrderDto['order']) => (
  <>
    {translate('Order {reference}', { reference })}, <CardNumber card={`${card_firstsix}${card_lastfour}`} />,{' '}
    <SiteText sid={sid} />, <Time at={order_date} />
  </>
);

/** One status, the gravest that applies. */
const Standing = ({ order, payment, chargebacks, alerts }: OrderDto) => {
  const isRefunded = payment && isAbove(payment.captured, '0') && isAtLeast(payment.refunded, payment.captured);
  if (chargebacks.some(({ type }) => type === 'CHARGEBACK')) return <Badge state="charged_back" tone="bad" />;
  if (isRefunded) return <Badge state="refunded" tone="act" />;
  return order.disputed || alerts.length > 0 ? (
    <Badge state="disputed" tone="warn" />
  ) : (
    <Badge state="OK" tone="plain" label={translate('Not disputed')} />
  );
};

const Known = ({ shown: { order, payment, alerts, chargebacks, lookups, readiness } }: { shown: OrderDto }) => (
  <div class="split">
    <div class="stack">
      <OrderSeen order={order} />
      <Ready readiness={readiness} />
    </div>
    <div class="stack">
      <Card title={translate('The order')}>
        <Facts
          facts={[
            [translate('Ordered'), <Time key="ordered" at={order.order_date} exact />],
            [translate('Card'), <CardNumber key="card" card={`${order.card_firstsix}${order.card_lastfour}`} />],
            [
              translate('Customer'),
              <a key="customer" href={customerLink('purchase', order.order_id)}>
                {translate('Everything about this customer')}
              </a>,
            ],
            [translate('Site'), <SiteName key="site" sid={order.sid} />],
            [translate('Kept until'), <Time key="kept" at={order.kept_until} />],
            [
              translate('Payment'),
              payment && <a href={link(`/payments/${payment.txid}`)}>{translate('Its payment')}</a>,
            ],
            [translate('Reference'), <Copied key="reference" text={order.reference} label={translate('Copy it')} />],
            [translate('Order number'), <Copied key="id" text={String(order.order_id)} label={translate('Copy it')} />],
          ]}
        />
      </Card>
      <Card title={translate('Disputes and look-ups')}>
        {alerts.length + chargebacks.length + lookups.length === 0 && <p class="quiet">{translate('None.')}</p>}
        <ul class="plain-list">
          {alerts.map(({ alert_id, alert_type, status }) => (
            <li key={alert_id}>
              <a href={link(`/alerts/${alert_id}`)}>{stateWords(alert_type)}</a> {status && <Badge state={status} />}
            </li>
          ))}
          {chargebacks.map(({ chargeback_id, type, at }) => (
            <li key={chargeback_id}>
              <a href={link(`/chargebacks/${chargeback_id}`)}>{stateWords(type)}</a> <Time at={at} />
            </li>
          ))}
          {lookups.map(({ lookup_id, at, result, provider }) => (
            <li key={lookup_id}>
              {compose('{time}: {network} asked, {result}', {
                time: <Time at={at} />,
                network: stateWords(provider),
                result: inSentence(stateWords(result)),
              })}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  </div>
);

const programs = [
  ['provider_a', translate('Look-ups by provider A')],
  ['provider_b', translate('Look-ups by provider B')],
  ['ce3', translate('Compelling evidence 3.0')],
] as const;

const missingWords: Readonly<Record<string, string>> = {
  receipt_url: translate('a link to the receipt'),
  arn: translate('ARN, authorisation code or network’s transaction ID'),
  display_name: translate('the shop’s name'),
  logo_url: translate('logo'),
  support_contact: translate('a contact for questions'),
  refund_policy_url: translate('a link to the refund policy'),
  deliveries: translate('deliveries'),
  descriptor: translate('descriptor'),
  card_token: translate('card number or token'),
  ip: translate('IP address'),
  device_id: translate('device'),
  account_id: translate('customer’s account'),
  shipping: translate('shipping address'),
};

const evidenceWords: Readonly<Record<string, string>> = {
  qualified: translate('would qualify'),
  too_few: translate('too few earlier orders of this customer'),
  no_device_or_ip: translate('earlier orders share neither device nor IP address with this one'),
  one_element: translate('earlier orders have only one thing in common with this one'),
  credential_unknown: translate('the card is not known'),
};

const Ready = ({ readiness }: Pick<OrderDto, 'readiness'>) => (
  <Card title={translate('Ready for')}>
    <dl class="words">
      {programs.map(([name, label]) => (
        <div key={name}>
          <dt>
            {label} {readiness[name].length === 0 && <Badge state="OK" label={translate('Ready')} />}
          </dt>
          <dd>
            {readiness[name].length > 0 &&
              translate('Missing: {fields}', {
                fields: readiness[name].map((field) => missingWords[field] ?? field).join('; '),
              })}
          </dd>
        </div>
      ))}
    </dl>
    <p class="small quiet">
      {translate('As compelling evidence now: {result}.', {
        result: evidenceWords[readiness.ce3_result] ?? inSentence(stateWords(readiness.ce3_result)),
      })}
    </p>
  </Card>
);
