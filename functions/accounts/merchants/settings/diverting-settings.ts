import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import type { AlertSettings, PaymentSettings, ThreeDsSettings } from '../site/site.ts';

/** Which settings decide where data and secrets go, and what follows from a change of them. */

type Sent = Readonly<Record<string, unknown>>;

const callbackUrls = ['alertapiurl', 'statusupdate_url', 'enrollment_url'] as const satisfies (keyof AlertSettings)[];
const alertReceivers = ['alert_email', 'shieldrdr_review_email'] as const satisfies (keyof AlertSettings)[];
const alertDestinations = [
  ...callbackUrls,
  ...alertReceivers,
  'slack_webhook_url',
  'teams_webhook_url',
  'token',
  'username',
];
const paymentReceivers = ['notify_email', 'cbreportemail'] as const;
const paymentDestinations = [...paymentReceivers, 'emaildomain', 'signature'];

/** The secrets that go to an address of a 3DS server, by the setting of that address. */
const secretOfUrl = { wallet_base_url: 'wallet_merchant_token', thirdparty_base_url: 'thirdparty_password' } as const;

const names = (sent: Sent, wanted: readonly string[]): boolean => wanted.some((name) => sent[name] !== undefined);

export const divertsAlerts = (sent: Sent): boolean => names(sent, alertDestinations);
export const divertsPayments = (sent: Sent): boolean => names(sent, paymentDestinations);
export const divertsAuthentications = ({ servicesettings }: { servicesettings: Sent }): boolean =>
  names(servicesettings, Object.entries(secretOfUrl).flat());

/** The addresses to which e-mails about a site's alerts go. */
export const alertAddresses = (settings: AlertSettings | null | undefined): string[] =>
  settings ? alertReceivers.flatMap((name) => settings[name]) : [];

/** The addresses to which e-mails about a site's payments go. */
export const paymentAddresses = (settings: PaymentSettings | null | undefined): string[] =>
  paymentReceivers.flatMap((name) => {
    const addresses = settings?.[name];
    return Array.isArray(addresses) ? addresses : [];
  });

/** Callers may leave out the scheme of an address. */
const urlOrigin = (url: unknown): string | undefined =>
  typeof url !== 'string' || url === '' ? undefined : URL.parse(url.includes('://') ? url : `https://${url}`)?.origin;

/**
 * Checks whether callbacks go to a new origin. The token, which cannot be read back, must not be sent there; a URL that was removed before
 * makes no difference.
 */
export const hasNewOrigin = (before: AlertSettings, after: AlertSettings): boolean => {
  const known = new Set(callbackUrls.map((name) => urlOrigin(before[name])));
  return callbackUrls.some((name) => !known.has(urlOrigin(after[name])) && urlOrigin(after[name]) !== undefined);
};

/** The secrets of a 3DS server that now has another origin, unless they were sent together with it. */
export const staleThreeDsSecrets = (before: ThreeDsSettings, sent: Sent): string[] =>
  Object.entries(secretOfUrl).flatMap(([url, secret]) => {
    const fields = dropUndefined(sent);
    if (fields[url] === undefined || fields[secret] !== undefined) return [];
    return urlOrigin(fields[url]) === urlOrigin(before.servicesettings[url]) ? [] : [secret];
  });
