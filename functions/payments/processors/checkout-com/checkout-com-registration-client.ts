import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { RegistrationOf } from '../ports/account.ts';
import { troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { type AskCheckoutCom, askCheckout } from './checkout-com-exchange-client.ts';

const disputes = ['canceled', 'evidence_required', 'expired', 'lost', 'resolved', 'won'];
const events = { gateway: ['payment_refund_declined'], dispute: disputes.map((name) => `dispute_${name}`) };

const Made = v.object({ id: v.pipe(v.string(), v.regex(/^\w{1,60}$/)) });
const Workflows = v.object({ data: v.array(v.object({ id: v.string(), name: v.nullish(v.string()) })) });

const retire = async (ask: AskCheckoutCom, kept: string, name: string): Promise<void> => {
  const listed = await ask({ path: '/workflows' });
  const { success, output } = v.safeParse(Workflows, 'body' in listed ? listed.body : undefined);
  const old = success ? output.data.filter((one) => one.name === name && one.id !== kept) : [];
  for (const { id } of old) if (/^\w{1,60}$/.test(id)) await ask({ method: 'DELETE', path: `/workflows/${id}` });
};

/** The key of a workflow is generated here: https://checkout.com/docs/developer-resources/webhooks/manage-webhooks */
export const checkoutComRegistrationOf: RegistrationOf = async ({ open }, { url, name }) => {
  const ask = askCheckout(open('checkout_com'));
  const key = randomBytes(32).toString('hex');
  const conditions = [{ type: 'event', events }];
  const actions = [{ type: 'webhook', url, signature: { method: 'HMACSHA256', key } }];
  const answer = await ask({
    path: '/workflows',
    body: { name, active: true, conditions, actions },
    key: key.slice(0, 40),
  });
  const { success, output } = v.safeParse(Made, 'body' in answer ? answer.body : undefined);
  if (!success) return troubleOfAnswer('checkout.com', answer);
  return { keys: { webhook_key: key }, retire: () => retire(ask, output.id, name) };
};
