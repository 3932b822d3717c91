import { connectProviderB } from '../../provider-b-client.ts';
import { outcomeHandler } from '../../send-flow.ts';

export const handler = outcomeHandler('outcome-b', connectProviderB);
