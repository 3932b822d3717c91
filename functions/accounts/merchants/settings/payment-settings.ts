import type { Site } from '../site/site.ts';

/** The effect of a payment site's settings. Numbers in the interface are flags: 1 means yes. See docs/decisions/0125. */

type Settings = Pick<Site, 'payment'>;
type FlagName =
  | 'stop_send_email'
  | 'skip_ccv'
  | 'bin_currency'
  | 'allow_rebilling'
  | 'first_transaction_alert'
  | 'shipping_n_tracking';

export const isOn = ({ payment }: Settings, name: FlagName): boolean => Number(payment?.[name] ?? 0) === 1;

/** The addresses in one of a site's settings; none if the site sends no e-mails at all. */
const readReceivers = (site: Settings, name: 'notify_email' | 'cbreportemail'): readonly string[] => {
  const addresses = site.payment?.[name];
  return Array.isArray(addresses) && !isOn(site, 'stop_send_email') ? addresses : [];
};

/** Returns the addresses that are notified of payments, and of notifications that could not be delivered. */
export const paymentReceivers = (site: Settings): readonly string[] => readReceivers(site, 'notify_email');

/** Returns the addresses that are notified of chargebacks. */
export const chargebackReceivers = (site: Settings): readonly string[] => readReceivers(site, 'cbreportemail');

/** The domain to which payers may reply to e-mails about their payments; empty if the site names none. */
export const mailDomainOf = ({ payment }: Settings): string => String(payment?.['emaildomain'] ?? '').toLowerCase();
