import { useState } from 'preact/hooks';
import type { fraudDetailsOperation as FraudDetailsOperation } from '#payments/fraud/api/fraud-details/operation.ts';
import { link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { type PaymentDto, paymentDetails, refundPayment } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
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
import { SiteName, SiteText } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { customerLink } from './customer-operations.ts';
import { heldFacts } from './held-facts.ts';
import { SeenOrder } from './order-seen.tsx';
import { History, Postbacks, ThreeDs } from './payment-story.tsx';
import { leftByLedger, moneyStateOf, moneyStatus } from './payment-words.ts';
import { processorTitle } from './processor-fields.ts';
import { RefundDialog } from './refund.tsx';

const fraudDetails = remote<typeof FraudDetailsOperation>({ path: '/api/v3/fraud/{fraud_id}/details' });

/** One payment: where its money is, what was done to it, and what may still be done. */
export const PaymentPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => paymentDetails({ params: { parentxid: id }, signal }));
  return (
    <Screen
      title={data ? paymentTitle(data) : translate('Payment {id}', { id })}
      above={data && <Made {...data} />}
      from={{ label: translate('Payments'), href: '#/payments' }}
      actions={data && <Refund payment={data} onChanged={reload} />}
      {...(data && { lede: <Standing payment={data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known payment={data} /> : !error && <Waiting />}
    </Screen>
  );
};

/** The money and the person. */
const paymentTitle = ({ amount, currency, email, card }: PaymentDto): string =>
  [amountText(amount, currency), email ?? cardText(card ?? '')].filter(Boolean).join(', ');

const Made = ({ card, sid, created_at, tx_action: action }: PaymentDto) => (
  <>
    {action !== 'PAYMENT' && `${stateWords(action)}, `}
    {card && <CardNumber card={card} />}, <SiteText sid={sid} />, <Time at={created_at} />
  </>
);

/** Where its money is, in one status and one sentence. */
const Standing = ({ payment }: { payment: PaymentDto }) => {
  const { error_msg, ledger, currency } = payment;
  const badge = <Badge {...moneyStatus({ ...payment, money_state: moneyStateOf(payment) })} />;
  const [about] = ledger.chargebacks;
  return (
    <>
      {about ? <a href={link(`/chargebacks/${about.chargeback_id}`)}>{badge}</a> : badge}{' '}
      {error_msg
        ? `${error_msg}.`
        : isAbove(ledger.captured, '0') &&
          translate('{left} of {amount} is left, before fees.', {
            left: amountText(leftByLedger(payment), currency),
            amount: amountText(ledger.captured, currency),
          })}
    </>
  );
};

/** Checks whether anything of a payment can go back: what was captured as a refund, what was only authorised as a void. */
const canGoBack = ({ status, ledger: { refundable, authorized, captured, voided } }: PaymentDto): boolean =>
  status === 'OK' && (isAbove(refundable, '0') || (isAbove(authorized, captured) && !isAbove(voided, '0')));

const Refund = ({ payment, onChanged }: { payment: PaymentDto; onChanged: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const isPossible = canGoBack(payment) && refundPayment.isAllowed();
  useShortcuts(isPossible ? { refund: () => setOpen(true) } : {});
  if (!isPossible) return null;
  const isVoid = !isAbove(payment.ledger.captured, '0');
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        {isVoid ? translate('Void') : translate('Refund')}
      </Button>
      {isOpen && (
        <RefundDialog
          payment={payment}
          onClose={(isChanged) => {
            setOpen(false);
            if (isChanged) onChanged();
          }}
        />
      )}
    </>
  );
};

const Known = ({ payment }: { payment: PaymentDto }) => (
  <div class="split">
    <div class="stack">
      <History payment={payment} />
      <Money payment={payment} />
      {payment.fraud && <Fraud id={payment.fraud.fraud_id} />}
      {payment.three_ds && <ThreeDs three_ds={payment.three_ds} />}
      {payment.order_id !== null && <SeenOrder orderId={payment.order_id} />}
    </div>
    <div class="stack">
      <Card title={translate('The payment')}>
        <Facts
          facts={[
            [
              translate('Customer'),
              <a key="customer" href={customerLink('purchase', payment.txid)}>
                {payment.email ?? translate('Everything about this customer')}
              </a>,
            ],
            [translate('Card'), payment.card && <CardNumber card={payment.card} />],
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
      {payment.alerts.length > 0 && <Alerts payment={payment} />}
      <References payment={payment} />
      <Postbacks payment={payment} />
    </div>
  </div>
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

const Money = ({ payment: { ledger, currency, alerts } }: { payment: PaymentDto }) => {
  const amountOrNone = (amount: string) => (isAbove(amount, '0') ? amountText(amount, currency) : '');
  return (
    <Card title={translate('Where its money is')}>
      <Facts
        facts={[
          [translate('Authorised'), amountOrNone(ledger.authorized)],
          [translate('Captured'), amountOrNone(ledger.captured)],
          [translate('Refunded'), amountOrNone(ledger.refunded)],
          [translate('Voided'), amountOrNone(ledger.voided)],
          [translate('Paid out'), amountOrNone(ledger.paid_out)],
          ...heldFacts({ alerts, currency }),
          ...ledger.chargebacks.map(
            ({ chargeback_id, amount, money_taken, refunded_by_network: byNetwork }) =>
              [
                byNetwork
                  ? stateWords('refunded_by_network')
                  : money_taken
                    ? translate('Charged back')
                    : translate('Disputed'),
                <a key={chargeback_id} href={link(`/chargebacks/${chargeback_id}`)}>
                  {amountText(amount, currency)}
                </a>,
              ] as const,
          ),
          [translate('Can be refunded'), amountText(ledger.refundable, currency)],
          ...ledger.in_flight.map(
            ({ kind, amount, txid }) =>
              [
                translate('{action} under way', { action: stateWords(kind) }),
                `${amountText(amount, currency)} (${txid})`,
              ] as const,
          ),
        ]}
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
