import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { findDelivery, receive, settings, update } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { type GuideProgram, guidePrograms, isMissing, useGuideProgram } from './programs.ts';

/** The receivers of the guides accept, exactly as printed, what the service really sends, and nothing else. */

// The receivers ask the system what time it is.
const service = await useStack({ startTime: 'now' });

const startProgram = useGuideProgram();
const start = async (language: GuideProgram, secret: string) => {
  const { url, output } = await startProgram(language, { SIGNING_SECRET: secret, TOKEN: 'demo-webhook-token' });
  const change = { alertapiurl: `${url}/`, statusupdate_url: `${url}/`, token: 'demo-webhook-token' };
  expect((await settings(service, change)).status).toBe(200);
  return output;
};

for (const language of guidePrograms('receiver')) {
  describe.skipIf(isMissing(language))(`the receiver in ${language.name}`, () => {
    it.each(['form', 'json'])('takes alerts and status updates sent as %s', async (body_format) => {
      const output = await start(language, service.credentials.site.signing_secret);
      expect((await settings(service, { body_format })).status).toBe(200);
      const alertId = await receive(service);
      expect(await findDelivery(service, alertId, 'new_alert')).toMatchObject({
        state: 'DELIVERED',
        attempts: [{ status: 204 }],
      });
      await output.until(new RegExp(`new_alert ${alertId} DISPUTE`));
      await update(service, { alert_id: String(alertId), status: 'RESOLVED', reason_code: '100.001' });
      await output.until(new RegExp(`statusupdate ${alertId} RESOLVED`));
    });

    it('refuses what is signed with another secret', async () => {
      const output = await start(language, `whsec_${Buffer.from('some other secret').toString('base64')}`);
      const alertId = await receive(service);
      expect(await findDelivery(service, alertId, 'new_alert')).toMatchObject({
        state: 'PENDING',
        attempts: [{ status: 401 }],
      });
      expect(output.text()).not.toContain(String(alertId));
    });
  });
}

describe('with body_format json', () => {
  it('verify() of standardwebhooks and of svix take the alert', async () => {
    service.sinks.clear('demo');
    const url = service.sinks.url('demo');
    await settings(service, {
      alertapiurl: url,
      statusupdate_url: url,
      token: 'demo-webhook-token',
      body_format: 'json',
    });
    const alertId = await receive(service);
    const [request] = service.sinks.got('demo');
    if (!request) throw new Error('Nothing came.');
    const { mid, rid, sid, signing_secret } = service.credentials.site;
    const alert = new StandardWebhook(signing_secret).verify(request.body, { ...request.headers });
    expect(alert).toMatchObject({ alert_id: String(alertId), alert_type: 'DISPUTE', mid, rid, sid, amount: '361.56' });
    expect(alert).toHaveProperty('txdetails', [
      { alert_transaction: null, transaction_action: null, transaction_potential_matches: null },
    ]);
    for (const Webhook of [StandardWebhook, SvixWebhook]) {
      const webhook = new Webhook(signing_secret);
      expect(() => webhook.verify(request.body, { ...request.headers })).not.toThrow();
      expect(() => webhook.verify(`${request.body} `, { ...request.headers })).toThrow();
    }
  });
});
