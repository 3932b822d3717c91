import { link } from '../app/address.ts';
import { listDeliveries } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { useLoad } from '../parts/load.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { attemptWords } from './delivery-words.ts';

/** The notifications of an alert to its merchant's endpoint. */
export const AlertDeliveries = ({ alertId }: { alertId: number }) => {
  const { data, error, reload } = useLoad(`deliveries ${alertId}`, (signal) =>
    listDeliveries({ body: { alert_id: alertId, size: 10 }, signal }),
  );
  return (
    <Card title={translate('Notifications')}>
      <Trouble error={error} onRetry={reload} />
      {data?.list.length === 0 && <p class="quiet">{translate('None were sent.')}</p>}
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
