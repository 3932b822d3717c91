import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { type AlertDto, alertDetails, answerAlert } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { useShortcuts } from '../app/shortcuts.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Time, TimeLeft } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Charges } from './alert-charges.tsx';
import { AlertDeliveries } from './alert-deliveries.tsx';
import { NoteAlert } from './alert-note.tsx';
import { paymentsOf, RefundAlert } from './alert-refund.tsx';
import { Cost, Decisions, History } from './alert-story.tsx';
import { AnswerDialog } from './answer.tsx';
import { reasonCodeText, refundMakerText } from './answer-words.ts';
import { useDeadlineWarning } from './deadline-warning.ts';
import { OrderOf } from './order-seen.tsx';

const inbox = { label: 'Inbox', href: '#/' };
const unmatched = { label: 'Unmatched alerts', href: '#/admin/unmatched' };

/** One alert: what is known of it, what must be done by when, and what was done. */
export const AlertPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => alertDetails({ params: { alert_id: id }, signal }));
  return (
    <Screen
      title={`Alert ${id}`}
      from={data?.sid === null ? unmatched : inbox}
      actions={
        data && (
          <>
            <RefundAlert alert={data} onChanged={reload} />
            <Answer alert={data} onChanged={reload} />
            {data.sid !== null && <NoteAlert alertId={data.alert_id} onNoted={reload} />}
          </>
        )
      }
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known alert={data} onChanged={reload} /> : !error && <Waiting />}
    </Screen>
  );
};

const isAwaited = ({ status, deadline }: AlertDto): boolean =>
  deadline !== null && ['OPEN', 'WIP', 'OTHER'].includes(status);

const Standing = (alert: AlertDto) => {
  useDeadlineWarning(alert.alert_id, isAwaited(alert) ? alert.deadline : null);
  return (
    <>
      <Badge state={alert.status} /> {stateWords(alert.alert_type)} of {amountText(alert.amount, alert.currency)} at{' '}
      {alert.site || 'no known site'}.{' '}
      {isAwaited(alert) && (
        <>
          Time left: <TimeLeft until={alert.deadline} />
        </>
      )}
    </>
  );
};

const Answer = ({ alert, onChanged }: { alert: AlertDto; onChanged: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const isPossible = isAwaited(alert) && answerAlert.isAllowed();
  useShortcuts(isPossible ? { answer: () => setOpen(true) } : {});
  if (!isPossible) return null;
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) onChanged();
  };
  return (
    <>
      <Button look={paymentsOf(alert).length > 0 ? 'plain' : 'main'} onPress={() => setOpen(true)}>
        Answer
      </Button>
      {isOpen && <AnswerDialog alerts={[alert]} onClose={close} />}
    </>
  );
};

const Known = ({ alert, onChanged }: { alert: AlertDto; onChanged: () => void }) => (
  <div class="split">
    <div class="stack">
      <DisputedPayment alert={alert} />
      <About alert={alert} />
      {alert.order_id !== null && <OrderOf orderId={alert.order_id} />}
      {alert.sid !== null && isAwaited(alert) && <Charges alert={alert} onChanged={onChanged} />}
      <Decisions alert={alert} />
    </div>
    <div class="stack">
      {alert.chargeback_id !== null && (
        <p class="note warn">
          <span>
            The payment was charged back: <a href={link(`/chargebacks/${alert.chargeback_id}`)}>see the chargeback</a>.
          </span>
        </p>
      )}
      <Network alert={alert} />
      <AlertDeliveries alertId={alert.alert_id} />
      {alert.cost && <Cost alert={alert} cost={alert.cost} onChanged={onChanged} />}
      <Card title="History">
        <History entries={alert.history} />
      </Card>
    </div>
  </div>
);

const DisputedPayment = ({ alert }: { alert: AlertDto }) => (
  <Card title="The disputed payment">
    <Facts
      facts={[
        ['Amount', amountText(alert.amount, alert.currency)],
        ['Disputed', alert.dispute_amount && amountText(alert.dispute_amount, alert.dispute_currency)],
        ['Card', alert.card && <span class="code">{alert.card}</span>],
        ['Paid', <Time key="paid" at={alert.transaction_timestamp} exact />],
        ['Descriptor', alert.descriptor],
        ['Issuer', alert.issuer_name],
        ['Reason', [alert.condition_code, alert.dispute_condition_code_reason].filter(Boolean).join(' ')],
        ['ARN', alert.arn && <Copied text={alert.arn} label="Copy the ARN" />],
        ['Authorisation code', alert.auth_code],
        ['Held payment', alert.held_txid && <PaymentLink txid={alert.held_txid} />],
        [
          'Possible payments',
          alert.potential_txids.length > 0 &&
            alert.potential_txids.map((txid) => <PaymentLink key={txid} txid={txid} />),
        ],
      ]}
    />
  </Card>
);

const About = ({ alert }: { alert: AlertDto }) => (
  <Card title="The alert">
    <Facts
      facts={[
        ['Received', <Time key="received" at={alert.alert_date} exact />],
        ['Answer due', alert.deadline && <Time at={alert.deadline} exact />],
        ['Late', alert.late ? 'The answer came after the deadline' : ''],
        ['Network’s number', alert.provider_case_id],
        ['From', stateWords(alert.provider)],
        ['Site', alert.site],
        ['Retailer', alert.retailer],
        ['Enrolled descriptor', alert.matched_enrolled_descriptor],
        [
          'Repeats alert',
          alert.duplicate_alertid && <a href={`#/alerts/${alert.duplicate_alertid}`}>{alert.duplicate_alertid}</a>,
        ],
        ['Reason code', alert.reason_code && reasonCodeText(alert.reason_code)],
        ['Refund', refundMakerText(alert.refunded_by)],
        ['Refunded elsewhere', alert.refunded_elsewhere && <Elsewhere {...alert.refunded_elsewhere} />],
        [
          'Refunded',
          alert.alert_outcome_amount && amountText(alert.alert_outcome_amount, alert.alert_outcome_currency ?? ''),
        ],
        ['Comment', alert.comments],
        ['Note', alert.merchant_notes],
      ]}
    />
  </Card>
);

const Elsewhere = ({ date, reference }: NonNullable<AlertDto['refunded_elsewhere']>) => (
  <>
    <Time at={date} exact /> {reference}
  </>
);

const PaymentLink = ({ txid }: { txid: number }) => <a href={link(`/payments/${txid}`)}>{txid} </a>;

/** What the network that sent the alert was told of the last answer. */
const Network = ({ alert: { provider_outcome: told } }: { alert: AlertDto }) =>
  told === null ? null : (
    <Card title="Sent to the network">
      <p>
        <Badge
          state={told.state}
          tone={told.state === 'ACCEPTED' ? 'good' : told.state === 'PENDING' ? 'act' : 'warn'}
        />{' '}
        {told.accepted_at && <Time at={told.accepted_at} />}
      </p>
      {told.error && <p class="small">{told.error}</p>}
    </Card>
  );
