import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import * as v from 'valibot';
import { endpoint } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { ethocaErrors, ethocaSuccess } from '#disputes/providers/provider-a-ethoca.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { requireCertificate, requireSignature } from '../../intake/intake-signature-store.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { receiveProviderAOperation } from './operation.ts';

const onRefusal = quarantining(providerA.name);

const neutral = endpoint(receiveProviderAOperation, ({ sent }) => ingestMessage(providerA.name, sent), {
  authenticate: requireSignature(providerA.secret),
  onRefusal,
});

/** The reader of the provider's messages checks the body, so that what it refuses is quarantined as well. */
const inEthocaShape = { ...receiveProviderAOperation, body: v.looseObject({}), reply: v.looseObject({}) };

const ethoca = endpoint(
  inEthocaShape,
  async ({ sent }) => {
    await ingestMessage(providerA.name, sent);
    return ethocaSuccess(sent);
  },
  { authenticate: requireCertificate, onRefusal, errorBody: ethocaErrors },
);

export const handler = (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
  (optional('PROVIDER_A_FORMAT') === 'ethoca' ? ethoca : neutral)(event, context);
