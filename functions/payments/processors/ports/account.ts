import type { KeysOf } from '../credentials/credentials.ts';
import type { Route, RouteContext } from '../routing/routing.ts';
import type { ConnectedProcessor, ConnectionTrouble } from './connected-processor.ts';
import type { DisputePort } from './dispute.ts';
import type { Processor, ProcessorEvent } from './processor.ts';
import type { AnyProcessorName } from './processors.ts';

/**
 * The exports of a processor's folder for each port, and the input of the adapter. `npm run fix` lists these, each port in a file of its
 * own, so that no function's bundle has code that it never loads.
 */

/** An account at a processor: a site's, for payments that are taken here, or a merchant's own connection. */
export type Account = {
  owner: { sid: number } | { mid: number };
  /** The name under which its state is kept between calls. */
  scope: string;
  /** Its keys in the clear. They were checked before they were sealed, so reading them needs no schema. */
  open<P extends AnyProcessorName>(processor: P): KeysOf<P>;
};

/** `<name>ProcessorOf`, in `<name>-client.ts`. */
export type ProcessorOf = (route: Route, context: RouteContext) => Processor;

/** `<name>DisputesOf`, in `<name>-disputes-client.ts`, if it has disputes. Undefined: not of such an account. */
export type DisputesOf = (account: Account) => DisputePort | undefined;

/** `<name>ConnectedProcessorOf`, in `<name>-connected-client.ts`, if merchants can connect it. */
export type ConnectedProcessorOf = (account: Account) => ConnectedProcessor;

export type WebhookCall = Parameters<Processor['readWebhook']>[0];
export type WebhookRead = readonly ProcessorEvent[] | undefined;

/**
 * `<name>WebhookOf`, in `<name>-webhook-client.ts`, if it sends webhooks. Undefined: it was not signed with these keys. What a connection's webhooks
 * do otherwise is in `<name>ConnectionWebhookOf` there.
 */
export type WebhookOf = (account: Account, call: WebhookCall) => WebhookRead | Promise<WebhookRead>;

/** `keys`: what webhooks are checked by, to be stored with the others. `retire`: removes earlier registrations of the same address. */
export type Registration = { keys: Readonly<Record<string, string>>; retire?(): Promise<unknown> } | ConnectionTrouble;

/**
 * `<name>RegistrationOf`, in `<name>-registration-client.ts`, if it lets webhooks be registered by API: registers those of a connection.
 * `name`: by which people recognise them there.
 */
export type RegistrationOf = (account: Account, address: { url: string; name: string }) => Promise<Registration>;

/** The operator's app at a processor, with which merchants sign in. `base_url`: of a stand-in on this machine. */
export type ProcessorApp = { client_id: string; secret_key: string; base_url?: string | undefined };

/** `account`: the processor's identifier of it, which may be shown. `keys`: the credentials of a connection to it. */
export type SignedIn = { account: string; keys: Readonly<Record<string, string>> } | ConnectionTrouble;

/** `<name>SignIn`, in `<name>-sign-in-client.ts`, if merchants can connect an account by signing in at the processor (OAuth 2.0). */
export type SignIn = {
  /** The page to which the browser goes. It returns to `returnTo` with `state` and `code`. */
  page(app: ProcessorApp, to: { state: string; returnTo: string }): string;
  /** Exchanges the code for the keys of the account. A code is good for one exchange. */
  exchange(app: ProcessorApp, code: string): Promise<SignedIn>;
};
