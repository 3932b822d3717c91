import * as v from 'valibot';
import type { Registration, RegistrationOf } from '../ports/account.ts';
import { type JsonAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { askPayPal } from './paypal-exchange-client.ts';

const events = [
  ...['CUSTOMER.DISPUTE.CREATED', 'CUSTOMER.DISPUTE.UPDATED', 'CUSTOMER.DISPUTE.RESOLVED', 'PAYMENT.REFUND.FAILED'],
];

const Webhook = v.object({ id: v.pipe(v.string(), v.minLength(1)), url: v.string() });
const Webhooks = v.object({ webhooks: v.array(Webhook) });

const toRegistration = (answer: JsonAnswer): Registration => {
  const { success, output } = v.safeParse(Webhook, 'body' in answer ? answer.body : undefined);
  return success ? { keys: { webhook_id: output.id } } : troubleOfAnswer('paypal', answer);
};

/** An app has one webhook of an address: https://developer.paypal.com/docs/api/webhooks/v1/#webhooks_post */
export const paypalRegistrationOf: RegistrationOf = async ({ open }, { url }) => {
  const ask = askPayPal(open('paypal'));
  const path = '/v1/notifications/webhooks';
  const listed = await ask({ path });
  const { success, output } = v.safeParse(Webhooks, 'body' in listed ? listed.body : undefined);
  if (!success) return troubleOfAnswer('paypal', listed);
  const before = output.webhooks.find((one) => one.url === url);
  if (before) return { keys: { webhook_id: before.id } };
  const body = JSON.stringify({ url, event_types: events.map((name) => ({ name })) });
  return toRegistration(await ask({ method: 'POST', path, body }));
};
