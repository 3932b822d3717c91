import { startFakeAdyen } from '#test/support/fake-adyen.ts';
import { openFakeDispute } from '#test/support/fake-adyen-disputes.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const adyen = await startFakeAdyen();
  const keys = {
    ...{ api_key: adyen.apiKey, merchant_account: adyen.merchantAccount, hmac_key: adyen.hmacKey },
    ...{ environment: 'test', base_url: adyen.url },
  };
  const notice = { success: true, merchantReference: 'none of ours' };
  return {
    credentials: keys,
    connectionKeys: keys,
    settle: () => adyen.takeWebhooks(),
    webhook: ({ reference }) => adyen.sign([{ ...notice, eventCode: 'REPORT_AVAILABLE', pspReference: reference }]),
    dispute: (originalReference) => {
      const pspReference = `DSP${originalReference}`;
      adyen.disputes.set(pspReference, openFakeDispute());
      return [adyen.sign([{ ...notice, eventCode: 'CHARGEBACK', pspReference, originalReference }])];
    },
    charge: () => 'PSPOFTHESHOP00001',
    isBlind: true,
    stop: () => adyen[Symbol.asyncDispose](),
  };
};
