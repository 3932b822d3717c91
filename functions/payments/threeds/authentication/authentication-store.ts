import { nowIso } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { keys } from '#core/platform/table/keys.ts';
import {
  ConditionFailedError,
  getItem,
  getItems,
  type Item,
  tryTransact,
  updateItem,
} from '#core/platform/table/table.ts';
import {
  type Authentication,
  askingMilliseconds,
  freshMilliseconds,
  maxAttempts,
  maxCards,
  maxStarts,
} from './authentication.ts';
import {
  authenticationReferenceWrite,
  changedAuthenticationWrite,
  fromAuthenticationItem,
  fromValueItem,
  isAuthenticationExpired,
  valueWrite,
} from './authentication-row.ts';

/** An authentication by its number; undefined if there is none. */
export const getAuthentication = async (id: number): Promise<Authentication | undefined> => {
  const item = await getItem(keys.authentication(id));
  return item && !isAuthenticationExpired(item, nowIso()) ? fromAuthenticationItem(item) : undefined;
};

/** The same with the value that proves it, as long as that is kept, in one call. */
export const getProven = async (
  id: number,
  ring: KeyRing,
): Promise<{ authentication: Authentication; value: string | null } | undefined> => {
  const [item, value] = await getItems([keys.authentication(id), keys.authenticationValue(id)]);
  if (!item || isAuthenticationExpired(item, nowIso())) return undefined;
  return { authentication: fromAuthenticationItem(item), value: fromValueItem(id, value, ring, nowIso()) };
};

/** The authentication of a transaction at the 3DS server; undefined if there is none. */
export const authenticationOfTransaction = async (serverTransId: string): Promise<number | undefined> => {
  const item = await getItem(keys.authenticationRef(serverTransId));
  const id = item && !isAuthenticationExpired(item, nowIso()) ? item['authenticationId'] : undefined;
  return typeof id === 'number' ? id : undefined;
};

/** The identity of a calling page: the digest of its token, and its origin as the browser reports it. */
export type Client = { digest: string; origin: string };

/** A claim that was not granted: the authentication is in another state, or there is none. */
export class ClaimConflictError extends Error {
  override readonly name = 'ClaimConflictError';
  readonly present: Authentication | undefined;
  constructor(present: Authentication | undefined, cause: unknown) {
    super('The authentication does not allow this now', { cause });
    this.present = present;
  }
}

type Claim = { set: string; add?: string; condition: string; values: Item };

/**
 * Counts a call of the page before anybody else is asked, in the same write that checks whether the page may call, so that
 * parallel calls get no more tries than sequential ones. Throws ClaimConflictError.
 */
const claim = async (id: number, { digest, origin }: Client, wanted: Claim): Promise<Authentication> => {
  const { set, add, condition, values } = wanted;
  const isTheirs = 'contains(#clients, :client) AND #pageOrigin = :origin';
  const all = `${set} ${add ?? ''} ${condition}`;
  const names = ['starts', 'attempts', 'version', 'status', 'cards', 'cardToken', 'startedAt', 'askingUntil'];
  try {
    return fromAuthenticationItem(
      await updateItem({
        Key: keys.authentication(id),
        UpdateExpression: `SET #version = #version + :one, ${set}${add ? ` ADD ${add}` : ''}`,
        ConditionExpression: `${isTheirs} AND ${condition}`,
        ExpressionAttributeNames: {
          '#clients': 'clients',
          '#pageOrigin': 'pageOrigin',
          ...Object.fromEntries(
            names.filter((name) => name === 'version' || all.includes(`#${name}`)).map((name) => [`#${name}`, name]),
          ),
        },
        ExpressionAttributeValues: { ':client': digest, ':origin': origin, ':one': 1, ...values },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    throw new ClaimConflictError(error.item && fromAuthenticationItem(error.item), error);
  }
};

/** Counts a start with a card. A challenge that is under way is given up for it. */
export const claimStart = (id: number, client: Client, cardToken: string): Promise<Authentication> =>
  claim(id, client, {
    set: '#starts = #starts + :one',
    add: '#cards :cards',
    condition:
      '#status <> :done AND #starts < :maxStarts AND ' +
      '(attribute_not_exists(#cards) OR contains(#cards, :card) OR size(#cards) < :maxCards)',
    values: {
      ':cards': new Set([cardToken]),
      ':card': cardToken,
      ':done': 'done',
      ':maxStarts': maxStarts,
      ':maxCards': maxCards,
    },
  });

/** Counts an AReq, and keeps others away while it is under way. `at`: ISO. */
export const claimAttempt = (id: number, client: Client, cardToken: string, at: string): Promise<Authentication> => {
  const [oldest, until] = [-freshMilliseconds, askingMilliseconds].map((time) =>
    new Date(Date.parse(at) + time).toISOString(),
  );
  return claim(id, client, {
    set: '#attempts = #attempts + :one, #askingUntil = :until',
    condition:
      '#status = :started AND #attempts < :maxAttempts AND #cardToken = :card AND #startedAt > :oldest AND ' +
      '(attribute_not_exists(#askingUntil) OR #askingUntil <= :now)',
    values: {
      ':started': 'started',
      ':maxAttempts': maxAttempts,
      ':card': cardToken,
      ':oldest': oldest,
      ':until': until,
      ':now': at,
    },
  });
};

type Saved = { value?: { text: string; ring: KeyRing } | undefined; reference?: boolean };

/**
 * Writes the next state, with the value that proves it and the reference under which the issuer knows it. Returns the stored state: after a
 * conflict, the other one.
 */
export const saveAuthentication = async (
  before: Authentication,
  after: Authentication,
  { value, reference = false }: Saved = {},
): Promise<Authentication> => {
  const at = nowIso();
  const conflict = await tryTransact({
    authentication: changedAuthenticationWrite(before, after),
    value: value && valueWrite(after.id, value.text, value.ring, at),
    reference: reference ? authenticationReferenceWrite(after, at) : undefined,
  });
  if (!conflict) return { ...after, version: before.version + 1 };
  const present = conflict.itemOf('authentication');
  if (!present) throw conflict;
  return fromAuthenticationItem(present);
};
