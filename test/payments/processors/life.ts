import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { loadDisputePort } from '#disputes/chargebacks/look/port-flow.ts';
import { evidenceProcessors } from '#lib/dashboard/screens/chargeback-kinds.ts';
import type { ProcessorTraits } from '#payments/processors/ports/declaration.ts';
import type { DisputePort } from '#payments/processors/ports/dispute.ts';
import type { AnyProcessorName, WebhookSender } from '#payments/processors/ports/processors.ts';
import { registrationLoaders } from '#payments/processors/registered/registered-registrations-client.ts';
import { alertAt, disputeAt } from '#test/disputes/alerts/seed.ts';
import { type DisputedMerchant, lookAt, newDisputedMerchant } from '#test/disputes/chargebacks/merchant.ts';
import { type Accounts, routeTo } from '#test/payments/transactions/accounts.ts';
import { pay, type Result, readStatus } from '#test/payments/transactions/shop.ts';
import { paymentAt } from '#test/payments/transactions/support.ts';
import { ask } from '#test/support/operations.ts';
import type { StandIn, StartStandIn, Webhook } from './stand-in.ts';

/** When the sandbox has its charges of the day. */
const evening = Date.parse('2026-05-02T22:30:00.000Z');

/** Another letter in a text: a signature then is of something else. */
const changed = (text: string): string => text.replace(/[a-z](?=[^a-z]*$)/, '0');

/** No merchant's id is the same as its code. */
const card = { card_ccv: '987' };

/** Takes a processor through all that it declares to do: payment, refund, void, webhook, dispute, and the same at a connection. */
export const describeLife = (
  { name, takesPayments, sendsWebhooks, connection }: ProcessorTraits,
  start: StartStandIn,
  accounts: Accounts,
): void => {
  let standIn: StandIn;
  let merchant: DisputedMerchant;
  /** A stand-in of its own, where nothing has happened before. */
  const useStandIn = () => {
    beforeAll(async () => {
      standIn = await start();
    });
    afterAll(() => standIn.stop?.());
  };
  afterAll(() => {
    setClock();
    delete process.env['ALLOW_LOOPBACK_HTTP'];
  });
  beforeEach(async () => {
    setClock(() => evening);
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    accounts.noted.length = 0;
    merchant = await newDisputedMerchant();
  });

  const work = async () => {
    while (accounts.noted.length > 0) expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  };
  const chargebacks = async () =>
    ((await ask('chargebacks/list-chargebacks', { as: merchant.shop.as, body: {} })).body as { list: object[] }).list;
  /** The same webhook, without a valid signature. */
  const forged = ({ headers, rawBody }: Webhook): Webhook => ({
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, changed(value)])),
    rawBody: changed(rawBody),
  });

  describe.runIf(takesPayments)(`${name} at a site`, () => {
    useStandIn();
    const tell = (...webhooks: readonly Webhook[]) => accounts.tell(merchant.shop, name as WebhookSender, ...webhooks);
    const settle = () => tell(...(standIn.settle?.() ?? []));
    const refund = async (parentxid: number, amount: string) => {
      const { as } = merchant.shop;
      return (await ask('refunds/processrefund', { as, params: { parentxid }, body: { amount, currency: 'USD' } }))
        .body as Result;
    };
    beforeEach(async () => {
      const { credentials } = standIn;
      await routeTo(merchant.shop, { processor: name, ...(credentials && { credentials }) });
    });
    const paid = async () => {
      const { txid } = await pay(merchant.shop, '20.00', card);
      await settle();
      expect(await readStatus(merchant.shop, txid)).toMatchObject({ status: 'OK' });
      const { processor, processorReference } = await paymentAt(txid);
      expect(processor).toBe(name);
      return { txid, reference: processorReference ?? '' };
    };

    it('shows whose account it is and none of its secrets', async () => {
      const { sid, as } = merchant.shop;
      const { status, body } = await ask('processors/site-processors-details', { as, params: { sid } });
      expect(status).toBe(200);
      expect(body).toMatchObject({ routes: [{ processor: name }] });
      for (const [field, value] of Object.entries(standIn.credentials ?? {})) {
        if (/secret|private|hmac|api_key|security|webhook|token/.test(field)) {
          expect(JSON.stringify(body)).not.toContain(String(value));
        }
      }
    });

    it('takes a payment and refunds it', async () => {
      const { txid } = await paid();
      const { txid: refunded } = await refund(txid, '20.00');
      await settle();
      expect(await readStatus(merchant.shop, refunded)).toMatchObject({
        status: 'OK',
        tx_action: 'REFUND',
        parent_txid: txid,
      });
    });

    it('voids what was only authorised', async () => {
      const { txid } = await pay(merchant.shop, '12.00', { ...card, tx_action: 'PREAUTH' });
      await tell(...(standIn.isBlind ? (standIn.settle?.() ?? []) : []));
      const voided = await refund(txid, '12.00');
      await settle();
      expect(await readStatus(merchant.shop, voided.txid)).toMatchObject({ status: 'OK', tx_action: 'VOID' });
    });

    it('takes a webhook that it signed, and no other', async () => {
      expect(standIn.webhook !== undefined, 'its stand-in makes webhooks').toBe(sendsWebhooks);
      if (!standIn.webhook) return;
      const webhook = standIn.webhook(await paid());
      await tell(webhook);
      expect((await accounts.send(merchant.shop, name as WebhookSender, forged(webhook))).status).toBe(401);
    });

    it('turns a dispute that a webhook reports into a chargeback', async () => {
      const { txid, reference } = await paid();
      const webhooks = standIn.dispute?.(reference) ?? [];
      await tell(...webhooks);
      await work();
      expect(await chargebacks()).toMatchObject(
        webhooks.length === 0 ? [] : [{ txid, status: 'open', processor: name }],
      );
    });
  });

  describe.runIf(connection)(`${name} as a connection`, () => {
    useStandIn();
    const connect = async (credentials: object = standIn.connectionKeys ?? {}): Promise<string> => {
      const { mid, as } = merchant.shop;
      const connections = [{ kind: name, label: 'The shop', credentials }];
      const { status, body } = await ask('connections/set-connections', { as, params: { mid }, body: { connections } });
      expect({ status, body }).toMatchObject({ status: 200 });
      return (body as { connections: [{ id: string }] }).connections[0].id;
    };
    const send = (id: string, { headers, rawBody }: Webhook) =>
      ask('connections/receive-connection-webhook', {
        as: 'nobody',
        params: { mid: merchant.shop.mid, id },
        headers,
        rawBody,
      });

    it('works, as its test says', async () => {
      const { mid, as } = merchant.shop;
      const id = await connect();
      expect(await ask('connections/test-connection', { as, params: { mid, id } })).toMatchObject({
        status: 200,
        body: { works: true },
      });
    });

    it("has the charge of an alert, and refunds it as the alert's answer", async () => {
      const id = await connect();
      const reference = standIn.charge?.() ?? expect.fail('its stand-in makes no charge');
      const alertId = await disputeAt(merchant.alertSite, '19.99');
      const { as } = merchant.shop;
      const { body: found } = await ask('connections/alert-transactions', { as, params: { alert_id: alertId } });
      if (standIn.isBlind) {
        expect(found).toMatchObject({ match: 'none' });
        return;
      }
      expect(found).toMatchObject({
        transactions: expect.arrayContaining([expect.objectContaining({ reference, matches: true })]),
      });
      const body = { connection: id, reference };
      expect(await ask('refunds/refund-alert', { as, params: { alert_id: alertId }, body })).toMatchObject({
        status: 200,
        body: { alert_status: 'RESOLVED', transaction: { status: 'OK', tx_action: 'REFUND', amount: '19.99' } },
      });
      expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    });

    it('turns a dispute that a webhook reports into a chargeback, if it signed that', async () => {
      const id = await connect();
      const webhooks = standIn.dispute?.(standIn.charge?.() ?? '') ?? [];
      for (const webhook of webhooks) {
        expect((await send(id, forged(webhook))).status).toBe(401);
        expect(await send(id, webhook)).toMatchObject({ status: 200, body: '[accepted]' });
      }
      await work();
      expect(await chargebacks()).toMatchObject(
        webhooks.length === 0 ? [] : [{ txid: null, connection: id, status: 'open', processor: name }],
      );
    });

    const disputed = async (): Promise<{ id: string; port: DisputePort | undefined } | undefined> => {
      const connection = await connect();
      for (const webhook of standIn.dispute?.(standIn.charge?.() ?? '') ?? []) await send(connection, webhook);
      await work();
      const [row] = (await chargebacks()) as { chargeback_id: string }[];
      if (!row) return undefined;
      const account = { mid: merchant.shop.mid, processor: name as AnyProcessorName, connection };
      return { id: row.chargeback_id, port: await loadDisputePort(account) };
    };

    const statusOfDispute = async (id: string): Promise<unknown> => {
      const { body } = await ask('chargebacks/chargeback-details', { as: merchant.shop.as, params: { id } });
      return (body as Record<string, unknown>)['status'];
    };

    it('submits evidence against a dispute once, where its API accepts any', async () => {
      const dispute = await disputed();
      if (!dispute) return;
      const { id, port } = dispute;
      const call = { as: merchant.shop.as, params: { id }, body: { submit: true } };
      const [first, second] = [
        await ask('chargebacks/chargeback-evidence', call),
        await ask('chargebacks/chargeback-evidence', call),
      ];
      await work();
      expect(evidenceProcessors.includes(name), 'the dashboard offers it').toBe(port?.submit !== undefined);
      expect([first.status, second.status]).toEqual(port?.submit ? [200, 200] : [409, 409]);
      expect(await statusOfDispute(id)).toBe(port?.submit ? 'under_review' : 'open');
    });

    it('accepts a dispute, where its API lets it', async () => {
      const dispute = await disputed();
      if (!dispute) return;
      const { id, port } = dispute;
      const { status } = await ask('chargebacks/accept-chargeback', { as: merchant.shop.as, params: { id } });
      expect(status).toBe(200);
      await work();
      expect(await lookAt({ chargebackId: id })).toEqual([]);
      expect(port?.accept ? ['lost', 'accepted'] : ['accepted']).toContain(await statusOfDispute(id));
    });

    it('registers its webhooks itself, where its processor lets it, and knows what they are signed with', async () => {
      const { webhook_secret, webhook_key, webhook_id, ...keys } = standIn.connectionKeys ?? {};
      const isOffered = typeof (registrationLoaders as Readonly<Record<string, unknown>>)[name] === 'function';
      const id = await connect(isOffered ? keys : standIn.connectionKeys);
      const { mid, as } = merchant.shop;
      const register = () => ask('connections/register-webhook', { as, params: { mid, id } });
      const expected = { registered: isOffered, problem: isOffered ? null : 'not_offered' };
      expect(await register()).toMatchObject({ status: 200, body: { id, ...expected } });
      expect(await register()).toMatchObject({
        status: 200,
        body: { url: expect.stringMatching(`/connections/${id}/webhook$`) },
      });
      if (!isOffered) return;
      const webhooks = standIn.dispute?.(standIn.charge?.() ?? '') ?? [];
      expect(webhooks).not.toEqual([]);
      for (const webhook of webhooks) expect(await send(id, webhook)).toMatchObject({ status: 200 });
      await work();
      expect(await chargebacks()).toMatchObject([{ connection: id, status: 'open', processor: name }]);
    });
  });
};
