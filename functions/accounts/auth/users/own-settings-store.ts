import { fromMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { toDevicesDto } from './device.ts';
import { changeDevices, type DeviceChange } from './device-store.ts';
import { digestWrites } from './digest-row.ts';
import { monthlyReportWrites } from './monthly-report-row.ts';
import type { User } from './user.ts';
import { userWrite } from './user-row.ts';
import { findUser } from './user-store.ts';

/** Fields left out stay as they are; null: as if never chosen. */
type SettingsChange = {
  time_zone?: string | null | undefined;
  alert_emails?: 'each' | 'daily' | undefined;
  monthly_report?: boolean | undefined;
  device?: DeviceChange | undefined;
};

const changeSettings = (user: User, change: SettingsChange): User => {
  const { zone: zoneBefore, digest: digestBefore, monthlyReport: reportBefore, ...rest } = user;
  const zone = change.time_zone === undefined ? zoneBefore : (change.time_zone ?? undefined);
  const isDaily = change.alert_emails === undefined ? digestBefore === true : change.alert_emails === 'daily';
  return {
    ...rest,
    ...(zone !== undefined && { zone }),
    ...(isDaily && { digest: true as const }),
    ...((change.monthly_report ?? reportBefore) && { monthlyReport: true as const }),
  };
};

/** Operators get no e-mails about alerts, whatever earlier releases have stored of them. */
const toSettingsDto = ({ scope, zone, digest, monthlyReport }: User) => ({
  time_zone: zone ?? null,
  alert_emails: digest && scope === 'merchant' ? ('daily' as const) : ('each' as const),
  monthly_report: monthlyReport === true && scope === 'merchant',
});

const refuseWithoutEffect = ({ scope }: User, { alert_emails: emails, monthly_report: report }: SettingsChange) => {
  const names = [emails === 'daily' && 'alert_emails', report === true && 'monthly_report'].filter(Boolean).join(', ');
  if (scope === 'admin' && names) {
    throw new Refusal('request_invalid', `${names}: only users of a merchant get these e-mails.`);
  }
};

/** The name of a user's merchant; null for operators. */
const merchantName = async ({ mid }: User): Promise<string | null> =>
  mid === null ? null : (fromMerchantItem(await getItem(keys.merchant(mid)))?.name ?? null);

/** Changes the caller's own settings, or only reads them; the time of the next digest follows. Throws changed_meanwhile, request_invalid. */
export const setOwnSettings = (change: SettingsChange, { subject, signedInAt = '' }: Caller) =>
  retryOnConflict(
    async () => {
      const user = await findUser(subject);
      if (!user) throw new Refusal('token_revoked', 'The user of this token does not exist any more.');
      refuseWithoutEffect(user, change);
      const after = changeSettings(user, change);
      const { devices, writes } = await changeDevices(user, change.device, signedInAt);
      const [before, settings] = [toSettingsDto(user), toSettingsDto(after)];
      const isSame = (...names: (keyof typeof settings)[]) => names.every((name) => before[name] === settings[name]);
      const changes = [
        ...(isSame('time_zone', 'alert_emails') ? [] : digestWrites(after, nowIso())),
        ...(isSame('monthly_report') ? [] : monthlyReportWrites(after)),
      ];
      const own = changes.length > 0 ? [userWrite(user, after), ...changes] : [];
      if (own.length + writes.length > 0) await transact({ settings: own, devices: writes });
      return {
        before,
        ...settings,
        email: user.email,
        merchant: await merchantName(user),
        second_factor: user.factor ? ('app' as const) : user.passkeys.length > 0 ? ('passkey' as const) : null,
        devices: toDevicesDto(devices, user.sessionsEndedAt),
      };
    },
    { onExhausted: changedMeanwhile },
  );
