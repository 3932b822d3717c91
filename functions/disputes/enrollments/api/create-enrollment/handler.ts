import { siteForCaller } from '#accounts/merchants/site/site-store.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { listOverlaps } from '../../claims/overlap-store.ts';
import { createdMessage, maxItemsOfRequest, namePlaces, newItems, repeatedItems } from '../../enrollment.ts';
import { createEnrollment as store } from '../../enrollment-store.ts';
import { createEnrollmentOperation as operation } from './operation.ts';

export const handler = auditedEndpoint(
  operation,
  idempotent(operation, async ({ body, caller }, claim) => {
    const problems = repeatedItems(body.enrollment_items);
    if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
    const answerOf = (id: number) => ({ status: 'ok' as const, msg: createdMessage, enrollment_request_id: id });
    if (claim?.made !== undefined) return answerOf(claim.made);
    const site = await siteForCaller(body.sid, caller);
    if (site.type !== null && site.type !== 'alert') {
      throw new Refusal('site_not_for_alerts', `This site is of type ${site.type}.`);
    }
    const items = newItems(body.enrollment_items, nowIso());
    if (items.length > maxItemsOfRequest) {
      throw new Refusal(
        'request_invalid',
        `enrollment_items: must be at most ${maxItemsOfRequest}, counting an item once for each provider`,
      );
    }
    const { overlaps, repeated } = await listOverlaps(site, items);
    if (repeated.length > 0) {
      throw new Refusal('descriptor_enrolled', `${namePlaces(body.enrollment_items, repeated).join(', ')}`);
    }
    const overlapping = new Set(overlaps.map(({ item }) => item.number));
    return answerOf(await store(site, body.email_cc_list, { items, overlapping }, claim));
  }),
);
