import * as v from 'valibot';
import { rootUrlProblem } from '#core/kernel/webhook-url.ts';
import type { Fields } from '../ports/declaration.ts';
import type { AnyProcessorName, ProcessorName } from '../ports/processors.ts';
import { declarations } from '../registered/processor-declarations.ts';

/** The credentials that a site needs for each processor, and what may be shown of them: see their declarations. */

type Declarations = typeof declarations;
export type CredentialsOf<P extends ProcessorName> = v.InferOutput<Declarations[P]['credentials']>;
/** The credentials of any account: a connection's, if merchants can connect the processor. A site's have more. */
export type KeysOf<P extends AnyProcessorName> = Declarations[P] extends {
  connectionKeys: infer S extends v.GenericSchema;
}
  ? v.InferOutput<S>
  : P extends ProcessorName
    ? CredentialsOf<P>
    : never;

export type CredentialRules = { allowLoopbackHttp: boolean; extraPorts?: readonly number[] };

/** The address of a merchant's own service follows the rules of webhooks. */
const serviceUrlProblems = (credentials: unknown, rules: CredentialRules): string[] => {
  const { base_url: text } = v.parse(v.object({ base_url: v.optional(v.unknown()) }), credentials);
  if (typeof text !== 'string') return [];
  const problem = rootUrlProblem(text, { extraPorts: [], ...rules });
  return problem === undefined ? [] : [`base_url: ${problem}`];
};

/** Only a stand-in on this machine may have an address other than the processor's own: cards are sent to that address. */
const baseUrlProblems = (credentials: unknown, { allowLoopbackHttp }: CredentialRules): string[] => {
  const { base_url: text } = v.parse(v.object({ base_url: v.optional(v.unknown()) }), credentials);
  if (text === undefined) return [];
  const isLocal = /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/.test(String(text));
  return allowLoopbackHttp && isLocal
    ? []
    : ['base_url: is only for local tests, and must then be an origin on this machine'];
};

/** Describes the problem of each field, in words that never repeat what was sent; empty if there is none. */
export const problemsOfFields = (
  schema: v.GenericSchema,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
  isAtMerchant = false,
): string[] => {
  const result = v.safeParse(schema, credentials, { abortPipeEarly: true });
  const issues = (result.issues ?? []).map((issue) => {
    const isMissing = issue.received === 'undefined';
    return `${v.getDotPath(issue) ?? 'credentials'}: ${isMissing ? 'is required' : issue.message}`;
  });
  const urlProblems = isAtMerchant ? serviceUrlProblems : baseUrlProblems;
  return [...new Set(issues), ...urlProblems(credentials, rules)];
};

export const problemsOfCredentials = (
  processor: ProcessorName,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
): string[] => problemsOfFields(declarations[processor].credentials, credentials, rules);

/** The credentials without unknown fields. They must have no problems. */
export const readCredentials = <P extends ProcessorName>(processor: P, credentials: unknown): CredentialsOf<P> =>
  v.parse(declarations[processor].credentials, credentials);

/**
 * The account that credentials belong to. Adyen's and Braintree's name it; a key of Stripe's or NMI's does not, so another key
 * counts as another account unless the route's id is given with it.
 */
export const accountId = (processor: ProcessorName, credentials: Fields): string =>
  JSON.stringify([processor, ...declarations[processor].identity(credentials)]);

/** Returns the part of credentials that may be shown, a site's or a connection's. */
export const toCredentialsDto = (processor: AnyProcessorName, credentials: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declarations[processor].toDto(credentials)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
