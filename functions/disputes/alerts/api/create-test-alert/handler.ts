import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { endpoint } from '#core/platform/http/http.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { positionOfAlert } from '#disputes/providers/provider-alert.ts';
import { visibleAlert } from '../../alert-store.ts';
import { readAlertOwner, writeAlert } from '../../intake/intake-store.ts';
import { checkOnboarded, requireRdrTest, testRequestToAlert } from '../../intake/test-alert.ts';
import { findTestTarget } from '../../intake/test-target-store.ts';
import { withdrawCase } from '../../intake/withdrawal-store.ts';
import { createTestAlertOperation } from './operation.ts';

const withdrawTest = async (alertId: number, caller: Caller) => {
  const { providerAlert, owner } = await visibleAlert(alertId, caller);
  // A repeated call says the same, and changes nothing.
  const { is_duplicate } = await withdrawCase(providerAlert.provider, {
    caseId: requireRdrTest(providerAlert),
    position: positionOfAlert(providerAlert),
  });
  return {
    ...{ status: 'ok' as const, msg: 'The network has withdrawn the test alert.', alert_id: alertId, is_duplicate },
    sid: owner?.sid ?? 0,
  };
};

export const handler = endpoint(createTestAlertOperation, async ({ body, caller }) => {
  if (body.alert_id !== undefined) return withdrawTest(body.alert_id, caller);
  const target = await findTestTarget(body, caller);
  const providerAlert = testRequestToAlert(body, `test-${randomText(16)}`, nowIso());
  const owner = await readAlertOwner(target, providerAlert);
  if (!owner) throw new Error(`Site ${target.sid} has a claim but is gone`);
  checkOnboarded(owner.site);
  const ownership = { site: owner.site, matchedDescriptor: target.descriptor };
  const taken = await writeAlert(providerAlert, ownership, owner, { by: caller.subject, via: 'test' });
  return {
    status: 'ok' as const,
    msg: 'The test alert is on its way.',
    alert_id: taken.alert_id,
    sid: target.sid,
    is_duplicate: taken.is_duplicate,
  };
});
