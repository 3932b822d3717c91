import * as v from 'valibot';
import { textLists, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SingleSignOn, SsoAttempt } from './single-sign-on.ts';

const SettingsRow = defineRow<SingleSignOn>({
  entity: 'SINGLE_SIGN_ON',
  attribute: 'settings',
  schema: v.looseObject({
    mid: v.number(),
    ...texts('issuer', 'clientId', 'sealed', 'verifiedClaim', 'roleClaim'),
    domains: v.array(v.string()),
    linkByEmail: v.boolean(),
    roleValues: v.looseObject(textLists('analyst', 'developer', 'manager')),
    defaultRole: v.nullable(v.string()),
    enabled: v.boolean(),
    version: v.number(),
  }),
  upgrades: [(before) => ({ verifiedClaim: 'email_verified', ...before })],
});

const AttemptRow = defineRow<SsoAttempt>({
  entity: 'SSO_ATTEMPT',
  attribute: 'attempt',
  schema: v.looseObject({
    ...texts('state', 'nonce', 'verifier', 'binding', 'redirectUri', 'expiresAt'),
    mid: v.nullable(v.number()),
    isStepUp: v.boolean(),
  }),
  upgrades: [(before) => ({ isStepUp: false, ...before })],
});

const IdentityRow = defineRow<{ username: string }>({
  entity: 'SSO_IDENTITY',
  attribute: 'identity',
  schema: v.looseObject({ username: v.string() }),
});

export const toSingleSignOnItem = (settings: SingleSignOn): Item => ({
  ...keys.singleSignOn(settings.mid),
  ...SettingsRow.stamp,
  settings,
});
/** Reads a merchant's settings back. */
export const fromSingleSignOnItem = SettingsRow.find;

export const toSsoAttemptItem = (attempt: SsoAttempt): Item => ({
  ...keys.ssoAttempt(attempt.state),
  ...AttemptRow.stamp,
  attempt,
  ttl: Math.ceil(Date.parse(attempt.expiresAt) / 1000),
});
/** Reads an attempt back. */
export const fromSsoAttemptItem = AttemptRow.find;

/** The part of a transaction that gives a person a user. Its condition fails if they have another. */
export const ssoIdentityWrite = (digest: string, username: string): Write => ({
  Put: {
    Item: { ...keys.ssoIdentity(digest), ...IdentityRow.stamp, identity: { username } },
    ConditionExpression: 'attribute_not_exists(pk) OR #identity.#username = :username',
    ExpressionAttributeNames: { '#identity': 'identity', '#username': 'username' },
    ExpressionAttributeValues: { ':username': username },
  },
});
/** Reads the user of a person back. */
export const fromSsoIdentityItem = IdentityRow.find;
