import * as v from 'valibot';
import { WebhookUrl } from '#accounts/merchants/settings/url-schema.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { Flag, Nested } from '#core/kernel/schema/schema.ts';
import { allowsCardNumbers, Text } from '#core/kernel/schema/text.ts';
import { roles } from '#core/platform/operation/operation.ts';
import type { SingleSignOn } from './single-sign-on.ts';

const maxEntries = 20;
const Domain = v.pipe(Text(253), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain such as shop.example'));
const Values = (words: string) =>
  describeField(
    v.optional(v.pipe(v.array(Text(200), 'must be a list'), v.maxLength(maxEntries, 'has too many entries')), []),
    words,
  );
const RoleValues = Nested({
  analyst: Values('Groups of analysts.'),
  developer: Values('Groups of developers.'),
  manager: Values('Groups of managers.'),
});
const defaultVerifiedClaim = 'email_verified';
const verifiedWords =
  'The claim that states that the address is verified: `email_verified` in the standard, `xms_edov` at Entra ID. New users are refused ' +
  'without it.';
const roleWords = 'The role of a person with none of these groups; null: they may not sign in.';

export const SingleSignOnBody = v.object({
  issuer: describeField(WebhookUrl, 'The identity provider’s issuer, exactly as its tokens state it.'),
  client_id: describeField(Text(200), 'The client’s id at the provider.'),
  client_secret: v.optional(
    v.pipe(
      v.string('must be text'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(1000, 'must have at most 1000 characters'),
      allowsCardNumbers('sealed'),
      v.description('The client’s secret; stored encrypted and never shown. Absent: the stored one stays.'),
    ),
  ),
  domains: v.pipe(
    v.array(Domain, 'must be a list'),
    v.minLength(1, 'must name at least one domain'),
    v.maxLength(maxEntries, 'has too many entries'),
    v.description('Only people with addresses of these domains may sign in.'),
  ),
  link_by_email: describeField(
    v.optional(Flag, false),
    'True: a person is linked to the existing user whose username is their verified address.',
  ),
  verified_claim: describeField(v.optional(Text(100), defaultVerifiedClaim), verifiedWords),
  role_claim: describeField(v.optional(Text(100), 'groups'), 'The claim that names the person’s groups.'),
  role_values: describeField(
    v.optional(RoleValues, { analyst: [], developer: [], manager: [] }),
    'The values of the claim that give a role; the most powerful one counts.',
  ),
  default_role: describeField(v.optional(v.nullable(v.picklist(roles)), null), roleWords),
  enabled: describeField(v.optional(Flag, true), 'True: people may sign in with it.'),
});

const listReply = (words: string) => describeField(v.array(v.string()), words);

export const SingleSignOnReply = v.object({
  mid: MerchantIdReply,
  issuer: text('The identity provider’s issuer; empty: none is set up.'),
  client_id: text('The client’s id at the provider.'),
  domains: listReply('Only people with addresses of these domains may sign in.'),
  link_by_email: flag('True: existing users are linked by their verified address.'),
  verified_claim: text(verifiedWords),
  role_claim: text('The claim that names the person’s groups.'),
  role_values: describeField(
    v.object({
      analyst: listReply('Groups of analysts.'),
      developer: listReply('Groups of developers.'),
      manager: listReply('Groups of managers.'),
    }),
    'The values of the claim that give a role.',
  ),
  default_role: describeField(v.nullable(v.picklist(roles)), roleWords),
  enabled: flag('True: people may sign in with it.'),
  redirect_uri: text('The redirect URI that the provider must allow.'),
});

const none = {
  issuer: '',
  clientId: '',
  domains: [],
  linkByEmail: false,
  verifiedClaim: defaultVerifiedClaim,
  roleClaim: 'groups',
  enabled: false,
} as const;
const noValues = { analyst: [], developer: [], manager: [] };

/** The settings on the wire; the secret stays. */
export const toSingleSignOnDto = (mid: number, settings: SingleSignOn | undefined, baseUrl: string) => {
  const { issuer, clientId, domains, linkByEmail, verifiedClaim, roleClaim, enabled } = settings ?? none;
  const { analyst, developer, manager } = settings?.roleValues ?? noValues;
  return {
    ...{ mid, issuer, client_id: clientId, domains: [...domains], link_by_email: linkByEmail },
    ...{ verified_claim: verifiedClaim, role_claim: roleClaim },
    role_values: { analyst: [...analyst], developer: [...developer], manager: [...manager] },
    ...{ default_role: settings?.defaultRole ?? null, enabled, redirect_uri: `${baseUrl}/dashboard` },
  };
};
