import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Operation } from '#core/platform/operation/operation.ts';

/** The recorded answers of operations to their sample events, as the API document shows them; `npm run examples` records them. */
export const repliesFile = 'docs/openapi-replies.json';
const Replies = v.record(v.string(), v.unknown());
export type Replies = v.InferOutput<typeof Replies>;

export const readReplies = (): Replies => v.parse(Replies, JSON.parse(readFileSync(repliesFile, 'utf8')));

export const toName = ({ area, name }: Pick<Operation, 'area' | 'name'>): string => `${area}/${name}`;

/** Checks whether an operation answers with a JSON object of its own. */
export const hasJsonReply = ({ reply, replyType }: Operation): boolean =>
  replyType === undefined && reply.type !== 'string';

const Answered = v.object({ body: v.pipe(v.string(), v.parseJson()) });

/** The replacements for values that are secret, or would be if their stack still existed. */
const standIns: Readonly<Record<string, string>> = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.…',
  challenge: '0123456789abcdefghjkmnpqrs',
  key: 'fwk_1_0123456789abcdefghjkmnpqrstvwxyz0123456789a',
  hash: '0123456789abcdef'.repeat(2),
  client_token: '1077051069231449.1777716900000.0123456789abcdef…',
  rcode: '0123456789abcdefghjkmnpqrstvwxyz',
  signing_secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  secret: 'JBSWY3DPEHPK3PXP',
  token: '0123456789abcdef0123456789abcdef01234567',
  recovery_codes: 'a1b2-c3d4',
  vrfy: '0123456789abcdef'.repeat(4),
};
const secretInUrl = /([?&](?:token|t|hash|X-Amz-(?:Signature|Credential))=)[^&]+/g;
const listLength = 2;

/** The body of an answer as an example: short lists, no secrets, and the address at which the local stack is found. */
export const exampleOfReply = (answer: unknown): unknown => tidy(v.parse(Answered, answer).body);

const tidy = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.slice(0, listLength).map((one) => tidy(one, name));
  if (typeof value === 'string') {
    const text = value.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:3000').replace(secretInUrl, '$1…');
    return standIns[name] ?? text;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, tidy(one, key)]));
};

const typeName = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/**
 * Where two answers differ in names or types. A list may be longer or empty, and null stands for whatever is not there yet:
 * both depend on what else has happened.
 */
export const differences = (one: unknown, other: unknown, where = ''): string[] => {
  if (one === null || other === null || (Array.isArray(one) && Array.isArray(other))) return [];
  if (typeName(one) !== typeName(other)) return [`${where} is ${typeName(one)} or ${typeName(other)}`];
  if (typeof one !== 'object' || typeof other !== 'object') return [];
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) =>
    left.has(name) && right.has(name)
      ? differences(left.get(name), right.get(name), `${where}.${name}`)
      : [`${where}.${name} is not in both`],
  );
};
