import type { notificationDetailsOperation as DeliveryDetailsOperation } from '#messaging/webhooks/api/details/operation.ts';
import type { replayNotificationOperation as ReplayOperation } from '#messaging/webhooks/api/replay/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { useAlive, useLoad } from '../parts/load.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { AsCurl } from './delivery-curl.tsx';
import { attemptWords } from './delivery-words.ts';

const deliveryDetails = remote<typeof DeliveryDetailsOperation>({ path: '/api/v3/notifications/{id}/details' });
const replay = remote<typeof ReplayOperation>({
  path: '/api/v3/notifications/{id}/replay',
  roles: ['developer', 'manager'],
});
type Delivery = ReplyOf<typeof DeliveryDetailsOperation>;

const lookAgainMilliseconds = 700;
const maxLooks = 40;
const pause = () => new Promise((resolve) => setTimeout(resolve, lookAgainMilliseconds));

/** One notification: its attempts on a line of time, and a way to send it again. */
export const DeliveryPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => deliveryDetails({ params: { id }, signal }));
  return (
    <Screen
      title={data ? stateWords(data.kind) : translate('Notification')}
      from={{ label: translate('Deliveries'), href: '#/deliveries' }}
      actions={
        data && (
          <>
            <AsCurl id={data.id} />
            <Replay delivery={data} onReplayed={reload} />
          </>
        )
      }
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known delivery={data} /> : !error && <Waiting />}
    </Screen>
  );
};

/** Sends it again, and waits for the attempt to show its result. */
const Replay = ({ delivery, onReplayed }: { delivery: Delivery; onReplayed: () => void }) => {
  const isAlive = useAlive();
  const press = async () => {
    const { id, attempts } = delivery;
    try {
      await replay({ params: { id } });
      onReplayed();
      for (let looks = 0; looks < maxLooks && isAlive(); looks += 1) {
        const now = await deliveryDetails({ params: { id } });
        const newest = now.attempts.at(-1);
        if (newest && (now.attempts.length !== attempts.length || newest.at !== attempts.at(-1)?.at)) {
          say(
            translate('Sent again: {attempt}.', { attempt: attemptWords(newest) }),
            newest.error === null ? 'good' : 'bad',
          );
          break;
        }
        await pause();
      }
      onReplayed();
    } catch (thrown) {
      say(thrown instanceof Error ? thrown.message : String(thrown), 'bad');
    }
  };
  const isAllowed = replay.isAllowed();
  useShortcuts(isAllowed ? { replay: () => void press() } : {});
  return isAllowed ? (
    <Button {...(delivery.state !== 'DELIVERED' && { look: 'main' })} onPress={press}>
      {translate('Replay')}
    </Button>
  ) : null;
};

const Known = ({ delivery }: { delivery: Delivery }) => (
  <div class="split">
    <Card title={translate('Attempts')}>
      {delivery.attempts.length === 0 && <p class="quiet">{translate('None yet.')}</p>}
      <ol class="timeline">
        {delivery.next_attempt_at && (
          <li>
            <p>
              <strong>{translate('Next attempt')}</strong>
            </p>
            <p class="quiet small">
              <Time at={delivery.next_attempt_at} exact />
            </p>
          </li>
        )}
        {[...delivery.attempts].reverse().map((attempt, index) => (
          <li
            key={attempt.at}
            class={attempt.error === null ? 'good' : 'bad'}
            aria-current={index === 0 ? 'step' : undefined}
          >
            <p>
              <strong>{attemptWords(attempt)}</strong>{' '}
              <span class="quiet small">{translate('after {count} ms', { count: countText(attempt.latency_ms) })}</span>
            </p>
            <p class="quiet small">
              <Time at={attempt.at} exact />
            </p>
            {attempt.reply_update && (
              <p class="small">
                {attempt.reply_update.accepted
                  ? translate('Its answer updated the alert.')
                  : translate('Its answer should have updated the alert, but could not: {reason}', {
                      reason: attempt.reply_update.reason ?? '',
                    })}
              </p>
            )}
            {attempt.response !== '' && (
              <details>
                <summary>{translate('What it answered')}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
                <pre tabIndex={0}>{attempt.response}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </Card>
    <Card title={translate('The notification')}>
      <Facts
        facts={[
          [translate('State'), <Badge key="state" state={delivery.state} />],
          [
            translate('Number'),
            <span key="id" class="code">
              {delivery.id}
            </span>,
          ],
          [
            translate('Alert'),
            delivery.alert_id && <a href={link(`/alerts/${delivery.alert_id}`)}>{delivery.alert_id}</a>,
          ],
          [translate('Site'), <SiteName key="site" sid={delivery.sid} />],
          [translate('To'), delivery.url],
          [translate('Created'), <Time key="made" at={delivery.created_at} exact />],
          [
            translate('Tried until'),
            delivery.state === 'PENDING' && <Time key="until" at={delivery.expires_at} exact />,
          ],
        ]}
      />
    </Card>
  </div>
);
