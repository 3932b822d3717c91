import type * as v from 'valibot';
import type { ProcessorCurrency } from './amounts.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What a processor takes: as credentials, and as money. One file in its folder declares it. */
export type ProcessorDeclaration = {
  /** What a site has to have of it. */
  credentials: v.GenericSchema;
  /**
   * What a connection has to have of it, where it can be one. Least rights: a restricted key at Stripe, a key of NMI for the Query and
   * the Payment API, a limited API user at Braintree; docs/connections.md names them. Webhook secrets are for those who have events sent.
   */
  connectionKeys?: v.GenericSchema;
  /** By what an account is known. */
  identity(credentials: Fields): readonly unknown[];
  /** What may be shown of either's credentials: enough to know whose they are. What is undefined is left out. */
  shown(credentials: Fields): Fields;
  /** How it counts a currency; undefined if it does not take it. */
  currency(code: string): ProcessorCurrency | undefined;
};

/** Keeps what is particular to a declaration, its schemas above all, in its type. */
export const defineProcessor = <const D extends ProcessorDeclaration>(declaration: D): D => declaration;
