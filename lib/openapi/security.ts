import type { GenericSchema } from 'valibot';
import type { Operation } from '#core/platform/operation/operation.ts';
import { webhookHeaders } from '#payments/processors/registered/credential-words.ts';
import { fieldsIn, toSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

/** Processors sign in ways of their own. */
const processorSchemes = Object.fromEntries(
  Object.entries(webhookHeaders).map(([processor, header]) => [processor, { type: 'apiKey', in: 'header', ...header }]),
);

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A token of `gettoken`, or an API key (`fwk_…`).' },
  site: { type: 'apiKey', in: 'header', name: 'rcode', description: 'The site’s secret.' },
  provider: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description: '`t=` seconds since 1970 `,v1=` the hex HMAC-SHA256 of `seconds.body`, with the provider’s secret.',
  },
  ...processorSchemes,
};
const schemeOf = {
  public: [],
  bearer: ['bearer'],
  admin: ['bearer'],
  site: ['site'],
  provider: ['provider'],
  // Its token stands among the fields.
  client: [],
} as const;

const listFields = (schema: GenericSchema): Json => fieldsIn(toSchema(schema, 'input'), 'properties');

/** A site proves itself by the call's fields, where they have the proof, and by its header elsewhere. */
export const toSecurity = ({ auth, params, body, signedBy }: Operation): Json[] => {
  // Proofs of other senders are in the body itself.
  if (signedBy) return [...signedBy.map((scheme) => ({ [scheme]: [] })), {}];
  const fields = [params, body].flatMap((schema) => (schema ? Object.keys(listFields(schema)) : []));
  if (auth === 'site' && fields.some((name) => name === 'hash' || name === 'rcode')) return [];
  return schemeOf[auth].map((scheme) => ({ [scheme]: [] }));
};
