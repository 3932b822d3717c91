import type { ComponentChildren } from 'preact';
import { link } from '../app/address.ts';
import type { ChargesFound, PaymentDto } from '../app/operations.ts';
import { inSentence, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import type { Loaded } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Assignee } from './alert-assignee.tsx';
import { Charges } from './alert-charges.tsx';
import { AlertDeliveries } from './alert-deliveries.tsx';
import { type AlertFacts, isAwaited } from './alert-facts.ts';
import { Cost } from './alert-story.tsx';
import { reasonCodeText, refundMakerText } from './answer-words.ts';
import { customerLink } from './customer-operations.ts';
import { heldFacts } from './held-facts.ts';

type SideProps = {
  facts: AlertFacts;
  search: Loaded<ChargesFound | undefined>;
  onChanged: () => void;
};

/** The facts behind the answer: charge, authentication and other facts of the payment; identifiers last. */
export const AlertSide = ({ facts: { alert, payment, order }, search, onChanged }: SideProps) => (
  <aside class="pane-side" aria-label={translate('Evidence and references')}>
    {isAwaited(alert) && alert.sid !== null && <Charges {...{ alert, search, onChanged }} />}
    {payment && <Payment payment={payment} />}
    {alert.sid !== null && <Assignee {...{ alert, onChanged }} />}
    {(payment ?? order) && <Buyer id={alert.alert_id} email={payment?.email ?? null} />}
    {payment && <Authentication threeDs={payment.three_ds} />}
    <Answered alert={alert} />
    <Related alert={alert} />
    <AlertDeliveries alertId={alert.alert_id} />
    {alert.cost && <Cost alert={alert} cost={alert.cost} onChanged={onChanged} />}
    <References alert={alert} />
  </aside>
);

const Fact = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="fact">
    <h2>{title}</h2>
    {children}
  </section>
);

const Payment = ({ payment }: { payment: PaymentDto }) => (
  <Fact title={translate('Payment')}>
    <p>
      <a href={link(`/payments/${payment.txid}`)}>{amountText(payment.amount, payment.currency)}</a>,{' '}
      <Time at={payment.created_at} />
      {payment.email && <span class="beneath">{payment.email}</span>}
    </p>
    <Facts
      facts={[
        [
          translate('Refunded'),
          isAbove(payment.ledger.refunded, '0') && amountText(payment.ledger.refunded, payment.currency),
        ],
        ...heldFacts(payment),
      ]}
    />
  </Fact>
);

/** The person behind the purchase, with everything else that they bought and disputed. */
const Buyer = ({ id, email }: { id: number; email: string | null }) => (
  <Fact title={translate('Customer')}>
    <p>
      <a href={customerLink('alert', id)}>{email ?? translate('Everything about this customer')}</a>
    </p>
  </Fact>
);

const Authentication = ({ threeDs }: { threeDs: PaymentDto['three_ds'] }) => (
  <Fact title={translate('3-D Secure')}>
    {threeDs === null ? (
      <p class="quiet">{translate('The payment was made without it. You bear fraud.')}</p>
    ) : (
      <p>
        {threeDs.outcome && <Badge state={threeDs.outcome} tone={threeDs.liability_shift ? 'good' : 'warn'} />}{' '}
        {threeDs.liability_shift
          ? translate('The issuer bears fraud.')
          : translate('Liability did not shift: you bear fraud.')}
      </p>
    )}
  </Fact>
);

const Answered = ({ alert }: Pick<AlertFacts, 'alert'>) => {
  const { provider_outcome: told, reason_code, refunded_elsewhere: elsewhere } = alert;
  if (told === null && reason_code === null && !alert.comments && !alert.merchant_notes) return null;
  return (
    <Fact title={translate('Answer|noun')}>
      <Facts
        facts={[
          [translate('Reason'), reason_code && reasonCodeText(reason_code)],
          [translate('Late'), alert.late && translate('The answer came after the deadline')],
          [
            translate('Refunded'),
            alert.alert_outcome_amount && amountText(alert.alert_outcome_amount, alert.alert_outcome_currency ?? ''),
          ],
          [translate('Refund|noun'), refundMakerText(alert.refunded_by)],
          [translate('Elsewhere'), elsewhere && `${elsewhere.date.slice(0, 10)} ${elsewhere.reference ?? ''}`],
          [translate('Comment'), alert.comments],
          [translate('Note'), alert.merchant_notes],
        ]}
      />
      {told && (
        <>
          <h3>{translate('Sent to the network')}</h3>
          <p>
            <Badge
              state={told.state}
              tone={told.state === 'ACCEPTED' ? 'good' : told.state === 'PENDING' ? 'act' : 'warn'}
            />{' '}
            {told.accepted_at && <Time at={told.accepted_at} />}
          </p>
          {told.error && <p class="small">{told.error}</p>}
        </>
      )}
    </Fact>
  );
};

/** Other alerts about the same payment, its refunds, and payments that it might be about. */
const Related = ({ alert }: Pick<AlertFacts, 'alert'>) => {
  const others = alert.case.alerts.filter(({ alert_id }) => alert_id !== alert.alert_id);
  const payments = alert.held_txid === null ? alert.potential_txids : [];
  if (others.length === 0 && alert.case.refunds.length === 0 && payments.length === 0) return null;
  return (
    <Fact title={translate('About the same payment')}>
      <ul class="plain-list">
        {others.map(({ alert_id, alert_type, status, alert_date }) => (
          <li key={alert_id}>
            <a href={link(`/alerts/${alert_id}`)}>{translate('{type} alert', { type: stateWords(alert_type) })}</a>{' '}
            <Badge state={status} />{' '}
            <span class="quiet small">
              <Time at={alert_date} />
            </span>
          </li>
        ))}
        {alert.case.refunds.map(({ alert_id, by, at, amount, currency, state }) => (
          <li key={`${alert_id} ${at}`}>
            {amount
              ? translate('Refund of {amount}, {state}', {
                  amount: amountText(amount, currency ?? ''),
                  state: inSentence(stateWords(state)),
                })
              : translate('Refund, {state}', { state: inSentence(stateWords(state)) })}{' '}
            <span class="quiet small">
              {translate('by {by}', { by })} {at && <Time at={at} />}
            </span>
          </li>
        ))}
        {payments.map((txid) => (
          <li key={txid}>
            <a href={link(`/payments/${txid}`)}>{translate('Possible payment {txid}', { txid })}</a>
          </li>
        ))}
      </ul>
    </Fact>
  );
};

const References = ({ alert }: Pick<AlertFacts, 'alert'>) => (
  <Fact title={translate('References')}>
    <Facts
      facts={[
        [
          translate('Alert'),
          <Copied key="alert" text={String(alert.alert_id)} label={translate('Copy the alert’s number')} />,
        ],
        [
          translate('Network’s number'),
          alert.provider_case_id && (
            <Copied text={alert.provider_case_id} label={translate('Copy the network’s number')} />
          ),
        ],
        [translate('From'), `${stateWords(alert.provider)}, ${inSentence(stateWords(alert.alert_type))}`],
        [
          translate('Scheme’s code'),
          [alert.condition_code, alert.dispute_condition_code_reason].filter(Boolean).join(' '),
        ],
        [translate('Received'), <Time key="received" at={alert.alert_date} />],
        [translate('Paid'), <Time key="paid" at={alert.transaction_timestamp} />],
        [translate('Disputed'), alert.dispute_amount && amountText(alert.dispute_amount, alert.dispute_currency)],
        [translate('Descriptor'), alert.descriptor],
        [translate('Issuer'), alert.issuer_name],
        [translate('Retailer'), alert.retailer],
        ['ARN', alert.arn && <Copied text={alert.arn} label={translate('Copy the ARN')} />],
        [translate('Authorisation'), alert.auth_code],
        [
          translate('Repeats alert'),
          alert.duplicate_alertid && <a href={`#/alerts/${alert.duplicate_alertid}`}>{alert.duplicate_alertid}</a>,
        ],
      ]}
    />
  </Fact>
);
