import { useState } from 'preact/hooks';
import type { replayFailedOperation as ReplayFailedOperation } from '#messaging/webhooks/api/replay-failed/operation.ts';
import { link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import { type DeliveryRow, listDeliveries } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field } from '../parts/field.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import { alertFilter, pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteField } from '../parts/site-field.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { dayText } from '../parts/times.ts';
import { countWords } from '../parts/words.ts';
import { figuresByHost, type HostFigures, latencyText, wholePercent } from './delivery-figures.ts';
import { attemptWords } from './delivery-words.ts';
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
  { name: 'state', label: 'State', choices: states.map((value) => ({ value, label: stateWords(value) })) },
  { name: 'kind', label: 'Kind', choices: kinds.map((value) => ({ value, label: stateWords(value) })) },
  siteFilter,
  alertFilter,
  ...spanFilters('Created'),
];

const columns: readonly Column<DeliveryRow>[] = [
  { label: 'Notification', isMain: true, cell: ({ kind }) => stateWords(kind) },
  {
    label: 'Alert',
    isShort: true,
    cell: ({ alert_id }) => (alert_id === null ? '–' : <a href={link(`/alerts/${alert_id}`)}>{alert_id}</a>),
  },
  { label: 'State', cell: ({ state }) => <Badge state={state} /> },
  { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.length },
  { label: 'Last attempt', cell: ({ attempts }) => attemptWords(attempts.at(-1)) },
  {
    label: 'To',
    isExtra: true,
    cell: ({ url }) => (
      <span class="clipped" title={url ?? undefined}>
        {url ?? '–'}
      </span>
    ),
  },
  { label: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Next attempt', isExtra: true, cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
];

const csvOf = (row: DeliveryRow) => ({
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

const load = pagesOf(listDeliveries);

/** Lists notifications to merchants' endpoints with their results. */
export const Deliveries = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly DeliveryRow[]>([]);
  return (
    <Screen title="Deliveries" lede="Notifications to your endpoints, with every attempt.">
      <FiguresOf rows={rows} />
      <Listing<DeliveryRow>
        name="deliveries"
        caption="Deliveries"
        {...{ columns, filters, load, csvOf, version }}
        onRows={setRows}
        search="alert_id"
        keyOf={({ id }) => id}
        hrefOf={({ id }) => link(`/deliveries/${id}`)}
        empty={<p>There are no such notifications.</p>}
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

/** How often endpoints accepted what the list shows, and how fast they answered. */
const FiguresOf = ({ rows }: { rows: readonly DeliveryRow[] }) => {
  const hosts = figuresByHost(rows);
  if (hosts.length === 0) return null;
  return (
    <Card title="How your endpoints answered">
      <Facts facts={hosts.map((one) => [one.host, <Answers key={one.host} figures={one} />])} />
      <p class="small quiet">Of the {countWords(rows.length, 'notification')} listed here.</p>
    </Card>
  );
};

const Answers = ({ figures: { attempts, accepted, median, slow } }: { figures: HostFigures }) => (
  <>
    <Badge
      state={accepted === attempts ? 'delivered' : 'failing'}
      tone={accepted === attempts ? 'good' : accepted === 0 ? 'bad' : 'warn'}
      label={`${wholePercent(accepted, attempts)} accepted`}
    />{' '}
    <span class="small quiet">
      of {countWords(attempts, 'attempt')}
      {median !== null &&
        slow !== null &&
        `; half answered within ${latencyText(median)}, 95% within ${latencyText(slow)}`}
    </span>
  </>
);

const dayMilliseconds = 86_400_000;

const ReplayFailed = ({ onDone }: { onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Replay what failed</Button>
      {isOpen && (
        <Dialog title="Replay what failed" onClose={() => setOpen(false)}>
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
    say(`${countWords(queued, 'notification')} will be sent again.`);
    onDone();
  };
  return (
    <Form onSend={send} send={matched === undefined ? 'Count them' : `Replay ${matched}`} isDisabled={matched === 0}>
      {(problems) => (
        <fieldset onChange={() => setMatched(undefined)} class="stack">
          <p>Sends again what was given up and what has failed at every attempt so far. Seven days at most.</p>
          <SiteField type="alert" problem={problems['sid']} />
          <Field
            label="From"
            name="from"
            type="date"
            required
            defaultValue={dayText(serviceNow() - 6 * dayMilliseconds)}
            problem={problems['from']}
          />
          <Field label="Until" name="to" type="date" required defaultValue={today} problem={problems['to']} />
          {matched !== undefined && (
            <p role="status">
              {matched === 0
                ? 'Nothing failed in that time.'
                : `${countWords(matched, 'notification')} failed in that time.`}
            </p>
          )}
        </fieldset>
      )}
    </Form>
  );
};
