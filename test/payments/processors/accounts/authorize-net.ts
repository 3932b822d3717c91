import { startFakeAuthorizeNet } from '#test/support/fake-authorize-net.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const authorizeNet = await startFakeAuthorizeNet();
  const { apiLoginId: api_login_id, transactionKey: transaction_key, url: base_url } = authorizeNet;
  return {
    credentials: null,
    connectionKeys: { api_login_id, transaction_key, base_url },
    charge: () => authorizeNet.charge({ minor: 1999 }).id,
    stop: () => authorizeNet[Symbol.asyncDispose](),
  };
};
