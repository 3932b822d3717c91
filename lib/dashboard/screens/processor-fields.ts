// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.
import { translate } from '../language/translate.ts';
import type { ProcessorsDto } from './site-operations.ts';

const titles: Readonly<Record<string, string>> = {
  sandbox: translate('Sandbox'),
  stripe: 'Stripe',
  adyen: 'Adyen',
  nmi: 'NMI',
  braintree: 'Braintree',
  http: translate('Your own service'),
  paypal: 'PayPal',
  checkout_com: 'Checkout.com',
  shopify: 'Shopify',
  authorize_net: 'Authorize.Net',
};

/** Returns the title of a processor; its name, if this release does not know it. */
export const processorTitle = (name: string): string => titles[name] ?? name;

/** A credential that a site enters for a processor. `isOpen`: no secret. `isPairs`: written as `USD=name, EUR=other`. */
export type CredentialField = { name: string; label: string; isOptional?: true; isOpen?: true; isPairs?: true };

export const processorFields: Readonly<
  Record<ProcessorsDto['routes'][number]['processor'], readonly CredentialField[]>
> = {
  sandbox: [],
  stripe: [
    { name: 'secret_key', label: translate('Secret key') },
    { name: 'webhook_secret', label: translate('Webhook secret') },
  ],
  adyen: [
    { name: 'api_key', label: translate('API key') },
    { name: 'merchant_account', label: translate('Merchant account'), isOpen: true },
    { name: 'hmac_key', label: translate('HMAC key') },
    { name: 'live_url_prefix', label: translate('Prefix of the live URL'), isOptional: true, isOpen: true },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
  nmi: [
    { name: 'security_key', label: translate('Security key') },
    { name: 'webhook_key', label: translate('Webhook key') },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
  braintree: [
    { name: 'merchant_id', label: translate('Merchant ID'), isOpen: true },
    { name: 'public_key', label: translate('Public key'), isOpen: true },
    { name: 'private_key', label: translate('Private key') },
    {
      name: 'merchant_accounts',
      label: translate('Merchant accounts, as “USD=name, EUR=other”'),
      isOpen: true,
      isPairs: true,
    },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
};

/** The fields that a merchant enters to connect each kind, in the order of the list. */
export const connectionFields: Readonly<Record<string, readonly CredentialField[]>> = {
  stripe: [
    { name: 'secret_key', label: translate('Secret key') },
    { name: 'webhook_secret', label: translate('Webhook secret'), isOptional: true },
  ],
  nmi: [
    { name: 'security_key', label: translate('Security key') },
    { name: 'webhook_key', label: translate('Webhook key'), isOptional: true },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
  braintree: [
    { name: 'public_key', label: translate('Public key'), isOpen: true },
    { name: 'private_key', label: translate('Private key') },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
  adyen: [
    { name: 'api_key', label: translate('API key') },
    { name: 'merchant_account', label: translate('Merchant account'), isOpen: true },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
    { name: 'live_url_prefix', label: translate('Prefix of the live URL'), isOptional: true, isOpen: true },
    { name: 'hmac_key', label: translate('HMAC key'), isOptional: true },
  ],
  sandbox: [],
  http: [
    { name: 'base_url', label: translate('Address of your service'), isOpen: true },
    { name: 'secret', label: translate('Secret'), isOptional: true },
  ],
  paypal: [
    { name: 'client_id', label: translate('Client ID') },
    { name: 'client_secret', label: translate('Client secret') },
    { name: 'webhook_id', label: translate('Webhook ID'), isOptional: true },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
  checkout_com: [
    { name: 'secret_key', label: translate('Secret key') },
    { name: 'prefix', label: translate('Prefix') },
    { name: 'webhook_key', label: translate('Webhook key'), isOptional: true },
  ],
  shopify: [
    { name: 'shop', label: translate('Shop, such as my-shop.myshopify.com'), isOpen: true },
    { name: 'client_id', label: translate('Client ID') },
    { name: 'client_secret', label: translate('Client secret') },
  ],
  authorize_net: [
    { name: 'api_login_id', label: translate('API login ID') },
    { name: 'transaction_key', label: translate('Transaction key') },
    { name: 'environment', label: translate('Environment, where it is “test”'), isOptional: true, isOpen: true },
  ],
};

/** Kinds whose processors have an API by which webhooks are registered. */
export const registeringKinds: readonly string[] = ['stripe', 'paypal', 'checkout_com', 'shopify'];
