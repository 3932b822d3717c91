import { useState } from 'preact/hooks';
import type { fraudDetailsOperation as FraudDetailsOperation } from '#payments/fraud/api/fraud-details/operation.ts';
import { link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { type PaymentDto, paymentDetails, refundPayment } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { type Heading, Pane, PaneFoot, PanePage, PaneWaiting } from '../parts/pane.tsx';
import { SiteName, SiteText } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { customerLink } from './customer-operations.ts';
import { SeenOrder } from './order-seen.tsx';
import { PaymentFees } from './payment-fees.tsx';
import { nextOfPayment } from './payment-next.ts';
import { History, Postbacks, ThreeDs } from './payment-story.tsx';
import { moneyStateOf, moneyStatus } from './payment-words.ts';
import { processorTitle } from './processor-fields.ts';
import { RefundDialog } from './refund.tsx';

const fraudDetails = remote<typeof FraudDetailsOperation>({ path: '/api/v3/fraud/{fraud_id}/details' });

/** One payment on a page of its own. */
export const PaymentPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => (
  <PanePage
    path="/payments"
    label={translate('Payments')}
    title={translate('Payment {id}', { id })}
    pane={(heading) => <PaymentPane id={id} heading={heading} />}
  />
);

/** One payment: where its money is, what to do, what was done to it, and what may still be done. */
export const PaymentPane = ({ id, heading, onChanged }: { id: string; heading: Heading; onChanged?: () => void }) => {
  const { data, error, reload } = useLoad(id, (signal) => paymentDetails({ params: { parentxid: id }, signal }));
  if (!data)
    return (
      <PaneWaiting
        heading={heading(translate('Payment'), translate('Payment {id}', { id }))}
        error={error}
        onRetry={reload}
      />
    );
  const { buyer, card, amount, currency, sid, created_at: at } = data;
  const sum = amountText(amount, currency);
  const who = buyer ?? (cardText(card ?? '') || translate('Payment'));
  return (
    <Pane
      heading={heading(who, `${sum}, ${who}`)}
      about={
        <>
          <CardNumber card={card ?? ''} />, <SiteText sid={sid} />, <Time at={at} />{' '}
          <Badge {...moneyStatus({ ...data, money_state: moneyStateOf(data) })} />
        </>
      }
      sum={sum}
      main={<Main payment={data} />}
      side={<Side payment={data} />}
      foot={<Foot payment={data} onChanged={() => [reload(), onChanged?.()]} />}
    />
  );
};

const Main = ({ payment }: { payment: PaymentDto }) => {
  const { title, words } = nextOfPayment(payment);
  return (
    <>
      <section class="advice decide">
        <h2>{title}</h2>
        {words && <p>{words}</p>}
      </section>
      <History payment={payment} />
      <PaymentFees payment={payment} />
      {payment.order_id !== null && <SeenOrder orderId={payment.order_id} />}
    </>
  );
};

/** Checks whether anything of a payment can go back: what was captured as a refund, what was only authorised as a void. */
const canGoBack = ({ status, ledger: { refundable, authorized, captured, voided } }: PaymentDto): boolean =>
  status === 'OK' && (isAbove(refundable, '0') || (isAbove(authorized, captured) && !isAbove(voided, '0')));

const Foot = ({ payment, onChanged }: { payment: PaymentDto; onChanged: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const { open } = nextOfPayment(payment);
  const { ledger, currency } = payment;
  const isPossible = canGoBack(payment) && refundPayment.isAllowed();
  useShortcuts(isPossible ? { refund: () => setOpen(true) } : {});
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) onChanged();
  };
  return (
    <PaneFoot words={open?.words}>
      {isPossible && (
        <Button onPress={() => setOpen(true)}>
          {isAbove(ledger.captured, '0')
            ? translate('Refund up to {amount}…', { amount: amountText(ledger.refundable, currency) })
            : translate('Void {amount}…', { amount: amountText(ledger.authorized, currency) })}
        </Button>
      )}
      {open && (
        <a class="button main" href={open.href}>
          {open.label}
        </a>
      )}
      {isOpen && <RefundDialog payment={payment} onClose={close} />}
    </PaneFoot>
  );
};

const Side = ({ payment }: { payment: PaymentDto }) => (
  <aside class="pane-side" aria-label={translate('Evidence and references')}>
    <Card title={translate('Customer')}>
      <p>
        <a href={customerLink('purchase', payment.txid)}>
          {payment.buyer ?? translate('Everything about this customer')}
        </a>
      </p>
    </Card>
    {payment.three_ds && <ThreeDs three_ds={payment.three_ds} />}
    {payment.fraud && <Fraud id={payment.fraud.fraud_id} />}
    {(!payment.three_ds || !payment.fraud) && <Unchecked payment={payment} />}
    {payment.alerts.length > 0 && <Alerts payment={payment} />}
    <Card title={translate('The payment')}>
      <Facts
        facts={[
          [translate('Paid'), <Time key="paid" at={payment.created_at} exact />],
          [translate('Descriptor'), payment.descriptor],
          [translate('Site'), <SiteName key="site" sid={payment.sid} />],
          [translate('Processor'), payment.processor && processorTitle(payment.processor)],
          [
            translate('Asked for'),
            payment.original_amount && amountText(payment.original_amount, payment.original_currency ?? ''),
          ],
          [translate('Checked next'), payment.next_check_at && <Time at={payment.next_check_at} exact />],
        ]}
      />
    </Card>
    <Postbacks payment={payment} />
    <References payment={payment} />
  </aside>
);

/** The checks at payment of which nothing is stored: they may have been made elsewhere. */
const Unchecked = ({ payment: { three_ds, fraud } }: { payment: PaymentDto }) => (
  <Card title={translate('Checks at payment')}>
    <Facts
      facts={[
        [translate('3-D Secure'), three_ds === null && translate('None is recorded')],
        [translate('Fraud check'), fraud === null && translate('None is recorded')],
      ]}
    />
  </Card>
);

/** The numbers by which others know it, each to be copied. */
const References = ({ payment }: { payment: PaymentDto }) => {
  const { txid, tid, reference, refs, processor_reference: processorReference, auth_code, arn } = payment;
  const rows = [
    [translate('Your number'), tid],
    [translate('Reference'), [reference, ...refs].filter(Boolean).join(', ')],
    ['ARN', arn],
    [translate('Processor’s reference'), processorReference],
    [translate('Authorisation code'), auth_code],
    [translate('Transaction number'), String(txid)],
  ] as const;
  return (
    <Card title={translate('References')}>
      <Facts
        facts={rows.map(([label, text]) => [
          label,
          text && <Copied key={label} text={text} label={translate('Copy the {label}', { label })} />,
        ])}
      />
    </Card>
  );
};

const Alerts = ({ payment: { alerts, currency } }: { payment: PaymentDto }) => (
  <Card title={translate('Alerts about it')}>
    <ul class="plain-list">
      {alerts.map(({ alert_id, open, held, refund_txid }) => (
        <li key={alert_id}>
          <a href={link(`/alerts/${alert_id}`)}>{alert_id}</a>{' '}
          {open
            ? translate('holds {amount}', { amount: amountText(held, currency) })
            : refund_txid === null
              ? translate('is closed')
              : translate('was refunded')}
        </li>
      ))}
    </ul>
  </Card>
);

const Fraud = ({ id }: { id: number }) => {
  const { data, error } = useLoad(String(id), (signal) => fraudDetails({ params: { fraud_id: id }, signal }));
  return (
    <Card title={translate('Fraud check')}>
      <Trouble error={error} />
      {data && (
        <>
          <p>
            <Badge state={data.decision} /> {translate('Score {score}', { score: data.score })}
          </p>
          <details>
            <summary>{translate('What it was decided on')}</summary>
            <Facts facts={Object.entries(data.facts).map(([name, value]) => [stateWords(name), String(value ?? '')])} />
          </details>
        </>
      )}
    </Card>
  );
};
