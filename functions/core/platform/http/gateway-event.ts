import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Events that were not made by a gateway may lack it. */
export const sourceIpOf = ({
  requestContext,
}: {
  requestContext: Partial<APIGatewayProxyEvent['requestContext']>;
}): string => requestContext.identity?.sourceIp ?? '';

/**
 * Returns the subject of the caller's certificate; undefined if the gateway's domain name does not ask for one. Only the gateway sets this:
 * no header does.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-mutual-tls.html
 */
export const clientSubjectOf = ({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string | undefined =>
  requestContext.identity?.clientCert?.subjectDN || undefined;

/**
 * The gateway's own address has the stage before the path; an operator's domain name does not. Events that were not made
 * by a gateway may lack all of it.
 */
export const baseUrlOf = ({ headers, path, requestContext }: APIGatewayProxyEvent): string => {
  const { domainName = 'localhost', path: wholePath = path } = requestContext;
  const forwarded = headers['x-forwarded-proto'];
  const isPlain = forwarded === 'http' || (forwarded === undefined && headers['host'] === domainName);
  const scheme = isPlain ? 'http' : 'https';
  return `${scheme}://${domainName}${wholePath.endsWith(path) ? wholePath.slice(0, -path.length || undefined) : ''}`;
};
