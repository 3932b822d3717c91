import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Returns the gateway's facts about a caller in addition to its token: the address alone. */
export const callerAt = (sourceIp: string): APIGatewayProxyEvent['requestContext']['identity'] => ({
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  sourceIp,
  user: null,
  userAgent: null,
  userArn: null,
});
