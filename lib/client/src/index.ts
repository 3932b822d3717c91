export {
  type Client,
  type ClientOptions,
  createClient,
  ForewarnConnectionError,
  ForewarnError,
  type Methods,
  threeDSecureOf,
} from './client.ts';
export type { Operations, Schemas, Webhooks } from './schema.ts';
export { type Notification, openWebhook, WebhookRefused } from './webhook.ts';
