import { vendorFile } from './vendor-file.ts';

/** Compares objects of a stand-in of Stripe with Stripe's own fixtures: no field that an object there does not have. */

type Json = Readonly<Record<string, unknown>>;
let held: Readonly<Record<string, Json>> | undefined;
const load = (): Readonly<Record<string, Json>> => {
  const file = vendorFile('stripe/fixtures3.json') as { resources: Record<string, Json> } | undefined;
  return file?.resources ?? {};
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Objects whose names are the merchant's, or which depend on what happened. */
const open = ['metadata', 'payment_method_details', 'destination_details', 'last_payment_error', 'next_action'];
/** Fields that npm stripe 23.1.0 documents, and that its example of an object does not have. */
const documented: Readonly<Record<string, readonly string[]>> = {
  refund: ['failure_reason'],
  'radar.early_fraud_warning': ['payment_intent'],
  webhook_endpoint: ['secret', 'deleted'],
  'dispute.evidence_details': ['submission_method'],
};

const compare = (value: Json, known: Json, at: string): string[] =>
  Object.entries(value).flatMap(([name, one]) => {
    if (!(name in known || documented[at]?.includes(name))) return [`${at} has no ${name} in Stripe's fixture`];
    const inner = known[name];
    if (isObject(one) && !('object' in one) && isObject(inner) && !open.includes(name))
      return compare(one, inner, `${at}.${name}`);
    return fixtureProblems(one);
  });

/** Returns what the objects in an answer have against the fixtures of their kinds. */
export const fixtureProblems = (answer: unknown): string[] => {
  held ??= load();
  if (Array.isArray(answer)) return answer.slice(0, 5).flatMap(fixtureProblems);
  if (!isObject(answer)) return [];
  const known = held[String(answer['object'])];
  if (known) return compare(answer, known, String(answer['object']));
  return Object.values(answer).flatMap(fixtureProblems);
};
