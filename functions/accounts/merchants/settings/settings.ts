import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { givenFields } from '../merchant/merchant.ts';
import {
  type AlertSettings,
  defaultDeadlineHours,
  type SealedSecret,
  type Site,
  type SiteType,
  type ThreeDsSettings,
} from '../site/site.ts';
import { hasNewOrigin, staleThreeDsSecrets } from './diverting-settings.ts';

const chatSettings = ['slack_webhook_url', 'teams_webhook_url'] as const satisfies readonly (keyof AlertSettings)[];
type ChatSetting = (typeof chatSettings)[number];

/** Fields of a settings body: `undefined` was not sent and stays as it is, null takes a value away. */
export type AlertSettingsChange = {
  [N in Exclude<keyof AlertSettings, 'token' | 'deadline_hours' | ChatSetting>]?: AlertSettings[N] | undefined;
} & { [N in ChatSetting]?: string | null | undefined } & {
  token?: string | null | undefined;
  deadline_hours?: { [N in keyof AlertSettings['deadline_hours']]?: number | undefined } | undefined;
};
export type PaymentSettingsChange = Readonly<Record<string, string | number | readonly string[] | undefined>>;
type ThreeDsFields = Readonly<Record<string, string | number | undefined>>;
export type ThreeDsSettingsChange = { settings: ThreeDsFields; servicesettings: ThreeDsFields };

/** Encrypts a secret for a site; `field` names it among its settings, absent: the webhook token. */
export type SealSecret = (text: string, field?: string) => SealedSecret;

/** The fields of either 3DS object that are kept encrypted and never shown. */
export const threeDsSecrets: readonly string[] = [
  'acquirerMerchantPwd',
  'wallet_merchant_token',
  'thirdparty_password',
];

/** The settings of a site that has none yet. */
export const noAlertSettings: AlertSettings = {
  alertapiurl: null,
  descriptorid: '',
  username: '',
  token: null,
  default_dispute_action: null,
  max_refund_amount: null,
  max_daily_refunds: null,
  body_format: 'form',
  alert_triggeremail: false,
  alert_email: [],
  shieldrdr_review_email: [],
  statusupdate_url: null,
  status_update_opt_in: false,
  enrollment_url: null,
  slack_webhook_url: null,
  teams_webhook_url: null,
  deadline_warning: false,
  deadline_hours: defaultDeadlineHours,
};

/** The site with this type, which it may already have; throws site_type_fixed if it has another. */
const withType = (site: Site, type: SiteType): Site => {
  if (site.type !== null && site.type !== type) {
    throw new Refusal('site_type_fixed', `This site is of type ${site.type} and cannot become ${type}.`);
  }
  return { ...site, type };
};

/** The chat addresses that a body sets or removes, as they are kept. They have been checked. */
const sealedChats = (change: AlertSettingsChange, sealSecret: SealSecret): Pick<AlertSettings, ChatSetting> =>
  Object.fromEntries(
    chatSettings.flatMap((name) => {
      const text = change[name];
      if (text === undefined) return [];
      return [[name, text === null ? null : { ...sealSecret(text, name), host: new URL(text).host }] as const];
    }),
  );

/** A decimal in the site's currency; a site without one takes two decimals, as most currencies have. Throws request_invalid. */
const canonicalAmount = (text: string, { profile }: Site): string => {
  const money = parseAmount(text, String(profile['currency'] ?? 'USD'));
  if (typeof money === 'string') throw new Refusal('request_invalid', `max_refund_amount: ${money}`);
  return formatAmount(money);
};

/** A status update URL given for the first time opts the site in, unless the body says otherwise. */
const optsIn = (before: AlertSettings, change: AlertSettingsChange): boolean =>
  change.status_update_opt_in ??
  (before.status_update_opt_in || (!before.statusupdate_url && !!change.statusupdate_url));

/**
 * An alert site with settings changed. Callbacks to a new origin do not get the token that was set for another one. Throws site_type_fixed, or request_invalid for an amount that the site's
 * currency does not have.
 */
export const withAlertSettings = (site: Site, change: AlertSettingsChange, sealSecret: SealSecret): Site => {
  const {
    token,
    deadline_hours: hours,
    max_refund_amount: limit,
    slack_webhook_url,
    teams_webhook_url,
    ...fields
  } = change;
  const before = site.alert ?? noAlertSettings;
  const alert: AlertSettings = {
    ...before,
    ...dropUndefined(fields),
    ...sealedChats({ slack_webhook_url, teams_webhook_url }, sealSecret),
    ...(token !== undefined && { token: token === null ? null : sealSecret(token) }),
    ...(limit !== undefined && { max_refund_amount: limit === null ? null : canonicalAmount(limit, site) }),
    ...(hours && { deadline_hours: { ...before.deadline_hours, ...dropUndefined(hours) } }),
    status_update_opt_in: optsIn(before, change),
  };
  const kept = token === undefined && hasNewOrigin(before, alert) ? { ...alert, token: null } : alert;
  return { ...withType(site, 'alert'), alert: kept };
};

/** A payment site with settings changed. Throws site_type_fixed. */
export const withPaymentSettings = (site: Site, change: PaymentSettingsChange): Site => ({
  ...withType(site, 'payment'),
  payment: { ...site.payment, ...givenFields(change) },
});

const noThreeDsSettings: ThreeDsSettings = { settings: {}, servicesettings: {}, secrets: {} };

/** A 3DS site with settings changed; an empty text removes a secret. Throws site_type_fixed. */
export const withThreeDsSettings = (site: Site, change: ThreeDsSettingsChange, sealSecret: SealSecret): Site => {
  const before = site.threeDs ?? noThreeDsSettings;
  const stale = staleThreeDsSecrets(before, change.servicesettings);
  const secrets = Object.fromEntries(Object.entries(before.secrets).filter(([name]) => !stale.includes(name)));
  const open = (fields: ThreeDsFields) => {
    const entries = Object.entries(givenFields(fields)).filter(([name, value]) => {
      if (!threeDsSecrets.includes(name)) return true;
      if (value === '') delete secrets[name];
      else secrets[name] = sealSecret(String(value), name);
      return false;
    });
    return Object.fromEntries(entries);
  };
  const threeDs: ThreeDsSettings = {
    settings: { ...before.settings, ...open(change.settings) },
    servicesettings: { ...before.servicesettings, ...open(change.servicesettings) },
    secrets,
  };
  return { ...withType(site, '3ds'), threeDs };
};
