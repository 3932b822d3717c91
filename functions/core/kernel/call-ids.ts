import { sha256 } from './crypto.ts';
import { isFields } from './is-object.ts';

/**
 * Our own numbers: those in order of creation, and those made from the time. Anything else in their place may be a card number
 * or a secret.
 */
const ownNumber = /^(?:[1-9]\d{0,8}|1\d{15})$/;

export const numericIds = (fields: Readonly<Record<string, unknown>> | null): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') && ownNumber.test(String(value))
        ? [[name, Number(value)]]
        : [],
    ),
  );

const idsInBodies = ['mid', 'rid', 'sid', 'alert_id', 'txid', 'parent_txid'] as const;
/** The fields of a body that help an operator find its call; of a sign-in name only a digest, as it may be a password in the wrong field. */
export const callNotes = (body: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> => {
  const { username } = body ?? {};
  const bodyIds = numericIds(Object.fromEntries(idsInBodies.map((name) => [name, body?.[name]])));
  return {
    ...(Object.keys(bodyIds).length > 0 && { bodyIds }),
    ...(typeof username === 'string' && { usernameDigest: sha256(username.trim().toLowerCase()).slice(0, 16) }),
  };
};

/** The alert that a call is about, from the first of these fields that name it: path, body, reply. */
export const alertIdOf = (...places: readonly unknown[]): number | undefined =>
  places.flatMap((one) => (isFields(one) ? (numericIds({ alert_id: one['alert_id'] })['alert_id'] ?? []) : []))[0];
