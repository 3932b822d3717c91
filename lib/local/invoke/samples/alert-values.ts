import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import type { SampleStack, Values } from './sample-stack.ts';

const Alert = v.object({ alert_id: v.union([v.number(), v.string()]) });
const Told = v.object({ provider_outcome: v.object({ id: v.string(), state: v.string() }) });
const Quarantine = v.object({ list: v.array(v.object({ id: v.string() })) });

const alertsPath = '/api/v3/providers/provider_a/alerts';

/**
 * - `{{alert_id}}`: a new open alert of the demo site; `{{unmatched_alert_id}}`: a new one that matches no site
 * - `{{delivery_id}}`, `{{mail_id}}`: the notification and the e-mail of `{{alert_id}}`
 * - `{{quarantine_id}}`: a new message of provider_a that could not be read
 * - `{{disputed_alert_id}}`: a new one about a new payment at the demo payment site, `{{disputed_txid}}`
 * - `{{outcome_id}}`: the outcome of an update of `{{alert_id}}`; `{{refused_outcome_id}}`: of another alert, which the provider does not
 *   know
 */
export const alertValues = ({ url, credentials, read, sign, post, ...stack }: SampleStack): Values => {
  const alert = async (descriptor: string, change: object = {}): Promise<string> => {
    const body = sampleAlert(descriptor, await read('now'), change);
    return String(
      v.parse(Alert, await post(alertsPath, body, { 'x-signature': await sign('provider_a', body) })).alert_id,
    );
  };
  const outcomeOf = async (alertId: string) =>
    v.parse(Told, await stack.postAsMerchant(`/api/v3/service_alerts/alert/${alertId}/details`, {})).provider_outcome;
  const answerAlert = async (alertId: string): Promise<string> => {
    const update = { alert_id: alertId, status: 'DECLINED', reason_code: '902.002' };
    await post('/secure/alert/update/v2/', update, { rcode: credentials.site.rcode });
    return (await outcomeOf(alertId)).id;
  };
  return {
    alert_id: () => alert('DEMO SHOP'),
    unmatched_alert_id: () => alert('NOBODY KNOWS THIS'),
    delivery_id: async () => `ntf_${await read('alert_id')}`,
    mail_id: async () => `eml_${await read('alert_id')}`,
    quarantine_id: async () => {
      const body = sampleAlert('DEMO SHOP', await read('now'), { type: 'UNHEARD_OF' });
      const signed = { 'content-type': 'application/json', 'x-signature': await sign('provider_a', body) };
      await fetch(url + alertsPath, { method: 'POST', headers: signed, body });
      const { list } = v.parse(Quarantine, await stack.postAsAdmin('/api/v3/service_alerts/quarantine', {}));
      return list[0]?.id ?? '';
    },
    // No other payment has its amount, or the alert could be about any of them.
    disputed_amount: () => `${randomInt(100, 10_000)}.00`,
    disputed_alert_id: async () => {
      await read('disputed_txid');
      const amount = { value: await read('disputed_amount'), currencyCode: 'USD' };
      return alert('DEMO SHOP', { cardBin: '424242', cardLast4: '4242', authCode: undefined, amount });
    },
    outcome_id: async () => answerAlert(await read('alert_id')),
    refused_outcome_id: async () => {
      const alertId = await alert('DEMO SHOP', { alertId: unknownCase() });
      await answerAlert(alertId);
      for (;;) {
        const { id, state } = await outcomeOf(alertId);
        if (state === 'REFUSED') return id;
        await wait(20);
      }
    },
  };
};

/** The name of an alert that provider_a says it has never sent: see networks/network.ts. */
const unknownCase = (): string => `UNKNOWN${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`;

const sampleAlert = (merchantDescriptor: string, now: string, change: object): string =>
  JSON.stringify({
    alertId: randomUUID().replaceAll('-', '').slice(0, 25).toUpperCase(),
    type: 'CUSTOMER_DISPUTE',
    alertTimestamp: now,
    age: '1',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: '1111',
    transactionTimestamp: now,
    merchantDescriptor,
    mcc: '5732',
    amount: { value: '39.99', currencyCode: 'USD' },
    authCode: String(Math.floor(performance.now() * 1000) % 1_000_000).padStart(6, '0'),
    transactionId: '83773',
    reasonCode: '4837',
    ...change,
  });
