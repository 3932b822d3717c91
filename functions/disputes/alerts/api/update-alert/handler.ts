import { nowIso } from '#core/kernel/clock.ts';
import { endpoint, type Unparsed } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { recordUpdate } from '../../answer/update-store.ts';
import { updateAlertOperation } from './operation.ts';

const needRcode = async ({ headers }: Unparsed): Promise<void> => {
  if (!headers['rcode']) throw new Refusal('rcode_wrong', 'Send the rcode of the site in the header rcode.');
};

export const handler = endpoint(
  updateAlertOperation,
  async ({ body: { alert_id, ...update }, headers }) => {
    const alert = await recordUpdate(alert_id, update, headers['rcode'] ?? '', nowIso());
    return {
      status: 'ok' as const,
      msg: 'The alert is updated.',
      alert_id: String(alert_id),
      alert_status: alert.status,
      reason_code: update.reason_code,
    };
  },
  { authenticate: needRcode },
);
