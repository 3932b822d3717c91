import { threeDsSecrets } from '../settings/settings.ts';
import type { AlertSettings, PaymentSettings, Site, ThreeDsSettings } from './site.ts';

/** Alert settings on the wire: of the token only whether there is one, of a chat's address only the host. */
const toAlertDto = ({ token, slack_webhook_url: slack, teams_webhook_url: teams, ...settings }: AlertSettings) => ({
  ...settings,
  token_set: token !== null,
  slack_webhook_host: slack?.host ?? null,
  teams_webhook_host: teams?.host ?? null,
  max_refund_amount: settings.max_refund_amount === null ? null : Number(settings.max_refund_amount),
  max_daily_refunds: settings.max_daily_refunds ?? null,
  body_format: settings.body_format ?? 'form',
  status_update_statuses: settings.status_update_statuses ?? 'named',
  alert_triggeremail: settings.alert_triggeremail ? 1 : 0,
  alert_email: settings.alert_email.join(','),
  shieldrdr_review_email: settings.shieldrdr_review_email.join(','),
});

const toPaymentDto = (settings: PaymentSettings) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, typeof value === 'object' ? value.join(',') : value]),
  );

/** Shown in place of a secret that is kept. */
const secretShown = 'set';
const serviceSecrets = ['wallet_merchant_token', 'thirdparty_password'];

const toThreeDsDto = ({ settings, servicesettings, secrets }: ThreeDsSettings) => {
  const kept = threeDsSecrets.filter((name) => name in secrets).map((name) => [name, secretShown] as const);
  const inService = kept.filter(([name]) => serviceSecrets.includes(name));
  const inSettings = kept.filter(([name]) => !serviceSecrets.includes(name));
  return {
    settings: { ...settings, ...Object.fromEntries(inSettings) },
    servicesettings: { ...servicesettings, ...Object.fromEntries(inService) },
  };
};

const toSettingsDto = ({ alert, payment, threeDs }: Site) => {
  if (alert) return toAlertDto(alert);
  if (threeDs) return toThreeDsDto(threeDs);
  return payment && toPaymentDto(payment);
};

/** A site on the wire, without any of its secrets. */
export const siteDetails = (site: Site) => ({
  sid: site.sid,
  mid: site.mid,
  rid: site.rid,
  name: site.name,
  merchant_name: site.merchantName,
  retailer_name: site.retailerName,
  type: site.type,
  created_at: site.createdAt,
  ...site.profile,
  settings: toSettingsDto(site),
});

/** The addresses to which a site's e-mails go. */
export const siteAddresses = ({ alert, payment }: Pick<Site, 'alert' | 'payment'>): string[] =>
  [alert?.alert_email, alert?.shieldrdr_review_email, payment?.['notify_email'], payment?.['cbreportemail']].flatMap(
    (addresses) => (Array.isArray(addresses) ? addresses : []),
  );
