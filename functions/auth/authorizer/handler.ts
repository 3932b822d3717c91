import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describeError, log } from '../../core/log.ts';
import { bearerToken, refusingPolicy, stagePolicy } from '../policy.ts';
import { holderOf } from '../token-store.ts';

/** The only error text that the gateway answers with 401; any other would be its 500. */
const unauthorized = 'Unauthorized';

export const handler = async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
  const token = bearerToken(event.authorizationToken);
  if (token === undefined) throw new Error(unauthorized);
  const holder = await holderOf(token).catch(logged);
  if ('user' in holder) return stagePolicy(holder, event.methodArn);
  // The gateway keeps what a policy says, but not this: the key may be one that other functions have already.
  if (holder.keyUnknown) throw new Error(unauthorized);
  return refusingPolicy(holder, event.methodArn);
};

/** What breaks here is ours; the caller gets the gateway's 500, the operator this line. */
const logged = (error: unknown): never => {
  log('error', 'authorizer_failed', { error: describeError(error) });
  throw error;
};
