import { CfnOutput } from 'aws-cdk-lib';
import {
  CfnBasePathMapping,
  CfnDomainName,
  type CfnDomainNameProps,
  EndpointAccessMode,
  SecurityPolicy,
  type SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/**
 * The domain names of the operator, and where the API answers: the custom domain if there is one. Providers that send over mutual TLS have a
 * domain of their own, because API Gateway asks every client of such a domain for a certificate.
 */
export const createDomains = (scope: Construct, api: SpecRestApi, settings: Settings): void => {
  const { domainName, domainBasePath: basePath, certificateArn = '', mutualTlsDomainName } = settings;
  if (domainName !== undefined) {
    createDomain(scope, 'Domain', api, settings, {
      domainName,
      regionalCertificateArn: certificateArn,
      securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
      endpointAccessMode: EndpointAccessMode.STRICT,
    });
  }
  if (mutualTlsDomainName !== undefined) {
    createDomain(scope, 'MutualTlsDomain', api, settings, {
      domainName: mutualTlsDomainName,
      regionalCertificateArn: settings.mutualTlsCertificateArn ?? certificateArn,
      // Mutual TLS does not work with the policies that forbid ciphers without forward secrecy.
      securityPolicy: SecurityPolicy.TLS_1_2,
      mutualTlsAuthentication: {
        truststoreUri: settings.mutualTlsTruststore ?? '',
        ...(settings.mutualTlsTruststoreVersion !== undefined && {
          truststoreVersion: settings.mutualTlsTruststoreVersion,
        }),
      },
    });
  }
  const url = (host: string): string => `https://${host}/${basePath === undefined ? '' : `${basePath}/`}`;
  new CfnOutput(scope, 'ApiUrl', {
    value: domainName === undefined ? api.url : url(domainName),
    description: 'Where the API answers',
  });
  if (mutualTlsDomainName !== undefined)
    new CfnOutput(scope, 'MutualTlsUrl', {
      value: url(mutualTlsDomainName),
      description: 'Where providers send alerts over mutual TLS',
    });
};

/** A regional domain name, mapped to the API's stage, with its record in Route 53 if the zone is known. */
const createDomain = (
  scope: Construct,
  id: string,
  api: SpecRestApi,
  { domainBasePath, hostedZoneId }: Settings,
  properties: CfnDomainNameProps & { domainName: string },
): void => {
  const domain = new CfnDomainName(scope, id, { ...properties, endpointConfiguration: { types: ['REGIONAL'] } });
  new CfnBasePathMapping(scope, `${id}Mapping`, {
    domainName: domain.ref,
    restApiId: api.restApiId,
    stage: api.deploymentStage.stageName,
    ...(domainBasePath !== undefined && { basePath: domainBasePath }),
  });
  if (hostedZoneId === undefined) return;
  new CfnRecordSet(scope, `${id}Record`, {
    hostedZoneId,
    name: properties.domainName,
    type: 'A',
    aliasTarget: { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId },
  });
};
