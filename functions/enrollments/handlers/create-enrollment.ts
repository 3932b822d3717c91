import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { siteForCaller } from '../../merchants/site-store.ts';
import { itemProblems } from '../enrollment.ts';
import { createEnrollment as store } from '../enrollment-store.ts';
import { createEnrollment } from '../operations.ts';

export const handler = endpoint(createEnrollment, async ({ body, caller }) => {
  const problems = itemProblems(body.enrollment_items);
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  const site = await siteForCaller(body.sid, caller);
  if (site.type !== null && site.type !== 'alert') {
    throw new Refusal('site_not_for_alerts', `This site is of type ${site.type}.`);
  }
  const { enrollmentId } = await store(site, body.email_cc_list, body.enrollment_items);
  return { status: 'ok' as const, msg: 'The enrollment request was created', enrollment_request_id: enrollmentId };
});
