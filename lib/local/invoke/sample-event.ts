import * as v from 'valibot';
import type { DemoCredentials } from '../demo/demo-tenant.ts';
import { UserError } from '../user-error.ts';
import { alertValues } from './samples/alert-values.ts';
import { authenticationValues } from './samples/authentication-values.ts';
import { knownValues } from './samples/known-values.ts';
import { managementValues } from './samples/management-values.ts';
import { orderValues } from './samples/order-values.ts';
import { passkeyValues } from './samples/passkey-values.ts';
import { paymentValues } from './samples/payment-values.ts';
import { sampleStack, type Values } from './samples/sample-stack.ts';
import { signInValues } from './samples/sign-in-values.ts';
import { signSample } from './samples/signatures.ts';
import { singleSignOnValues } from './samples/single-sign-on-values.ts';

/**
 * Sample events (`events/<area>/<name>.json`) name what only a running stack can know by placeholders, in double braces, inside any text of
 * the file: `"rcode": "{{rcode}}"`, `"body": "{\"sid\":{{sid}}}"`. They are filled in from the demo tenant; what must exist first, such as
 * an alert, is created on the way.
 * `samples/*-values.ts` define them, by subject. In addition, `{{signature:provider_a}}`, `…provider_b}}`, `…rdr}}` are the value of
 * `x-signature` for the event's `body`, all else filled in; `{{signature:stripe}}` that of `stripe-signature`, for `{{stripe_sid}}` and
 * `{{stripe_connection_id}}`.
 */
export type SampleValues = {
  /** The value of a placeholder; undefined if there is none of that name. */
  read(name: string): Promise<string | undefined>;
  sign(provider: string, body: string): Promise<string>;
};

const placeholder = /\{\{([a-z_]+(?::[a-z_]+)?)\}\}/g;
const WithBody = v.object({ body: v.string() });

/** Fills in a sample event. Throws UserError on an unknown placeholder or text that is no JSON. */
export const fillSample = async (text: string, values: SampleValues): Promise<unknown> => {
  const names = new Set([...text.matchAll(placeholder)].map(([, name = '']) => name));
  const known = new Map<string, string>();
  const signers = [...names].filter((name) => name.startsWith('signature:'));
  for (const name of names) if (!signers.includes(name)) known.set(name, await valueOrThrow(values, name));
  const filled = replacePlaceholders(text, known);
  for (const name of signers) {
    const { body } = v.parse(WithBody, parseEvent(filled));
    known.set(name, await values.sign(name.slice('signature:'.length), body));
  }
  return parseEvent(replacePlaceholders(text, known));
};

const valueOrThrow = async (values: SampleValues, name: string): Promise<string> => {
  const value = await values.read(name);
  if (value === undefined) throw new UserError(`The sample event asks for {{${name}}}, which nothing fills in.`);
  return value;
};

/** Values stand inside JSON texts, also inside texts that hold JSON themselves: none needs escaping, which is checked. */
const replacePlaceholders = (text: string, known: ReadonlyMap<string, string>): string =>
  text.replace(placeholder, (whole, name: string) => {
    const value = known.get(name);
    if (value !== undefined && /["\\\n]/.test(value))
      throw new UserError(`The value of {{${name}}} cannot stand in JSON.`);
    return value ?? whole;
  });

const parseEvent = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`The sample event is not JSON: ${error instanceof Error ? error.message : ''}.`);
  }
};

/** The values of a running stack with its demo tenant, each found or made when it is first asked for. */
export const sampleValues = (url: string, credentials: DemoCredentials): SampleValues => {
  const made = new Map<string, string | Promise<string>>();
  const read = async (name: string) => {
    const value = made.get(name) ?? values[name]?.();
    if (value !== undefined) made.set(name, value);
    return value;
  };
  const sign = async (provider: string, body: string) =>
    signSample(credentials.providers, { provider, body, now: String(await read('now')) });
  const stack = sampleStack({ url, credentials, read, sign });
  const values: Values = {
    ...knownValues(stack),
    ...managementValues(stack),
    ...alertValues(stack),
    ...paymentValues(stack),
    ...orderValues(stack),
    ...authenticationValues(stack),
    ...signInValues(stack),
    ...passkeyValues(stack),
    ...singleSignOnValues(stack),
  };
  return { sign, read };
};
