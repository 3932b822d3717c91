import { existsSync, readFileSync } from 'node:fs';
import { type Operation, samplePath } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { type Examples, openApiDocument } from './document.ts';
import { readReplies, toName } from './replies.ts';

/** The document's examples for the placeholders of the sample events (see lib/local/invoke/sample-event.ts). */
const examples: Readonly<Record<string, string>> = {
  mid: '1',
  rid: '1',
  sid: '1',
  new_sid: '3',
  payment_sid: '2',
  new_payment_sid: '4',
  payment_rcode: '0123456789abcdefghjkmnpqrstvwxyz',
  order_hash: '0123456789abcdef0123456789abcdef',
  site_hash: '0123456789abcdef0123456789abcdef',
  capture_hash: '0123456789abcdef0123456789abcdef',
  txid: '1077051069217289',
  funding_txid: '1077051069217288',
  preauth_txid: '1077051069217290',
  otp_txid: '1077051069217291',
  otp_token: '0123456789abcdef0123456789abcdef',
  fraud_id: '1077051069227449',
  three_ds_sid: '5',
  three_ds_hash: '0123456789abcdef0123456789abcdef',
  authentication_id: '1077051069231449',
  authentication_hash: '0123456789abcdef0123456789abcdef',
  client_token: '1077051069231449.1777716900000.0123456789abcdef0123456789abcdef01234567',
  started_token: '1077051069235545.1777716900000.0123456789abcdef0123456789abcdef01234567',
  challenged_token: '1077051069239641.1777716900000.0123456789abcdef0123456789abcdef01234567',
  creq: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
  cres: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ',
  enrollment_id: '1',
  username: 'demo',
  password: 'correct horse battery staple',
  alert_id: '1077051069219257',
  disputed_alert_id: '1077051069219258',
  disputed_txid: '1077051069217292',
  uploaded_file_id: 'file_0123456789abcdefghjkmnpq',
  connection_id: 'cn_0123456789ab',
  rule_id: '1',
  rule_ids: '2,1',
  unmatched_alert_id: '1077051069223353',
  quarantine_id: '0123456789abcdef0123456789abcdef',
  delivery_id: 'ntf_1077051069219257',
  order_arn: '24692161070000622606414',
  order_id: '1077051069239257',
  challenge: '0123456789abcdefghjkmnpqrs',
  factor_code: '123456',
  sso_mid: '1',
  sso_state: 'Jc0mYt0xq5b3nJ0kq1cK3eS4vYwM2r8Zt6u9B7dLhPA',
  sso_code: '0a1b2c3d-4e5f-6789-abcd-ef0123456789',
  api_key_id: '1',
  passkey_id: 'kKJ0kq1cK3eS4vYwM2r8Zg',
  passkey_device: 'kKJ0kq1cK3eS4vYwM2r8Zg',
  passkey_setup_id: '0123456789abcdefghjkmnpqrs',
  passkey_setup_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  passkey_attestation: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
  passkey_sign_in_id: '0123456789abcdefghjkmnpqrs',
  passkey_client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  passkey_authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg',
  passkey_signature: 'MEUCIQDx5yV0iN1yVwk0yS3b',
  new_username: 'ann@shop.example',
  password_link_token: 'Jc0mYt0xq5b3nJ0kq1cK3eS4vYwM2r8Zt6u9B7dLhPA',
  now: '2026-05-02T10:00:00Z',
  now_seconds: '1777716000',
  unique: 'F3K8Q2Z7T4M1',
};

/** Placeholders of headers and addresses are described by the code samples' own words, or not at all. */
const withExamples = (text: string): string =>
  text.replace(/\{\{([\w:]+)\}\}/g, (_, name: string) => examples[name] ?? `{${name}}`);

/** A sample's body is JSON, or a form where that is what callers mostly send. */
const readBody = (body: string): unknown => {
  if (body.startsWith('{')) return JSON.parse(body);
  const parts = [...body.matchAll(/name="(\w+)"\r\n\r\n([^\r]*)/g)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries(body.startsWith('--') ? parts : new URLSearchParams(body));
};

type Event = {
  path: string;
  headers: Record<string, string>;
  queryStringParameters: Record<string, string> | null;
  body: string | null;
};

/** The values of an address's variables, and of its query. */
const pathValues = ({ path: template }: Operation, { path, queryStringParameters }: Event): Record<string, string> => {
  const parts = path.split('/');
  const variables = template.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, parts[index] ?? ''] as const];
  });
  const all = Object.entries({ ...Object.fromEntries(variables), ...queryStringParameters });
  // A placeholder that has no example is one of the address, in braces.
  return Object.fromEntries(all.filter(([, value]) => !value.includes('{')));
};

/** Networks and pages make these calls: no person writes one by hand. */
const isForPages = ({ auth, replyType }: Operation, { headers, body }: Event): boolean =>
  auth === 'provider' ||
  auth === 'client' ||
  replyType !== undefined ||
  headers['cookie'] !== undefined ||
  body?.includes('\r') === true;

const sampleText = (operation: Operation): string => {
  if (!existsSync(samplePath(operation))) {
    throw new Error(`${toName(operation)} has no sample event yet: write ${samplePath(operation)}`);
  }
  return readFileSync(samplePath(operation), 'utf8');
};

/** The document of all operations as text, with the sample events and the answers to them for examples. */
export const operationsDocument = (): string => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const replies = readReplies();
  const examplesOf = (operation: Operation): Examples => {
    const event: Event = JSON.parse(withExamples(sampleText(operation)));
    const reply = replies[toName(operation)];
    return {
      body: event.body ? readBody(event.body) : {},
      parameters: pathValues(operation, event),
      isForPages: isForPages(operation, event),
      ...(reply !== undefined && { reply }),
    };
  };
  return `${JSON.stringify(openApiDocument(operations, examplesOf, version), null, 2)}\n`;
};
