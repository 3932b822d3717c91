import { anyOf, atLeast, type Contract, either, fields, list, text } from './schema.ts';

/**
 * Calls of a GraphQL API. Its documents, variables and answers are executed against the stand-in's schema, which is our list of the vendor's types.
 */
const call = (headers: Readonly<Record<string, RegExp>>) => ({
  headers: { 'content-type': /^application\/json|^multipart\/form-data; boundary=/, ...headers },
  // With a file, as https://github.com/jaydenseric/graphql-multipart-request-spec has it.
  body: either(
    fields({ query: text(), 'variables?': { type: 'object' } }),
    fields({ operations: text(/^\{/), map: text(/^\{/), file: text() }),
  ),
  answers: {
    200: either(
      atLeast({ data: { type: 'object' } }),
      atLeast({ errors: list(atLeast({ message: text() }), { minItems: 1 }) }),
    ),
    default: {},
  },
});

export const braintreeCalls: Contract = {
  source:
    'https://developer.paypal.com/braintree/graphql/reference, and github.com/braintree/graphql-api of 2025-04-29; types in test/support/fake-braintree.graphql',
  version: '2019-01-01',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'POST /graphql': call({ authorization: /^Basic [A-Za-z0-9+/]+=*$/, 'braintree-version': /^2019-01-01$/ }),
  },
};

export const shopifyCalls: Contract = {
  source:
    'https://shopify.dev/docs/api/admin-graphql/2026-07, and …/admin-rest for the upload of files; types in test/support/fake-shopify.graphql',
  version: '2026-07',
  date: '2026-11-28',
  checked: '2026-11-28',
  calls: {
    'POST /admin/oauth/access_token': {
      body: fields({ client_id: text(), client_secret: text(), grant_type: anyOf('client_credentials') }),
      answers: { 200: atLeast({ access_token: text() }), default: {} },
    },
    'POST /admin/api/2026-07/shopify_payments/disputes/{id}/dispute_file_uploads.json': {
      headers: { 'content-type': /^application\/json$/, 'x-shopify-access-token': /./ },
      body: fields({
        dispute_file_upload: fields({
          ...{ filename: text(), data: text(/^[A-Za-z0-9+/]+=*$/) },
          mimetype: anyOf('application/pdf', 'image/png', 'image/jpeg'),
          document_type: anyOf(
            ...['cancellation_policy_file', 'customer_communication_file', 'customer_signature_file'],
            ...['refund_policy_file', 'service_documentation_file', 'shipping_documentation_file'],
            ...['uncategorized_file', 'response_summary_file'],
          ),
        }),
      }),
      answers: { 200: atLeast({ dispute_file_upload: atLeast({ id: {} }) }), default: {} },
    },
    'POST /admin/api/2026-07/graphql.json': call({ 'x-shopify-access-token': /./ }),
  },
};
