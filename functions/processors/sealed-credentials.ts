import { type KeyRing, open } from '../core/crypto.ts';
import type { AdyenCredentials } from './adyen/adyen-exchange-client.ts';
import type { BraintreeCredentials } from './braintree/braintree-exchange-client.ts';
import type { NmiCredentials } from './nmi/nmi-exchange-client.ts';
import { credentialsContext, type Route } from './routing.ts';
import type { StripeCredentials } from './stripe/stripe-client.ts';

/** `sid`: the site whose route it is; `ring`: of the `encryption` secret. */
export type RouteContext = { sid: number; ring: KeyRing };

type Credentials = {
  stripe: StripeCredentials;
  adyen: AdyenCredentials;
  nmi: NmiCredentials;
  braintree: BraintreeCredentials;
};

/**
 * An account's credentials in the clear: for the one who makes its adapter, and nowhere else. They were checked before they
 * were sealed, so reading them needs no schema.
 */
export const openCredentials = <P extends keyof Credentials>(
  _processor: P,
  { id, sealed }: Route,
  { sid, ring }: RouteContext,
): Credentials[P] => JSON.parse(open(ring, credentialsContext(sid, id), sealed ?? ''));
