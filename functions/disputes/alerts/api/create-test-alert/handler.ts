import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { candidatesFor } from '../../intake/candidate-store.ts';
import { readAlertOwner, writeAlert } from '../../intake/intake-store.ts';
import { checkOnboarded, testCandidate, testRequestToAlert } from '../../intake/test-alert.ts';
import { createTestAlertOperation } from './operation.ts';

export const handler = endpoint(createTestAlertOperation, async ({ body, caller }) => {
  const candidate = testCandidate(await candidatesFor(body.descriptor), caller);
  const providerAlert = testRequestToAlert(body, `test-${randomText(16)}`, nowIso());
  const owner = await readAlertOwner(candidate, providerAlert);
  if (!owner) throw new Error(`Site ${candidate.sid} has a claim but is gone`);
  checkOnboarded(owner.site);
  const ownership = { site: owner.site, matchedDescriptor: candidate.descriptor };
  const taken = await writeAlert(providerAlert, ownership, owner, { by: caller.subject, via: 'test' });
  return {
    status: 'ok' as const,
    msg: 'The test alert is on its way.',
    alert_id: taken.alert_id,
    sid: candidate.sid,
    is_duplicate: taken.is_duplicate,
  };
});
