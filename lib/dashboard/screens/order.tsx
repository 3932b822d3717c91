import { link } from '../app/address.ts';
import { inSentence, listText, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove, isAtLeast } from '../parts/money.ts';
import { type Heading, Pane, PaneFoot, PanePage, PaneWaiting } from '../parts/pane.tsx';
import { SiteName, SiteText } from '../parts/site-name.tsx';
import { Story } from '../parts/story.tsx';
import { Time } from '../parts/time.tsx';
import { customerLink } from './customer-operations.ts';
import { type OrderDto, orderDetails } from './order-operations.ts';
import { OrderSeen } from './order-seen.tsx';
import { tellOrder } from './order-story.ts';
import { type Next, openAlert, openChargeback } from './payment-next.ts';

/** One order on a page of its own. */
export const OrderPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => (
  <PanePage
    path="/orders"
    label={translate('Orders')}
    title={translate('Order')}
    pane={(heading) => <OrderPane id={id} heading={heading} />}
  />
);

/** One order: its story, how the cardholder sees it, and how ready it is for each program. */
export const OrderPane = ({ id, heading }: { id: string; heading: Heading }) => {
  const { data, error, reload } = useLoad(id, (signal) => orderDetails({ params: { id }, signal }));
  if (!data) return <PaneWaiting heading={heading(translate('Order'))} error={error} onRetry={reload} />;
  const { order } = data;
  const sum = amountText(order.amount, order.currency);
  const { firstname, lastname, email } = order.customer ?? {};
  const buyer = [firstname, lastname].filter(Boolean).join(' ') || email;
  const goods = order.items.map(({ name }) => name).join(', ');
  const what = goods || translate('Order {reference}', { reference: order.reference });
  return (
    <Pane
      heading={heading(buyer ?? what, `${sum}, ${what}`)}
      about={
        <>
          {buyer !== undefined && `${what}, `}
          <CardNumber card={`${order.card_firstsix}${order.card_lastfour}`} />, <SiteText sid={order.sid} />,{' '}
          <Time at={order.order_date} /> <Standing {...data} />
        </>
      }
      sum={sum}
      main={
        <>
          <section class="advice decide">
            <h2>{nextOfOrder(data).title}</h2>
          </section>
          <Past shown={data} />
          <OrderSeen order={order} />
          <Ready readiness={data.readiness} />
        </>
      }
      side={<Side {...data} buyer={buyer} />}
      foot={<Foot shown={data} />}
    />
  );
};

const isReturned = ({ payment }: OrderDto): boolean =>
  payment !== null && isAbove(payment.captured, '0') && isAtLeast(payment.refunded, payment.captured);

/** One status, the gravest that applies. */
const Standing = (shown: OrderDto) => {
  const { order, chargebacks, alerts } = shown;
  if (chargebacks.some(({ type }) => type === 'CHARGEBACK')) return <Badge state="charged_back" tone="bad" />;
  if (isReturned(shown)) return <Badge state="refunded" tone="act" />;
  return order.disputed || alerts.length > 0 ? (
    <Badge state="disputed" tone="warn" />
  ) : (
    <Badge state="OK" tone="plain" label={translate('Not disputed')} />
  );
};

/** Where the order is, and the one thing to do. */
const nextOfOrder = (shown: OrderDto): Next => {
  const [raised] = shown.chargebacks;
  if (raised)
    return {
      title:
        raised.type === 'CHARGEBACK'
          ? translate('Its payment was charged back.')
          : translate('Its issuer asks about the payment. No money is taken now.'),
      open: openChargeback(raised.chargeback_id),
    };
  const open = shown.alerts.find(({ status }) => status === 'OPEN' || status === 'WIP');
  if (open)
    return {
      title: translate('An alert about it awaits an answer.'),
      open: openAlert(open.alert_id),
    };
  if (isReturned(shown)) return { title: translate('All of its money went back.') };
  return { title: shown.alerts.length > 0 ? translate('The alert about it is answered.') : translate('Not disputed') };
};

const Foot = ({ shown }: { shown: OrderDto }) => {
  const { open } = nextOfOrder(shown);
  return (
    <PaneFoot words={open?.words}>
      {open && (
        <a class="button main" href={open.href}>
          {open.label}
        </a>
      )}
    </PaneFoot>
  );
};

const Past = ({ shown }: { shown: OrderDto }) => (
  <Story
    title={translate('How it went')}
    heads={[translate('Money'), '']}
    currency={shown.order.currency}
    steps={tellOrder(shown).map(({ at, what, words, href, ...step }, index) => ({
      ...step,
      key: `${at} ${index}`,
      what: href === undefined ? <span>{what}</span> : <a href={href}>{what}</a>,
      beneath: [<Time key="at" at={at} exact />, words],
    }))}
  />
);

const Side = ({ order, payment, buyer }: OrderDto & { buyer: string | undefined }) => (
  <aside class="pane-side" aria-label={translate('Evidence and references')}>
    <Card title={translate('Customer')}>
      <p>
        <a href={customerLink('purchase', order.order_id)}>{buyer ?? translate('Everything about this customer')}</a>
      </p>
    </Card>
    <Card title={translate('The order')}>
      <Facts
        facts={[
          [
            translate('Payment'),
            payment && <a href={link(`/payments/${payment.txid}`)}>{translate('Open the payment')}</a>,
          ],
          [translate('Site'), <SiteName key="site" sid={order.sid} />],
          [translate('From'), order.source === 'payment' ? translate('A payment') : translate('Your API calls')],
          [translate('Kept until'), <Time key="kept" at={order.kept_until} />],
        ]}
      />
    </Card>
    <Card title={translate('References')}>
      <Facts
        facts={[
          [translate('Your number'), <Copied key="own" text={order.reference} label={translate('Copy it')} />],
          [
            translate('Forewarn’s number'),
            <Copied key="id" text={String(order.order_id)} label={translate('Copy it')} />,
          ],
          ['ARN', order.arn !== undefined && <Copied key="arn" text={order.arn} label={translate('Copy it')} />],
        ]}
      />
    </Card>
  </aside>
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

/** The facts that banks can be shown, and those that are missing for the rest. */
const Ready = ({ readiness }: Pick<OrderDto, 'readiness'>) => {
  const ready = programs.filter(([name]) => readiness[name].length === 0);
  return (
    <Card title={translate('What banks can be shown')}>
      <dl class="words">
        {ready.length > 0 && (
          <div>
            <dt>{translate('Ready for')}</dt>
            <dd>{listText(ready.map(([, label]) => label))}</dd>
          </div>
        )}
        {programs
          .filter(([name]) => readiness[name].length > 0)
          .map(([name, label]) => (
            <div key={name}>
              <dt>{translate('Missing: {program}', { program: label })}</dt>
              <dd>{readiness[name].map((field) => missingWords[field] ?? field).join('; ')}</dd>
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
};
