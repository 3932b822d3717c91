import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { type DeliveryRow, listDeliveries } from '../app/operations.ts';
import { compose, translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { useAlive } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { attemptWords } from './delivery-words.ts';
import { endpointAdvice } from './endpoint-advice.ts';
import type { SiteDto } from './site-operations.ts';
import { createTestAlert } from './test-alert.tsx';

const lookAgainMilliseconds = 500;
const maxLooks = 60;
const pause = () => new Promise((resolve) => setTimeout(resolve, lookAgainMilliseconds));

type Result = { alertId: number; delivery: DeliveryRow | undefined };

/** Sends a test alert to a site, and waits for the answer of its endpoint. */
const testEndpoint = async ({ sid, currency }: SiteDto, isAlive: () => boolean): Promise<Result> => {
  const about = { amount: '1', currency: currency ?? 'USD', descriptor: 'ENDPOINT TEST' };
  const { alert_id: alertId } = await createTestAlert({ body: { alert_type: 'DISPUTE', sid, ...about } });
  for (let looks = 0; looks < maxLooks && isAlive(); looks += 1) {
    const { list } = await listDeliveries({ body: { alert_id: alertId, size: 10 } });
    const delivery = list.find(({ kind, attempts }) => kind === 'new_alert' && attempts.length > 0);
    if (delivery) return { alertId, delivery };
    await pause();
  }
  return { alertId, delivery: undefined };
};

/** Tests the endpoint of a site by an alert that is marked as a test, and shows what the endpoint answers and what to change. */
export const EndpointTest = ({ site, url }: { site: SiteDto; url: string }) => {
  const isAlive = useAlive();
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<unknown>();
  if (!createTestAlert.isAllowed()) return null;
  const press = async () => {
    setError(undefined);
    setResult(undefined);
    try {
      setResult(await testEndpoint(site, isAlive));
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Card title={translate('Test the endpoint')}>
      <p>{compose('A signed test alert is sent to {url} at once.', { url: <span class="code">{url}</span> })}</p>
      <Trouble error={error} />
      <div role="status">{result && <Answer {...result} />}</div>
      <div class="buttons">
        <Button onPress={press}>{translate('Send a test now')}</Button>
      </div>
    </Card>
  );
};

const Answer = ({ alertId, delivery }: Result) => {
  const attempt = delivery?.attempts.at(-1);
  if (!delivery || !attempt)
    return <p class="note">{translate('There is no answer yet. The deliveries will show it.')}</p>;
  return (
    <>
      <p>
        <Badge state={delivery.state} /> <strong>{attemptWords(attempt)}</strong>{' '}
        <span class="quiet small">{translate('after {count} ms', { count: countText(attempt.latency_ms) })}</span>
      </p>
      <p>{endpointAdvice(attempt)}</p>
      <p class="small">
        <a href={link(`/deliveries/${delivery.id}`)}>{translate('What was sent and answered')}</a>{' '}
        <a href={link(`/alerts/${alertId}`)}>{translate('The test alert')}</a>
      </p>
    </>
  );
};
