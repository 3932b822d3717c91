import * as v from 'valibot';
import { alertSummaryFields, notifiedFields } from '#disputes/alerts/schemas.ts';
import { fieldsIn, toSchema } from './json-schema.ts';

/** The calls that the service makes to merchants' endpoints, for the document's section `webhooks`. */
type Json = Record<string, unknown>;

const formText = 'application/x-www-form-urlencoded';

const text = (description: string): Json => ({ type: 'string', description });
const id = (description: string): Json => ({ type: 'integer', description });

/** JSON text in a form; a list where the site takes JSON. */
const details = {
  oneOf: [
    { type: 'string', contentMediaType: 'application/json' },
    { type: 'array', items: { type: 'object' } },
  ],
  description: 'JSON: what automatic handling found and did.',
};

/** Fields of an alert as its lists describe them; in messages, those that say nothing are empty instead of null. */
const sentFields = (entries: v.ObjectEntries): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fieldsIn(toSchema(v.object(entries), 'output'), 'properties')).map(([name, schema]) => {
      const { description, type, anyOf } = Object(schema) as Json;
      const isNumber = type === 'number' || JSON.stringify(anyOf)?.includes('number');
      return [name, { type: isNumber ? 'integer' : 'string', description }];
    }),
  );

const alert_id = text('The alert.');
const { status, alert_type, alert_action, mid, rid, sid, provider, provider_case_id } = sentFields(alertSummaryFields);

/** Every field of a new alert, in the order in which it is sent. */
export const newAlertFields: Json = {
  alert_id,
  ...sentFields(notifiedFields),
  txdetails: details,
  held_txid: text(
    'The payment, taken by Forewarn, that is held for the alert. Empty if there is none, or if it was not found by the time of this attempt; the alert’s details name it as soon as it is.',
  ),
};

/** Every field of a status update; those after `outcome_updated_on` only if the update had them. */
export const statusUpdateFields: Json = {
  action: { const: 'statusupdate', description: 'Always `statusupdate`.' },
  ...{ alert_id, status },
  reason_code: text('Reason and result, such as 100.001; see “Answer an alert” among the guides.'),
  merchant_update_on: text('When your answer was received (ISO 8601, UTC).'),
  outcome_updated_on: text('When the provider accepted it; empty if it has not, and `comments` says why.'),
  alert_outcome_amount: text('What was refunded; a decimal.'),
  alert_outcome_currency: text('The currency of what was refunded (ISO 4217).'),
  alert_outcome_action_date: text('When you acted (ISO 8601); if absent, when the answer was received.'),
  'tx_details[]': {
    type: 'array',
    items: { type: 'string' },
    description: 'Variable information about the answer, such as `userid` or `duplicate_alertid`.',
  },
  merchant_notes: text('Your own notes; they are not sent on.'),
  comments: text('Words that go to the provider with the answer, 1,024 characters at most.'),
};

/** Every field of the warning before a deadline. */
export const deadlineFields: Json = {
  action: { const: 'alert_deadline', description: 'Always `alert_deadline`.' },
  ...{ alert_id, alert_type, alert_action, status },
  deadline: text('When the answer is due (ISO 8601, UTC).'),
  ...{ mid, rid, sid, provider, provider_case_id },
};

/** Every field of an enrollment's change. */
export const enrollmentFields: Json = {
  action: { const: 'enrollment_request_status_update', description: 'Always `enrollment_request_status_update`.' },
  request_id: id('The enrollment request.'),
  request_date: text('When the request was made.'),
  merchant_name: text('The merchant’s name.'),
  site_name: text('The site’s name.'),
  products: text('The providers, separated by commas.'),
  enrollment_request_status: text('The overall status of the items.'),
  enrollment_request_items: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object' } },
    description: 'The items, by product.',
  },
  updated_at: text('When it was last changed (ISO 8601, UTC).'),
};

const headers = [
  ['webhook-id', 'The same on every attempt of one notification, so that you can ignore what you have seen.'],
  [
    'webhook-timestamp',
    'Seconds since 1970 at which this attempt was made; refuse it if that is more than five minutes away.',
  ],
  ['webhook-signature', '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them during a rotation.'],
  ['authorization', '`Bearer` and the `token` of the site’s settings, if there is one.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  description,
  required: name !== 'authorization',
  schema: { type: 'string' },
}));

const replies = {
  '2XX': { description: 'Accepted. Redirects are not followed, and the reply must be whole within 15 seconds.' },
  default: { description: 'Not accepted: it is tried again.' },
};

type Webhook = {
  name: string;
  tag: string;
  summary: string;
  description: string;
  fields: Json;
  types: readonly string[];
};

const webhook = ({ name, tag, summary, description, fields, types }: Webhook): Json => {
  const schema = { type: 'object', properties: fields };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return {
    post: {
      operationId: `webhook-${name}`,
      summary,
      description,
      tags: [tag],
      security: [],
      parameters: headers,
      requestBody: { required: true, content },
      responses: replies,
    },
  };
};

const aboutAlerts = { tag: 'alerts', types: [formText, 'application/json'] } as const;
const twiceADay = 'Tried again at 00:00 and 12:00 UTC for 72 hours. JSON where the site’s `body_format` says so.';

/** `result`: the schema of a transaction's result. */
export const webhooks = (result: Json): Json => ({
  new_alert: webhook({
    name: 'new_alert',
    ...aboutAlerts,
    summary: 'A new alert',
    description: `To \`alertapiurl\`. ${twiceADay} Ends when the alert is answered. The reply may carry the answer: \`status\` and \`reason_code\`, as JSON or as a form.`,
    fields: newAlertFields,
  }),
  status_update: webhook({
    name: 'status_update',
    ...aboutAlerts,
    summary: 'The status of an alert changed',
    description: `To \`statusupdate_url\`, to sites that have opted in. ${twiceADay}`,
    fields: statusUpdateFields,
  }),
  alert_deadline: webhook({
    name: 'alert_deadline',
    ...aboutAlerts,
    summary: 'An answer will soon be due',
    description: `To \`alertapiurl\`, six hours before the deadline, to sites with \`deadline_warning\`. ${twiceADay}`,
    fields: deadlineFields,
  }),
  enrollment_update: webhook({
    name: 'enrollment_update',
    tag: 'enrollments',
    types: ['application/json'],
    summary: 'An enrollment changed',
    description: 'To `enrollment_url`. Tried again at 00:00 and 12:00 UTC for 72 hours.',
    fields: enrollmentFields,
  }),
  postback: {
    post: {
      ...(webhook({
        name: 'postback',
        tag: 'transactions',
        types: [],
        summary: 'What became of a transaction',
        description:
          'To the `postback_url` of the call. Tried again after 1, 5, 10 and 30 minutes, then hourly, for 72 hours.',
        fields: {},
      })['post'] as Json),
      requestBody: { required: true, content: { 'application/json': { schema: result } } },
    },
  },
});
