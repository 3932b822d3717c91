import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { facetOf, listKeys, listPosition } from '#core/platform/lists/listing.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow, type Upgrade } from '#core/platform/table/row.ts';
import { hasSecondFactor, type User } from './user.ts';

export const userEntity = 'USER';

/** Rows from before 2026-11 have no roles, names, sessions or second factors. */
const withPersons: Upgrade = (before) => ({
  name: '',
  email: '',
  role: before['scope'] === 'merchant' ? 'manager' : null,
  sessionsEndedAt: null,
  factor: null,
  version: 0,
  ...before,
});

/**
 * Earlier rows do not state whether the user is a program. Where a second factor is required, people have set one up at their first sign-in
 * with a browser. A user without one may be a program, which must not be locked out.
 */
const withKind: Upgrade = (before) => ({ isProgram: before['factor'] === null, ...before });

const withPasskeys: Upgrade = (before) => ({ passkeys: [], recovery: [], ...before });

const UserRow = defineRow<User>({
  entity: userEntity,
  attribute: 'user',
  schema: v.looseObject({
    ...texts('username', 'scope', 'name', 'passwordHash', 'createdAt', 'tokensValidFrom', 'email'),
    mid: v.nullable(v.number()),
    role: v.nullable(v.string()),
    disabled: v.boolean(),
    sessionsEndedAt: v.nullable(v.string()),
    factor: v.nullable(
      v.looseObject({ sealed: v.string(), createdAt: v.string(), lastStep: v.number(), recovery: v.array(v.string()) }),
    ),
    passkeys: v.array(
      v.looseObject({
        ...texts('id', 'name', 'rpId', 'publicKey', 'createdAt'),
        counter: v.number(),
        transports: v.array(v.string()),
        lastUsedAt: v.nullable(v.string()),
      }),
    ),
    recovery: v.array(v.string()),
    isProgram: v.boolean(),
    zone: v.exactOptional(v.string()),
    digest: v.exactOptional(v.literal(true)),
    monthlyReport: v.exactOptional(v.literal(true)),
    version: v.number(),
  }),
  upgrades: [withPersons, withKind, withPasskeys],
});

/** A user as lists show them, names as on the wire. */
export const toPersonDto = ({
  username,
  name,
  email,
  scope,
  mid,
  role,
  disabled,
  createdAt,
  factor,
  passkeys,
  passwordHash,
  zone,
  digest,
}: User) => ({
  username,
  name,
  email,
  scope,
  mid,
  role,
  disabled,
  created_at: createdAt,
  second_factor: hasSecondFactor({ factor, passkeys }),
  password_set: passwordHash !== '',
  time_zone: zone ?? null,
  alert_emails: digest ? ('daily' as const) : ('each' as const),
});
/** Summaries from before users had settings lack them. */
type OwnSettings = Pick<ReturnType<typeof toPersonDto>, 'time_zone' | 'alert_emails'>;
/** `sessions_ended_at` is not shown; earlier summaries lack it. */
export type UserSummary = Omit<ReturnType<typeof toPersonDto>, keyof OwnSettings> &
  Partial<OwnSettings & { sessions_ended_at: string | null }>;

export const toUserItem = (user: User): Item => ({
  ...keys.user(user.username),
  ...UserRow.stamp,
  ...listKeys(
    userEntity,
    ['all', user.mid === null ? null : `M${user.mid}`],
    facetOf(user.disabled ? 'disabled' : 'enabled', user.role ?? user.scope),
    listPosition(user.createdAt, user.username),
  ),
  summary: { ...toPersonDto(user), sessions_ended_at: user.sessionsEndedAt } satisfies UserSummary,
  user,
});

/** The part of a transaction that changes a user. Its condition fails if they have changed since they were read. */
export const userWrite = (before: User, after: Omit<User, 'version'>): Write => ({
  Put: { Item: toUserItem({ ...after, version: before.version + 1 }), ...ifUnchanged(before) },
});

/** Rows from before versions were introduced have none. */
const ifUnchanged = ({ version }: User) => ({
  ConditionExpression:
    version === 0 ? 'attribute_exists(pk) AND attribute_not_exists(#user.#version)' : '#user.#version = :version',
  ExpressionAttributeNames: { '#user': 'user', '#version': 'version' },
  ...(version > 0 && { ExpressionAttributeValues: { ':version': version } }),
});

/** Reads a user back. */
export const fromUserItem = UserRow.find;
