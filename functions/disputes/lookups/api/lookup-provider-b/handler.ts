import { endpoint, WithStatus } from '#core/platform/http/http.ts';
import { requireSignature } from '#disputes/alerts/intake/intake-signature-store.ts';
import { answerInTime } from '../../lookup/find-store.ts';
import { answerOfProviderB, withoutOrderB } from '../../lookup/provider-b-answer.ts';
import { lookupOfProviderB } from '../../lookup/provider-b-lookup.ts';
import { lookupProviderBOperation } from './operation.ts';

export const handler = endpoint(
  lookupProviderBOperation,
  async ({ body }) => {
    const answer = await answerInTime(lookupOfProviderB(body));
    return answer.order
      ? answerOfProviderB(answer.order, body, answer.ce3)
      : new WithStatus(404, withoutOrderB(answer.isMany, body));
  },
  { authenticate: requireSignature('provider-b') },
);
