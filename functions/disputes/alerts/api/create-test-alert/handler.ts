import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { readAlertOwner, writeAlert } from '../../intake/intake-store.ts';
import { checkOnboarded, testRequestToAlert } from '../../intake/test-alert.ts';
import { findTestTarget } from '../../intake/test-target-store.ts';
import { createTestAlertOperation } from './operation.ts';

export const handler = endpoint(createTestAlertOperation, async ({ body, caller }) => {
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
