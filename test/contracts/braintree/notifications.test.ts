import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { readBraintreeWebhook } from '#payments/processors/braintree/braintree-webhook.ts';

/** Every sample notification of Braintree's own package, which signs as Braintree does. */

type Package = {
  BraintreeGateway: new (
    settings: object,
  ) => {
    webhookTesting: {
      sampleNotification(kind: string, id: string): Promise<{ bt_signature: string; bt_payload: string }>;
    };
  };
  Environment: { Sandbox: unknown };
  WebhookNotification: { Kind: Readonly<Record<string, string>> };
};
const braintree = createRequire(import.meta.url)('braintree') as Package;
const keys = { publicKey: 'abcdefghijklmnop', privateKey: '0123456789abcdef0123456789abcdef' };
const gateway = new braintree.BraintreeGateway({
  ...{ environment: braintree.Environment.Sandbox, merchantId: 'fakemerchant', ...keys },
});
const kinds = Object.values(braintree.WebhookNotification.Kind);
const aboutDisputes = kinds.filter((kind) => /^dispute_/.test(kind));

const read = async (kind: string, change: { private_key?: string } = {}) => {
  const { bt_signature, bt_payload } = await gateway.webhookTesting.sampleNotification(kind, 'dispute1');
  const rawBody = new URLSearchParams({ bt_signature, bt_payload }).toString();
  const credentials = { public_key: keys.publicKey, private_key: keys.privateKey, ...change };
  return readBraintreeWebhook(credentials, { rawBody, headers: {} } as never);
};

describe('sample notifications of Braintree', () => {
  it.each(kinds)('accepts the signature of %s, and refuses it with another key', async (kind) => {
    expect(await read(kind)).toHaveLength(1);
    expect(await read(kind, { private_key: 'another' })).toBeUndefined();
  });

  it.each(aboutDisputes)('names the dispute of %s', async (kind) => {
    expect(await read(kind)).toMatchObject([{ dispute: 'dispute1' }]);
  });

  it('are of the kinds that the package publishes', () => {
    expect(kinds.length).toBeGreaterThan(30);
    expect(aboutDisputes).toContain('dispute_opened');
  });
});
