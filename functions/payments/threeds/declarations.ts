import { AuthenticationIdPath, ClientReply } from './schemas.ts';

/** The parts that the operations share. */

export const threeDsVariables = ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'] as const;

/** Calls of a merchant's server, signed with the rcode of a 3DS site. */
export const ofSite = {
  method: 'POST',
  auth: 'site',
  params: AuthenticationIdPath,
  formats: ['form', 'json'],
  errorShape: 'transaction',
  variables: threeDsVariables,
} as const;

/** Calls of a payer's page. They are form-encoded and have no custom headers, so that browsers send no preflight request. */
export const ofClient = {
  method: 'POST',
  auth: 'client',
  params: AuthenticationIdPath,
  formats: ['form'],
  reply: ClientReply,
  variables: threeDsVariables,
} as const;

/** Pages and scripts in frames on a payer's page. */
export const ofFrame = {
  auth: 'public',
  errors: [],
  grants: {},
  variables: ['ALLOW_LOOPBACK_HTTP'],
} as const;
