import type * as v from 'valibot';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The traits of a processor that the service needs wherever payments go through it. Little plain data: `npm run fix` copies it to
 * `registered.ts`, for the functions that load no processor and need none of the rest.
 */
export type ProcessorTraits = {
  name: string;
  /** True if sites can take payments through it; if not, merchants can only connect it. */
  takesPayments: boolean;
  /** True if it sends webhooks: to a site, each site at its own address, if it takes payments, and to a connection. */
  sendsWebhooks: boolean;
  /** True if it reports that an authorisation has lapsed; if not, we must check. */
  tellsOfLapses: boolean;
  /** True if it says yes to a payment when that is authorised, and captures it by itself afterwards: the payment may still fail then. */
  capturesLater: boolean;
  /** True if money can be paid out to a card through it: see docs/decisions/0030-processor-port.md. The adapters say the same. */
  paysOut: boolean;
  /** True if its credentials name their account. */
  namesAccount: boolean;
  /**
   * Merchants who take payments there without us can connect it; null: they cannot. `place`: in the lists of kinds, which keep the
   * order that they have had. `listsDisputes`: whether it can be asked which disputes have come up. `isAtMerchant`: the merchant's own
   * service, whose address is among the credentials, and which shares a secret that is generated here if the merchant gives none.
   */
  connection: { place: number; listsDisputes: boolean; isAtMerchant: boolean } | null;
};

/** All that is particular to a processor but its protocol. One file in its folder declares it. */
export type ProcessorDeclaration = ProcessorTraits & {
  /** Its place in lists of processors, which no other has. */
  place: number;
  /** The credentials that a site needs; absent if it takes no payments. */
  credentials?: v.GenericSchema;
  /**
   * The credentials that a connection needs, if merchants can connect it. Least rights: a restricted key at Stripe, a key of NMI for the Query and
   * the Payment API, a limited API user at Braintree; docs/connections.md names them. Webhook secrets are for those who have events sent.
   */
  connectionKeys?: v.GenericSchema;
  /** Returns the fields that identify an account. */
  identity(credentials: Fields): readonly unknown[];
  /** Returns the part of credentials that may be shown: enough to recognise the account. Undefined values are left out. */
  toDto(credentials: Fields): Fields;
};

/**
 * The words for a processor in the dashboard's form and in the API document. They are a constant apart from the declaration, so that
 * functions which check credentials do not contain them.
 */
export type ProcessorWords = {
  /** Its name as it writes it. */
  title: string;
  /** The dashboard's name of each credential of a site. `isOpen`: it is no secret. `isPairs`: it is entered as `USD=name, EUR=other`. */
  fields: Readonly<Record<string, { label: string; isOpen?: true; isPairs?: true }>>;
  /** A site's credentials, as the API document lists them; null: it has none. */
  credentials: string | null;
  /** The same for a connection; null: it has none, or cannot be connected. */
  connectionKeys: string | null;
  /** Null: it sends none. */
  webhook: WebhookWords | null;
};

/**
 * `key`: what it signs with, among the credentials. Its signature is in a header, which the API document describes, or in the body, of which
 * `body` says that.
 */
type WebhookWords = { key: string; type: 'application/json' | 'application/x-www-form-urlencoded' } & (
  | { header: { name: string; description: string } }
  | { body: string }
);

/** Keeps what is particular to a declaration, its name and schemas above all, in its type. */
export const defineProcessor = <const D extends ProcessorDeclaration>(declaration: D): D => declaration;
