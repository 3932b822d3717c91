import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { type AlertShown, alertDetails, answerAlert, listDeliveries } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { useShortcuts } from '../app/shortcuts.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Copy } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Time, TimeLeft } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { paymentsOf, RefundAlert } from './alert-refund.tsx';
import { AnswerDialog } from './answer.tsx';
import { attemptWords } from './delivery-words.ts';

const inbox = { label: 'Inbox', href: '#/' };

/** One alert: what is known of it, what must be done by when, and what was done. */
export const AlertPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => alertDetails({ params: { alert_id: id }, signal }));
  return (
    <Screen
      title={`Alert ${id}`}
      from={inbox}
      actions={
        data && (
          <>
            <RefundAlert alert={data} onChanged={reload} />
            <Answer alert={data} onChanged={reload} />
          </>
        )
      }
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known alert={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const isAwaited = ({ status, deadline }: AlertShown): boolean =>
  deadline !== null && ['OPEN', 'WIP', 'OTHER'].includes(status);

const Standing = (alert: AlertShown) => (
  <>
    <Badge state={alert.status} /> {stateWords(alert.alert_type)} of {amountText(alert.amount, alert.currency)} at{' '}
    {alert.site || 'no site yet'}.{' '}
    {isAwaited(alert) && (
      <>
        Time left: <TimeLeft until={alert.deadline} />
      </>
    )}
  </>
);

const Answer = ({ alert, onChanged }: { alert: AlertShown; onChanged: () => void }) => {
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

const Known = ({ alert }: { alert: AlertShown }) => (
  <div class="split">
    <div class="stack">
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
      <Card title="The alert">
        <Facts
          facts={[
            ['Received', <Time key="received" at={alert.alert_date} exact />],
            ['Answer due', alert.deadline && <Time at={alert.deadline} exact />],
            ['Late', alert.late ? 'The answer came after the deadline' : ''],
            ['Network’s number', alert.provider_case_id],
            ['From', alert.provider],
            ['Site', alert.site],
            ['Retailer', alert.retailer],
            ['Enrolled text', alert.matched_enrolled_descriptor],
            [
              'Repeats alert',
              alert.duplicate_alertid && <a href={`#/alerts/${alert.duplicate_alertid}`}>{alert.duplicate_alertid}</a>,
            ],
            ['Reason code', alert.reason_code],
            [
              'Refunded',
              alert.alert_outcome_amount && amountText(alert.alert_outcome_amount, alert.alert_outcome_currency ?? ''),
            ],
            ['Comment', alert.comments],
            ['Note', alert.merchant_notes],
            ['Rule', alert.automatic && `${alert.automatic.name}: ${stateWords(alert.automatic.result)}`],
          ]}
        />
      </Card>
    </div>
    <div class="stack">
      <Network alert={alert} />
      <Deliveries alertId={alert.alert_id} />
      <Card title="History">
        <History entries={alert.history} />
      </Card>
    </div>
  </div>
);

const PaymentLink = ({ txid }: { txid: number }) => <a href={link(`/payments/${txid}`)}>{txid} </a>;

/** What the network that sent the alert was told of the last answer. */
const Network = ({ alert: { provider_outcome: told } }: { alert: AlertShown }) =>
  told === null ? null : (
    <Card title="Told to the network">
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

const Deliveries = ({ alertId }: { alertId: number }) => {
  const { data, error, reload } = useLoad(`deliveries ${alertId}`, (signal) =>
    listDeliveries({ body: { alert_id: alertId, size: 10 }, signal }),
  );
  return (
    <Card title="Notifications">
      <Trouble error={error} onRetry={reload} />
      {data?.list.length === 0 && <p class="quiet">None was sent.</p>}
      <ul class="plain-list">
        {(data?.list ?? []).map(({ id, kind, state, attempts, created_at }) => (
          <li key={id}>
            <a href={link(`/deliveries/${id}`)}>{stateWords(kind)}</a> <Badge state={state} />
            <br />
            <span class="quiet small">
              <Time at={created_at} />: {attemptWords(attempts.at(-1))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const Copied = ({ text, label }: { text: string; label: string }) => (
  <>
    <span class="code">{text}</span> <Copy text={text} label={label} />
  </>
);

const History = ({ entries }: { entries: AlertShown['history'] }) => (
  <ol class="timeline">
    {[...entries].reverse().map(({ at, by, via, change }) => (
      <li key={`${at}${change.event}`}>
        <p>
          <strong>{stateWords(change.event)}</strong> by {by}
        </p>
        <p class="quiet small">
          <Time at={at} exact />, {stateWords(via).toLowerCase()}
        </p>
        <p class="small">{changesOf(change)}</p>
      </li>
    ))}
  </ol>
);

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const changesOf = ({ to }: AlertShown['history'][number]['change']): string =>
  Object.entries(to)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join('; ')
    .slice(0, 400);
