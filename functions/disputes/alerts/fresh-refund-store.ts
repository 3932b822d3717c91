import { judgeByLimit } from '#accounts/merchants/settings/refund-limit.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { needFresh } from '#core/platform/http/access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import type { Alert } from './alert.ts';
import { visibleAlert } from './alert-store.ts';

/** Results that need no fresh sign-in: there is no limit, or the refund is within it. */
const modest: readonly ReturnType<typeof judgeByLimit>[] = ['none', 'within'];

type Asked = { amount?: string | undefined; currency?: string | undefined };

/** Only people are asked for their password again. Programs cannot answer, and refund as they are built to. */
const isStale = ({ freshUntil, isProgram }: Caller, at: string): boolean =>
  !isProgram && freshUntil !== undefined && at >= freshUntil;

/**
 * Refuses a person who signed in too long ago a refund of more than the alert's site lets its rules refund. The site is read only
 * for such a person. Absent amounts: the alert's. Throws fresh_sign_in_needed.
 */
export const needFreshAboveLimit = async (
  { owner, providerAlert }: Pick<Alert, 'owner' | 'providerAlert'>,
  asked: Asked,
  caller: Caller,
): Promise<void> => {
  const at = nowIso();
  if (owner === null || !isStale(caller, at)) return;
  const item = await getItem(keys.site(owner.sid));
  const { amount = providerAlert.amount, currency = providerAlert.currency } = asked;
  if (item && modest.includes(judgeByLimit({ amount, currency }, fromSiteItem(item)))) return;
  needFresh(caller, at);
};

/** The same for an alert given by its number, which is also read only for such a person. Also throws alert_not_found. */
export const needFreshForAlert = async (alertId: number, asked: Asked, caller: Caller): Promise<void> => {
  if (isStale(caller, nowIso())) await needFreshAboveLimit(await visibleAlert(alertId, caller), asked, caller);
};
