import { useState } from 'preact/hooks';
import { milliseconds } from '#core/kernel/clock.ts';
import type { replayFailedOperation as ReplayFailedOperation } from '#messaging/webhooks/api/replay-failed/operation.ts';
import { link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant, presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { type AlertRow, type DeliveryRow, listDeliveries } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { compose, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { alertFilter, loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteField } from '../parts/site-field.tsx';
import { SiteText } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { Term } from '../parts/term.tsx';
import { Time } from '../parts/time.tsx';
import { dayText } from '../parts/times.ts';
import { upperFirst } from '../parts/words.ts';
import { type Failing, figuresByHost, type HostFigures, latencyText, wholePercent } from './delivery-figures.ts';
import { attemptWords } from './delivery-words.ts';
import { alertName } from './named-alerts.ts';
import { readNamedAlerts } from './read-alerts.ts';
import { FailedLink, type FailingRead, LostLink, readFailing } from './read-failing.tsx';
import { TestAlert } from './test-alert.tsx';

const replayFailed = remote<typeof ReplayFailedOperation>({
  path: '/api/v3/notifications/replay-failed',
  roles: ['developer', 'manager'],
});

const kinds = [
  'new_alert',
  'status_update',
  'alert_deadline',
  'enrollment_update',
  'postback',
  'slack',
  'teams',
] as const;
const states = ['PENDING', 'DELIVERED', 'EXPIRED', 'CANCELLED'] as const;

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: translate('State'),
    choices: [
      { value: 'FAILED', label: translate('Not delivered') },
      ...states.map((value) => ({ value, label: stateWords(value) })),
    ],
  },
  { name: 'kind', label: translate('Kind'), choices: kinds.map((value) => ({ value, label: stateWords(value) })) },
  siteFilter,
  alertFilter,
  ...spanFilters(translate('Created')),
];

type Row = DeliveryRow & { alert: AlertRow | undefined };

const columns: readonly Column<Row>[] = [
  { label: translate('Notification'), isMain: true, cell: ({ kind }) => stateWords(kind) },
  {
    label: translate('About'),
    cell: ({ alert_id, alert, payment, sid }) => (
      <>
        {alert_id !== null && (
          <a href={link(`/alerts/${alert_id}`)}>
            {alert ? alertName(alert) : translate('Alert {id}', { id: alert_id })}
          </a>
        )}
        {payment && (
          <a href={link(`/payments/${payment.txid}`)}>
            {stateWords(payment.tx_action)}, {amountText(payment.amount, payment.currency)}
          </a>
        )}
        <span class={alert_id !== null || payment ? 'beneath' : ''}>
          <SiteText sid={sid} />
        </span>
      </>
    ),
  },
  { label: translate('State'), isPlain: true, cell: ({ state }) => <Badge state={state} /> },
  { label: translate('Attempts'), isNumber: true, cell: ({ attempts }) => attempts.length },
  { label: translate('Last attempt'), isPlain: true, cell: ({ attempts }) => attemptWords(attempts.at(-1)) },
  {
    label: translate('To'),
    isExtra: true,
    cell: ({ url }) => (
      <span class="clipped" title={url ?? undefined}>
        {url ?? '–'}
      </span>
    ),
  },
  { label: translate('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    label: translate('Next attempt'),
    isExtra: true,
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Time at={at} />),
  },
];

const deliveryCsv = (row: DeliveryRow) => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  site: row.sid,
  alert_id: row.alert_id,
  url: row.url,
  created_at: row.created_at,
  attempts: row.attempts.length,
  last_status: row.attempts.at(-1)?.status,
  last_error: row.attempts.at(-1)?.error,
  next_attempt_at: row.next_attempt_at,
});

/** `FAILED` is no state of a notification: it may be tried again, or was given up. */
const loadDeliveries = loadPages<NonNullable<Parameters<typeof listDeliveries>[0]>['body'], DeliveryRow>(
  ({ body, ...call }) =>
    listDeliveries({
      ...call,
      ...(body && { body: String(body.state) === 'FAILED' ? { ...body, state: ['PENDING', 'EXPIRED'] } : body }),
    }),
);

/** A page with the alerts that its notifications are about. */
const load: Load<Row> = async (given, page, signal) => {
  const read = await loadDeliveries(given, page, signal);
  const alerts = await readNamedAlerts(
    read.list.map(({ alert_id }) => alert_id),
    signal,
  );
  return { ...read, list: read.list.map((row) => ({ ...row, alert: alerts.get(row.alert_id ?? 0) })) };
};

/** The endpoints that fail; undefined while that is not known. */
export const useFailing = (version = 0): FailingRead | undefined =>
  useLoad(`failing ${presentMid() ?? ''} ${version}`, (signal) => readFailing(ofMerchant(), signal)).data;

/** The title where endpoints fail. */
export const failingTitle = (failing: Failing | undefined): string | undefined =>
  failing && failing.sites.length > 0
    ? upperFirst(
        translateCount(
          failing.sites.length,
          'the endpoint of {count} site fails',
          'the endpoints of {count} sites fail',
        ),
      )
    : undefined;

/** The failing endpoints, since when and why they fail, with the next step; empty if all work. */
export const FailingNow = ({ data }: { data: Failing | undefined }) => {
  if (!data || data.sites.length === 0) return null;
  return (
    <Card title={translate('Failing now')}>
      <ul class="states">
        {data.sites.map(({ sid, count, since, last }) => (
          <li key={sid} class="warn">
            <span>
              <SiteText sid={sid} />
              <span class="beneath">
                {compose('{error}, since {time}', { error: attemptWords(last), time: <Time at={since} /> })}
              </span>
            </span>
            <span class="buttons">
              <FailedLink class="button plain" {...{ sid, count }} />
              <a class="button plain" href={link(`/settings/${sid}`)}>
                {translate('Check its address')}
              </a>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** Lists notifications to merchants' endpoints with their results. */
export const Deliveries = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const failing = useFailing(version);
  return (
    <Screen
      title={translate('Deliveries')}
      heading={failingTitle(failing) ?? (failing && rows.length > 0 ? translate('No endpoint fails') : undefined)}
      lede={compose('{deliveries} to your endpoints, with every attempt.', {
        deliveries: <Term name="delivery">{translate('Notifications')}</Term>,
      })}
    >
      <FailingNow data={failing} />
      {failing?.lost.map(({ sid, count }) => (
        <p key={sid}>
          <SiteText sid={sid} />: <LostLink {...{ sid, count }} />
        </p>
      ))}
      <FigureTable rows={rows} />
      <Listing<Row>
        name="deliveries"
        caption={translate('Deliveries')}
        {...{ columns, filters, load, csvOf: deliveryCsv, version }}
        onRows={setRows}
        search=""
        keyOf={({ id }) => id}
        hrefOf={({ id }) => link(`/deliveries/${id}`)}
        empty={<p>{translate('There are no such notifications.')}</p>}
        actions={
          <>
            <TestAlert onMade={() => setVersion(version + 1)} />
            {replayFailed.isAllowed() && <ReplayFailed onDone={() => setVersion(version + 1)} />}
          </>
        }
      />
    </Screen>
  );
};

/** The share of the listed deliveries that each endpoint accepted, and its response times. */
const FigureTable = ({ rows }: { rows: readonly DeliveryRow[] }) => {
  const hosts = figuresByHost(rows);
  if (hosts.length === 0) return null;
  return (
    <Card title={translate('How your endpoints answered')}>
      <Facts facts={hosts.map((one) => [one.host, <Answers key={one.host} figures={one} />])} />
      <p class="small quiet">
        {translateCount(
          rows.length,
          'Of the {count} notification listed here.',
          'Of the {count} notifications listed here.',
        )}
      </p>
    </Card>
  );
};

const Answers = ({ figures: { attempts, accepted, median, slow } }: { figures: HostFigures }) => (
  <>
    <Badge
      state={accepted === attempts ? 'delivered' : 'failing'}
      tone={accepted === attempts ? 'good' : accepted === 0 ? 'bad' : 'warn'}
      label={translate('{percent} accepted', { percent: wholePercent(accepted, attempts) })}
    />{' '}
    <span class="small quiet">
      {translateCount(attempts, 'of {count} attempt', 'of {count} attempts')}
      {median !== null &&
        slow !== null &&
        translate('; half answered within {half}, 95% within {most}', {
          half: latencyText(median),
          most: latencyText(slow),
        })}
    </span>
  </>
);

const ReplayFailed = ({ onDone }: { onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{translate('Replay what failed')}</Button>
      {isOpen && (
        <Dialog title={translate('Replay what failed')} onClose={() => setOpen(false)}>
          <ReplayForm
            onDone={() => {
              setOpen(false);
              onDone();
            }}
          />
        </Dialog>
      )}
    </>
  );
};

const failedText = (count: number): string =>
  count === 0
    ? translate('Nothing failed in that time.')
    : translateCount(count, '{count} notification failed in that time.', '{count} notifications failed in that time.');

const ReplayForm = ({ onDone }: { onDone: () => void }) => {
  const [matched, setMatched] = useState<number>();
  const today = dayText(serviceNow());
  const send = async ({ sid = '', from = '', to = '' }: Record<string, string>) => {
    const body = { sid, from, to };
    if (matched === undefined) {
      setMatched((await replayFailed({ body: { ...body, dry_run: true } })).matched);
      return;
    }
    const { queued } = await replayFailed({ body });
    say(
      translateCount(queued, '{count} notification will be sent again.', '{count} notifications will be sent again.'),
    );
    onDone();
  };
  return (
    <Form
      onSend={send}
      send={matched === undefined ? translate('Count them') : translate('Replay {count}', { count: matched })}
      isDisabled={matched === 0}
    >
      {(problems) => (
        <fieldset onChange={() => setMatched(undefined)} class="stack">
          <p>
            {translate(
              'Sends again what was given up and what has failed at every attempt so far. Seven days at most.',
            )}
          </p>
          <SiteField type="alert" problem={problems['sid']} />
          <Field
            label={translate('From|date')}
            name="from"
            type="date"
            required
            defaultValue={dayText(serviceNow() - 6 * milliseconds.day)}
            problem={problems['from']}
          />
          <Field
            label={translate('Until')}
            name="to"
            type="date"
            required
            defaultValue={today}
            problem={problems['to']}
          />
          {matched !== undefined && <p role="status">{failedText(matched)}</p>}
        </fieldset>
      )}
    </Form>
  );
};
