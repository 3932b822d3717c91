import * as v from 'valibot';
import { type CredentialRules, problemsOfFields } from '#payments/processors/credentials/credentials.ts';
import { type ConnectionKind, isAtMerchant } from '#payments/processors/ports/processors.ts';
import { declarations } from '#payments/processors/registered/processor-declarations.ts';

/** The credentials that a connection needs for each processor: see their declarations. */

/** Describes the problem of each field, without repeating what was sent; empty if there is none. */
export const problemsOfKeys = (
  kind: ConnectionKind,
  credentials: Readonly<Record<string, unknown>>,
  rules: CredentialRules,
): string[] => problemsOfFields(declarations[kind].connectionKeys, credentials, rules, isAtMerchant(kind));

/** The credentials without unknown fields. They must have no problems. */
export const readKeys = <K extends ConnectionKind>(
  kind: K,
  credentials: unknown,
): v.InferOutput<(typeof declarations)[K]['connectionKeys']> => v.parse(declarations[kind].connectionKeys, credentials);
