import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describeError, log } from '../../core/log.ts';
import { bearerToken, stagePolicy } from '../policy.ts';
import { holderOf } from '../token-store.ts';

/** The only error text that the gateway answers with 401; any other would be its 500. */
const unauthorized = 'Unauthorized';

export const handler = async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
  const token = bearerToken(event.authorizationToken);
  const holder = token === undefined ? undefined : await holderOf(token).catch(logged);
  if (!holder) throw new Error(unauthorized);
  return stagePolicy(holder, event.methodArn);
};

/** What breaks here is ours; the caller gets the gateway's 500, the operator this line. */
const logged = (error: unknown): never => {
  log('error', 'authorizer_failed', { error: describeError(error) });
  throw error;
};
