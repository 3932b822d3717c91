import { connectProviderA } from '../../provider-a-client.ts';
import { outcomeHandler } from '../../send-flow.ts';

export const handler = outcomeHandler('outcome-a', connectProviderA);
