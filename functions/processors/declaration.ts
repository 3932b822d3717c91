import type * as v from 'valibot';
import type { ProcessorCurrency } from './amounts.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The credentials and currencies that a processor takes. One file in its folder declares them. */
export type ProcessorDeclaration = {
  /** The credentials that a site needs. */
  credentials: v.GenericSchema;
  /**
   * The credentials that a connection needs, if merchants can connect it. Least rights: a restricted key at Stripe, a key of NMI for the Query and
   * the Payment API, a limited API user at Braintree; docs/connections.md names them. Webhook secrets are for those who have events sent.
   */
  connectionKeys?: v.GenericSchema;
  /** What identifies an account. */
  identity(credentials: Fields): readonly unknown[];
  /** What may be shown of either's credentials: enough to know whose they are. Undefined values are left out. */
  shown(credentials: Fields): Fields;
  /** How it counts a currency; undefined if it does not take it. */
  currency(code: string): ProcessorCurrency | undefined;
};

/** Keeps what is particular to a declaration, its schemas above all, in its type. */
export const defineProcessor = <const D extends ProcessorDeclaration>(declaration: D): D => declaration;
