import { braintreeRoute } from '#test/payments/transactions/accounts.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const braintree = await startFakeBraintree();
  const { publicKey: public_key, privateKey: private_key, url: base_url } = braintree;
  const told = (kind: string, subject: string) =>
    braintree.webhook(`<notification><kind>${kind}</kind><subject>${subject}</subject></notification>`);
  return {
    credentials: Object(braintreeRoute(braintree)['credentials']),
    connectionKeys: { public_key, private_key, base_url, environment: 'test' },
    settle: () => {
      braintree.settle();
      return [];
    },
    webhook: ({ reference, txid }) =>
      told(
        'transaction_settled',
        `<transaction><id>${reference}</id><order-id>${txid}-0123456789abcdef</order-id></transaction>`,
      ),
    dispute: (reference) => {
      const id = String(braintree.dispute(reference, 'OPEN')['legacyId']);
      return [
        told(
          'dispute_opened',
          `<dispute><id>${id}</id><status>open</status><transaction><id>${reference}</id></transaction></dispute>`,
        ),
      ];
    },
    charge: () => {
      const { id } = braintree.charge({ minor: 1999, number: '4111111111111111' });
      braintree.settle();
      return id;
    },
    stop: () => braintree[Symbol.asyncDispose](),
  };
};
