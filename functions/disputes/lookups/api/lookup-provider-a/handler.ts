import { endpoint } from '#core/platform/http/http.ts';
import { requireSignature } from '#disputes/alerts/intake/intake-signature-store.ts';
import { answerInTime } from '../../lookup/find-store.ts';
import { answerOfProviderA, withoutOrderA } from '../../lookup/provider-a-answer.ts';
import { lookupOfProviderA } from '../../lookup/provider-a-lookup.ts';
import { lookupProviderAOperation } from './operation.ts';

export const handler = endpoint(
  lookupProviderAOperation,
  async ({ body }) => {
    const { correlationId } = body.requestReference;
    const answer = await answerInTime(lookupOfProviderA(body));
    return answer.order ? answerOfProviderA(answer.order, correlationId) : withoutOrderA(answer.isMany, correlationId);
  },
  { authenticate: requireSignature('provider-a') },
);
