import { nowIso } from '#core/kernel/clock.ts';
import type { Unparsed } from '#core/platform/http/http.ts';
import { writeMetric } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireNew, requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, putItem } from '#core/platform/table/table.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';
import { cameAgain, newQuarantined, type Quarantined } from './quarantine.ts';
import { fromQuarantinedItem, toQuarantinedItem } from './quarantine-row.ts';

/** Replaces an entry as it was read. Throws ConditionFailedError if another process was faster. */
const write = (before: Quarantined | undefined, after: Quarantined): Promise<void> =>
  putItem(toQuarantinedItem(after), before ? requireVersion(before.version, 'quarantined') : requireNew);

/**
 * Stores a signed message that cannot be read before the provider is answered, so that it is never lost. Raises an alarm if it is new. If
 * it cannot be stored, this throws, and the provider sends it again.
 */
export const quarantining =
  (provider: SigningProvider) =>
  async ({ code, details }: Refusal, { rawBody }: Pick<Unparsed, 'rawBody'>): Promise<void> => {
    if (code !== 'request_invalid' && code !== 'content_type_unsupported') return;
    const fresh = newQuarantined(provider, rawBody, details, nowIso());
    const before = await retryOnConflict(async () => {
      const found = fromQuarantinedItem(await getItem(keys.quarantined(fresh.id)));
      await write(found, found ? cameAgain(found, details, fresh.receivedAt) : fresh);
      return found;
    });
    if (!before)
      writeMetric({ name: 'MessagesQuarantined', value: 1, unit: 'Count', dimensions: { Provider: provider } });
  };

/** Throws quarantine_entry_not_found. */
export const readQuarantined = async (id: string): Promise<Quarantined> => {
  const found = fromQuarantinedItem(await getItem(keys.quarantined(id)));
  if (!found) throw new Refusal('quarantine_entry_not_found', 'id: there is no such entry.');
  return found;
};

type Settled = { alertId: number | null } | { reason: string };

/**
 * Settles an entry. Its alert is written before, and writing it again gives the same alert; so if a crash in between leaves an entry
 * open, the next attempt settles it. A new alert overrides whatever was written meanwhile, even a dismissal; a dismissal throws
 * changed_meanwhile.
 */
export const settleQuarantined = (before: Quarantined, by: string, settled: Settled): Promise<Quarantined> =>
  'alertId' in settled
    ? retryOnConflict(async (_, attempt) =>
        settle(attempt === 1 ? before : await readQuarantined(before.id), by, settled),
      )
    : settle(before, by, settled).catch((error: unknown) => {
        if (!(error instanceof ConditionFailedError)) throw error;
        throw new Refusal('changed_meanwhile', 'Look at the entry and send it again.');
      });

const settle = async (before: Quarantined, by: string, settled: Settled): Promise<Quarantined> => {
  const isAlert = 'alertId' in settled;
  const after: Quarantined = {
    ...before,
    state: isAlert ? 'RESUBMITTED' : 'DISMISSED',
    alertId: isAlert ? settled.alertId : null,
    reason: isAlert ? null : settled.reason,
    settledBy: by,
    settledAt: nowIso(),
    version: before.version + 1,
  };
  await write(before, after);
  return after;
};
