import { describe, expect, it } from 'vitest';
import { adyenProcessor } from '#payments/processors/adyen/adyen-client.ts';
import { adyenMemory } from '#payments/processors/adyen/adyen-store.ts';
import { braintreeProcessor } from '#payments/processors/braintree/braintree-client.ts';
import { nmiProcessor } from '#payments/processors/nmi/nmi-client.ts';
import type { FirstPayment, Processor } from '#payments/processors/ports/processor.ts';
import { stripeProcessor } from '#payments/processors/stripe/stripe-client.ts';
import { startFakeAdyen } from '#test/support/fake-adyen.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { memoryClaims } from '#test/support/memory-claims.ts';
import { useTable } from '#test/support/table.ts';
import { useServer } from '#test/support/use-server.ts';
import { payCommand } from './contract.ts';

useTable();

const stripe = await useServer(startFakeStripe());
const adyen = await useServer(startFakeAdyen());
const nmi = await useServer(startFakeNmi());
const braintree = await useServer(startFakeBraintree());

const networkReference = '016153570198200';

/** Stores a card with a first payment, charges it again, and returns what the processor returned and received. */
const chargeTwice = async (processor: Processor, sent: () => unknown, change: Partial<FirstPayment> = {}) => {
  const first = await processor.pay(payCommand({ storedCard: 'first' }));
  const stored = sent();
  if (first.outcome !== 'OK') throw new Error(JSON.stringify(first));
  const { reference, networkReference: network = null } = first;
  const storedCard = { processor: processor.name, reference, routeId: 'r1', networkReference: network, ...change };
  const repeated = await processor.pay(payCommand({ storedCard }));
  return { first, stored, repeated, repeat: sent() };
};

describe('a stored card that is charged again', () => {
  const bodyOf = (fake: { requests: readonly { body: string }[] }) => fake.requests.at(-1)?.body ?? '';
  const formOf = (fake: { requests: readonly { body: string }[] }) => () =>
    Object.fromEntries(new URLSearchParams(bodyOf(fake)));
  const atStripe = () =>
    stripeProcessor({ secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret, base_url: stripe.url });

  it('is sent to Stripe off session, with the network transaction id of the first payment', async () => {
    stripe.isExemptionEnabled = true;
    const { first, stored, repeated, repeat } = await chargeTwice(atStripe(), formOf(stripe));
    expect(first).toMatchObject({ networkReference });
    expect(stored).toMatchObject({ setup_future_usage: 'off_session' });
    expect(repeated).toMatchObject({ outcome: 'OK' });
    expect(repeat).toMatchObject({
      off_session: 'true',
      'payment_method_options[card][mit_exemption][network_transaction_id]': networkReference,
    });
    expect(repeat).not.toHaveProperty('setup_future_usage');
  });

  it('is sent to Stripe without the network transaction id if the account may not send one', async () => {
    stripe.isExemptionEnabled = false;
    const { repeated, repeat } = await chargeTwice(atStripe(), formOf(stripe));
    expect(repeated).toMatchObject({ outcome: 'OK' });
    expect(repeat).toMatchObject({ off_session: 'true' });
    expect(JSON.stringify(repeat)).not.toContain('mit_exemption');
  });

  it('is sent to Adyen as a continued authorization without an authentication', async () => {
    const processor = adyenProcessor(
      {
        api_key: adyen.apiKey,
        merchant_account: adyen.merchantAccount,
        hmac_key: adyen.hmacKey,
        environment: 'test',
        base_url: adyen.url,
      },
      adyenMemory('stored-cards'),
    );
    const { first, stored, repeated, repeat } = await chargeTwice(processor, () => JSON.parse(bodyOf(adyen)));
    expect(first).toMatchObject({ networkReference });
    expect(stored).toMatchObject({
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'UnscheduledCardOnFile',
    });
    expect(repeated).toMatchObject({ outcome: 'OK' });
    expect(repeat).toMatchObject({
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      paymentMethod: { networkPaymentReference: networkReference },
      authenticationData: { attemptAuthentication: 'never' },
    });
  });

  it('is sent to NMI as initiated by the merchant, with the id of the first payment there', async () => {
    const processor = () =>
      nmiProcessor(
        { security_key: nmi.securityKey, webhook_key: nmi.webhookKey, environment: 'test', base_url: nmi.url },
        memoryClaims(),
      );
    const { first, stored, repeat } = await chargeTwice(processor(), formOf(nmi));
    expect(stored).toMatchObject({ initiated_by: 'customer', stored_credential_indicator: 'stored' });
    const used = { initiated_by: 'merchant', stored_credential_indicator: 'used' };
    expect(repeat).toMatchObject({ ...used, initial_transaction_id: 'reference' in first && first.reference });
    for (const other of [{ processor: 'stripe' }, { routeId: 'r2' }] as const) {
      const elsewhere = await chargeTwice(processor(), formOf(nmi), other);
      expect(elsewhere.repeat).toMatchObject(used);
      expect(elsewhere.repeat).not.toHaveProperty('initial_transaction_id');
    }
  });

  it('is sent to Braintree as an unscheduled payment from an external vault', async () => {
    const processor = braintreeProcessor(
      {
        public_key: braintree.publicKey,
        private_key: braintree.privateKey,
        environment: 'test',
        merchant_accounts: braintree.merchantAccounts,
        base_url: braintree.url,
      },
      memoryClaims(),
    );
    const sent = () => JSON.parse(bodyOf(braintree)).variables.input;
    const { first, stored, repeated, repeat } = await chargeTwice(processor, sent);
    expect(first).toMatchObject({ networkReference });
    expect(stored).toMatchObject({ options: { externalVault: { status: 'WILL_VAULT' } } });
    expect(repeated).toMatchObject({ outcome: 'OK' });
    expect(repeat).toMatchObject({
      options: { externalVault: { status: 'VAULTED', verifyingNetworkTransactionId: networkReference } },
      transaction: { paymentInitiator: 'UNSCHEDULED' },
    });
  });
});
