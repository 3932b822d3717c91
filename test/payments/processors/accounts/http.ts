import { startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import type { StartStandIn } from '../stand-in.ts';

export const standIn: StartStandIn = async () => {
  const service = await startFakeMerchantService();
  return {
    credentials: null,
    connectionKeys: { base_url: service.url, secret: service.secret },
    charge: () => service.charge({ minor: 1999 }).reference,
    stop: () => service[Symbol.asyncDispose](),
  };
};
