import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { keepNote } from '../../history/note-store.ts';
import { noteAlertOperation } from './operation.ts';

export const handler = endpoint(
  noteAlertOperation,
  async ({ params: { alert_id }, body: { note }, headers, caller }) => {
    const { at } = await keepNote({ alertId: alert_id, note, key: headers['idempotency-key'] }, caller, nowIso());
    return { status: 'ok' as const, msg: 'The note is kept.', alert_id, noted_at: at };
  },
);
