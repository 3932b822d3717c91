import { refusals } from '#core/platform/operation/errors.ts';
import type { Holder, KeyHolder, TokenRefusal } from './tokens/token-store.ts';

const wholeStage = /^(arn:[^:]+:execute-api:[^:]*:[^:]*:[^/]+\/[^/]+)\/.*$/;

/**
 * The policy that the gateway gets for a caller. It caches the policy for the token and uses it for every other route too, so the
 * policy covers the whole stage; operations themselves decide what a caller may do. `methodArn` names the route called.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export const stagePolicy = ({ user, freshUntil, signedInAt, isProgram }: Holder, methodArn: string) => {
  const { username, scope, mid, role } = user;
  return {
    principalId: username,
    policyDocument: policyFor('Allow', methodArn),
    context: {
      scope,
      subject: username,
      ...(mid !== null && { mid: String(mid) }),
      ...(role && { role }),
      ...{ freshUntil, signedInAt },
      ...(isProgram && { program: 'true' }),
    },
  };
};

/** The same for a program with an API key. Its subject cannot be a username: these have no colon. */
export const keyPolicy = ({ key }: KeyHolder, methodArn: string) => {
  const { id, mid, permissions, sites, ipRanges } = key;
  return {
    principalId: `key:${id}`,
    policyDocument: policyFor('Allow', methodArn),
    context: {
      ...{ scope: 'merchant', subject: `key:${id}`, mid: String(mid), program: 'true' },
      permissions: permissions.join(' '),
      ...(sites && { sites: sites.join(' ') }),
      ...(ipRanges.length > 0 && { ipRanges: ipRanges.join(' ') }),
    },
  };
};

/** The policy for a refused token, so that the gateway can say why. It is cached too. */
export const refusingPolicy = ({ code, details }: TokenRefusal, methodArn: string) => ({
  principalId: 'nobody',
  policyDocument: policyFor('Deny', methodArn),
  context: { code, details, msg: refusals[code].msg },
});

const policyFor = (effect: 'Allow' | 'Deny', methodArn: string) => {
  const stage = wholeStage.exec(methodArn)?.[1];
  if (!stage) throw new Error(`Not the ARN of a gateway's method: ${methodArn}`);
  return {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: `${stage}/*` }],
  };
};

/** The token of an `Authorization` header; undefined if that is not a Bearer token's. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(header ?? '')?.[1];
