import { providerB } from '#disputes/providers/provider-b.ts';
import { receiveMessages } from '../../intake/receive-flow.ts';
import { receiveProviderBOperation } from './operation.ts';

export const handler = receiveMessages(receiveProviderBOperation, providerB);
