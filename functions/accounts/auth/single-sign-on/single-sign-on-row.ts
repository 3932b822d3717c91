import * as v from 'valibot';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SingleSignOn, SsoAttempt } from './single-sign-on.ts';

const SettingsRow = defineRow<SingleSignOn>({
  entity: 'SINGLE_SIGN_ON',
  attribute: 'settings',
  schema: v.looseObject({
    mid: v.number(),
    issuer: v.string(),
    clientId: v.string(),
    sealed: v.string(),
    domains: v.array(v.string()),
    linkByEmail: v.boolean(),
    verifiedClaim: v.string(),
    roleClaim: v.string(),
    roleValues: v.looseObject({
      analyst: v.array(v.string()),
      developer: v.array(v.string()),
      manager: v.array(v.string()),
    }),
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
    state: v.string(),
    mid: v.nullable(v.number()),
    nonce: v.string(),
    verifier: v.string(),
    binding: v.string(),
    redirectUri: v.string(),
    isStepUp: v.boolean(),
    expiresAt: v.string(),
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
