import type { Site } from './site.ts';

/** What the settings of a payment site come to. Numbers of the interface are flags: 1 is yes. See docs/decisions/0125. */

type Settings = Pick<Site, 'payment'>;
type FlagName =
  | 'stop_send_email'
  | 'skip_ccv'
  | 'bin_currency'
  | 'allow_rebilling'
  | 'first_transaction_alert'
  | 'shipping_n_tracking';

export const isOn = ({ payment }: Settings, name: FlagName): boolean => Number(payment?.[name] ?? 0) === 1;

/** The addresses that a site names for something; none where it sends no e-mails at all. */
const receiversOf = (site: Settings, name: 'notify_email' | 'cbreportemail'): readonly string[] => {
  const addresses = site.payment?.[name];
  return Array.isArray(addresses) && !isOn(site, 'stop_send_email') ? addresses : [];
};

/** Who is told of payments, and of notifications that do not arrive. */
export const paymentReceivers = (site: Settings): readonly string[] => receiversOf(site, 'notify_email');

/** Who is told of chargebacks. */
export const chargebackReceivers = (site: Settings): readonly string[] => receiversOf(site, 'cbreportemail');

/** The domain to which payers may answer e-mails about their payments; empty where the site names none. */
export const mailDomainOf = ({ payment }: Settings): string => String(payment?.['emaildomain'] ?? '').toLowerCase();
