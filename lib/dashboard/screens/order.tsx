import { link } from '../app/address.ts';
import { translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { type Heading, Pane, PaneFoot, PanePage, PaneWaiting } from '../parts/pane.tsx';
import { SiteName, SiteText } from '../parts/site-name.tsx';
import { Story } from '../parts/story.tsx';
import { Time } from '../parts/time.tsx';
import { customerLink } from './customer-operations.ts';
import { type OrderDto, orderDetails } from './order-operations.ts';
import { OrderReady } from './order-ready.tsx';
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
          <Time at={order.order_date} /> <Standing state={data.money_state} />
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
          <OrderReady {...data} />
        </>
      }
      side={<Side {...data} buyer={buyer} />}
      foot={<Foot shown={data} />}
    />
  );
};

/** One status, which the service decides for lists as well: the gravest that applies. Nothing where nothing happened. */
export const Standing = ({ state }: { state: OrderDto['money_state'] }) =>
  state && <Badge state={state} tone={state === 'charged_back' ? 'bad' : state === 'disputed' ? 'warn' : 'act'} />;

/** Where the order is, and the one thing to do. */
const nextOfOrder = (shown: OrderDto): Next => {
  const raised = shown.chargebacks.find(({ type }) => type === 'CHARGEBACK') ?? shown.chargebacks[0];
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
  if (shown.money_state === 'refunded') return { title: translate('All of its money went back.') };
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
