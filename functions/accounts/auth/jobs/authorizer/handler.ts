import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { describeError, log } from '#core/platform/log/log.ts';
import { apiKeyIn } from '../../api-keys/api-key.ts';
import { bearerToken, keyPolicy, refusingPolicy, stagePolicy } from '../../authorizer-policy.ts';
import { findHolder, findKeyHolder } from '../../tokens/token-store.ts';

/** The only error text for which the gateway answers 401; for any other it answers 500. */
const unauthorized = 'Unauthorized';

export const handler = async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
  const sentKey = apiKeyIn(event.authorizationToken);
  if (sentKey) {
    const caller = await findKeyHolder(sentKey).catch(logAndThrow);
    return 'key' in caller ? keyPolicy(caller, event.methodArn) : refusingPolicy(caller, event.methodArn);
  }
  const token = bearerToken(event.authorizationToken);
  if (token === undefined) throw new Error(unauthorized);
  const holder = await findHolder(token).catch(logAndThrow);
  if ('user' in holder) return stagePolicy(holder, event.methodArn);
  // The gateway caches policies, but not this error: the token may be signed with a new key that other functions already have.
  if (holder.keyUnknown) throw new Error(unauthorized);
  return refusingPolicy(holder, event.methodArn);
};

/** Errors here are our fault: the caller gets the gateway's 500, the operator this log line. */
const logAndThrow = (error: unknown): never => {
  log('error', 'authorizer_failed', { error: describeError(error) });
  throw error;
};
