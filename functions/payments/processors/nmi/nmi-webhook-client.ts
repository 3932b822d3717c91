import type { WebhookOf } from '../ports/account.ts';
import { readNmiWebhook } from './nmi-webhook.ts';

export const nmiWebhookOf: WebhookOf = ({ open }, call) => readNmiWebhook(open('nmi').webhook_key ?? '', call);
