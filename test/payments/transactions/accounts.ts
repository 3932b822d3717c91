import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { WebhookSender } from '#payments/processors/ports/processors.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { type FakeAdyen, startFakeAdyen } from '#test/support/fake-adyen.ts';
import type { FakeBraintree } from '#test/support/fake-braintree.ts';
import type { FakeNmi } from '#test/support/fake-nmi.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask } from '#test/support/operations.ts';
import { settle } from '#test/support/settle.ts';

/** Shops whose payments go to stand-ins of the real processors. */

export type Route = Record<string, unknown>;
type Webhook = { headers: Record<string, string>; rawBody: string };

export const stripeRoute = ({ secretKey, webhookSecret, url }: FakeStripe, change: Route = {}): Route => ({
  processor: 'stripe',
  credentials: { secret_key: secretKey, webhook_secret: webhookSecret, base_url: url },
  ...change,
});

export const adyenRoute = ({ apiKey, merchantAccount, hmacKey, url }: FakeAdyen, change: Route = {}): Route => ({
  processor: 'adyen',
  credentials: {
    api_key: apiKey,
    merchant_account: merchantAccount,
    hmac_key: hmacKey,
    environment: 'test',
    base_url: url,
  },
  ...change,
});

export const nmiRoute = ({ securityKey, webhookKey, url }: FakeNmi, change: Route = {}): Route => ({
  processor: 'nmi',
  credentials: { security_key: securityKey, webhook_key: webhookKey, environment: 'test', base_url: url },
  ...change,
});

export const braintreeRoute = (fake: FakeBraintree, change: Route = {}): Route => ({
  processor: 'braintree',
  credentials: {
    merchant_id: 'ryqy4yyw7m5bf92h',
    public_key: fake.publicKey,
    private_key: fake.privateKey,
    merchant_accounts: fake.merchantAccounts,
    environment: 'test',
    base_url: fake.url,
  },
  ...change,
});

export const routeTo = async ({ as, sid }: Tenant, ...routes: Route[]): Promise<void> => {
  // Only whoever sets a stand-in's address needs it; shops of the same file keep to the rules of every deployment.
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const { status, body } = await ask('processors/set-site-processors', { as, params: { sid }, body: { routes } });
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  expect({ status, body }).toMatchObject({ status: 200 });
};

type Told = { txid: number; told?: true; slot?: string };
type Noted = { noticeId: string };
export type Accounts = {
  stripe: FakeStripe;
  adyen: FakeAdyen;
  /** The messages that were put into the queue that settles. */
  told: Told[];
  /** The messages that were put into the queue that checks disputes. */
  noted: Noted[];
  /** The processor sends a webhook to the site's address. */
  send(shop: Tenant, processor: WebhookSender, webhook: Webhook): Promise<Answer>;
  /** The same, and the worker takes what the queue got. */
  tell(shop: Tenant, processor: WebhookSender, ...webhooks: Webhook[]): Promise<void>;
};

/** Stand-ins of both processors for a test file; to be called at its top level. */
export const useAccounts = (): Accounts => {
  const told: Told[] = [];
  const noted: Noted[] = [];
  const accounts = { told, noted } as Accounts;
  beforeAll(async () => {
    const variables = {
      SETTLEMENT_QUEUE_URL: 'https://sqs.example.com/settlement',
      CHARGEBACKS_QUEUE_URL: 'https://sqs.example.com/chargebacks',
      MINFRAUD_SECRET_ID: 'minfraud',
    };
    Object.assign(process.env, { ALLOW_SANDBOX: 'true', ...variables });
    Object.assign(accounts, { stripe: await startFakeStripe(), adyen: await startFakeAdyen() });
  });
  beforeEach(() => {
    told.length = 0;
    noted.length = 0;
    mockClient(SQSClient)
      .on(SendMessageBatchCommand)
      .callsFake(({ QueueUrl = '', Entries = [] }: SendMessageBatchCommandInput) => {
        const taken = QueueUrl.endsWith('chargebacks') ? noted : told;
        taken.push(...Entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody)));
        return {};
      });
  });
  afterAll(async () => {
    delete process.env['SETTLEMENT_QUEUE_URL'];
    delete process.env['CHARGEBACKS_QUEUE_URL'];
    await accounts.stripe[Symbol.asyncDispose]();
    await accounts.adyen[Symbol.asyncDispose]();
  });
  const send: Accounts['send'] = ({ sid }, processor, { headers, rawBody }) =>
    ask('transactions/receive-processor-webhook', { as: 'nobody', params: { processor, sid }, rawBody, headers });
  const tell: Accounts['tell'] = async (shop, processor, ...webhooks) => {
    for (const webhook of webhooks) {
      expect(await send(shop, processor, webhook)).toMatchObject({ status: 200, body: '[accepted]' });
      for (const message of told.splice(0)) await settle(message);
    }
  };
  return Object.assign(accounts, { send, tell });
};
