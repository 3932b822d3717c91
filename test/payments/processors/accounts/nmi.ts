import { startFakeNmi } from '#test/support/fake-nmi.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const nmi = await startFakeNmi();
  const keys = {
    ...{ security_key: nmi.securityKey, webhook_key: nmi.webhookKey },
    ...{ environment: 'test', base_url: nmi.url },
  };
  let events = 0;
  const told = (body: object) => {
    events += 1;
    return nmi.webhook({ event_id: `e${events}`, ...body });
  };
  return {
    credentials: keys,
    connectionKeys: keys,
    settle: () => {
      nmi.settle();
      return [];
    },
    webhook: ({ reference, txid }) =>
      told({ event_body: { transaction_id: reference, order_id: `${txid}-0123456789abcdef` } }),
    dispute: (reference) => {
      nmi.chargeBack(reference, nmi.records.get(reference)?.actions[0]?.minor ?? 0);
      return [
        told({
          event_type: 'chargeback.batch.complete',
          event_body: { count: 1, chargebacks: [{ transaction_id: reference }] },
        }),
      ];
    },
    charge: () => nmi.charge({ minor: 1999, number: '4111111111111111', condition: 'complete' }).id,
    stop: () => nmi[Symbol.asyncDispose](),
  };
};
