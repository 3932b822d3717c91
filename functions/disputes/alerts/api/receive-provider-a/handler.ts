import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { endpoint } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { ethocaErrors, ethocaSuccess } from '#disputes/providers/provider-a-ethoca.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { AnyMessage } from '../../intake/intake-schemas.ts';
import { requireCertificate } from '../../intake/intake-signature-store.ts';
import { receiveMessages } from '../../intake/receive-flow.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { receiveProviderAOperation } from './operation.ts';

const neutral = receiveMessages(receiveProviderAOperation, providerA);

const inEthocaShape = { ...receiveProviderAOperation, body: AnyMessage, reply: AnyMessage };

const ethoca = endpoint(
  inEthocaShape,
  async ({ sent }) => {
    await ingestMessage(providerA.name, sent);
    return ethocaSuccess(sent);
  },
  { authenticate: requireCertificate, onRefusal: quarantining(providerA.name), errorBody: ethocaErrors, decodes: true },
);

export const handler = (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> =>
  (optional('PROVIDER_A_FORMAT') === 'ethoca' ? ethoca : neutral)(event, context);
