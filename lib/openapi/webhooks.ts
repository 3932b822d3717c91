import { describeFields } from './describe-fields.ts';

/** The calls that the service makes to merchants' endpoints, for the document's section `webhooks`. */
type Json = Record<string, unknown>;

const text = { type: 'string' } as const;
const id = { type: 'integer' } as const;
const formText = 'application/x-www-form-urlencoded';

/** JSON text in a form; a list where the site takes JSON. */
const details = {
  oneOf: [
    { type: 'string', contentMediaType: 'application/json' },
    { type: 'array', items: { type: 'object' } },
  ],
};

const texts = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, text]));

/** Every field of a new alert, in the order in which it is sent. */
export const newAlertFields: Json = {
  ...texts('alert_id', 'card', 'transaction_timestamp', 'descriptor', 'amount', 'currency', 'arn', 'alert_type'),
  ...texts('alert_action', 'auth_code', 'descriptor_id', 'matched_enrolled_descriptor'),
  ...{ mid: id, rid: id, sid: id },
  provider: text,
  txdetails: details,
  ...texts('dispute_condition_code_reason', 'condition_code', 'site', 'retailer', 'issuer_name', 'provider_case_id'),
  ...texts('alert_age', 'alert_transactionid', 'dispute_amount', 'dispute_currency', 'tier', 'alert_date'),
  ...texts('is_duplicate', 'bin', 'caid', 'rdr_reason_code'),
  held_txid: {
    ...text,
    description:
      'The payment, taken by Forewarn, that is held for the alert. Empty if there is none, or if it was not found by the time of this attempt; the alert’s details name it as soon as it is.',
  },
};

/** Every field of a status update; those after `outcome_updated_on` only if the update had them. */
export const statusUpdateFields: Json = {
  action: { const: 'statusupdate', description: 'Always `statusupdate`.' },
  ...texts('alert_id', 'status', 'reason_code'),
  merchant_update_on: { ...text, description: 'When your answer was received (ISO 8601, UTC).' },
  outcome_updated_on: {
    ...text,
    description: 'When the provider accepted it; empty if it has not, and `comments` says why.',
  },
  ...texts('alert_outcome_amount', 'alert_outcome_currency', 'alert_outcome_action_date'),
  'tx_details[]': { type: 'array', items: text },
  ...texts('merchant_notes', 'comments'),
};

/** Every field of the warning before a deadline. */
export const deadlineFields: Json = {
  action: { const: 'alert_deadline', description: 'Always `alert_deadline`.' },
  ...texts('alert_id', 'alert_type', 'alert_action', 'status', 'deadline'),
  ...{ mid: id, rid: id, sid: id },
  ...texts('provider', 'provider_case_id'),
};

/** Every field of an enrollment's change. */
export const enrollmentFields: Json = {
  action: { const: 'enrollment_request_status_update', description: 'Always `enrollment_request_status_update`.' },
  request_id: { ...id, description: 'The enrollment request.' },
  ...texts('request_date', 'merchant_name', 'site_name', 'products', 'enrollment_request_status'),
  enrollment_request_items: { type: 'object', additionalProperties: { type: 'array', items: { type: 'object' } } },
  updated_at: text,
};

const headers = [
  ['webhook-id', 'The same on every attempt of one notification, so that you can ignore what you have seen.'],
  [
    'webhook-timestamp',
    'Seconds since 1970 at which this attempt was made; refuse it if that is more than five minutes away.',
  ],
  ['webhook-signature', '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them during a rotation.'],
  ['authorization', '`Bearer` and the `token` of the site’s settings, if there is one.'],
].map(([name, description]) => ({ name, in: 'header', description, required: name !== 'authorization', schema: text }));

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
  const schema = describeFields(tag, { type: 'object', properties: fields });
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
