import type { AdyenCredentials } from './credentials.ts';
import type { Processor } from './processor.ts';

export const adyenProcessor = (_credentials: AdyenCredentials, _memory: object): Processor => {
  throw new Error('There is no adapter for Adyen yet');
};
