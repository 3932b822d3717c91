import * as v from 'valibot';
import { signingProviderNames } from '#disputes/providers/providers.ts';

const text = (name: string, pattern: RegExp, form: string) =>
  v.optional(v.pipe(v.string(), v.regex(pattern, `${name}: must be ${form}`)));
const host = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const certificate = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[a-z0-9-]+$/;

const providerList = v.pipe(
  v.string(),
  v.check(
    (given) => given === '' || given.split(',').every((one) => signingProviderNames.some((name) => name === one)),
    `mutualTlsProviders: must be some of ${signingProviderNames.join(', ')}, comma-separated`,
  ),
);

/** Settings of domain names. All of them are optional. */
export const domainSettings = {
  /** The domain name of the API; `certificateArn` must cover it. */
  domainName: text('domainName', host, 'a domain name in lower-case letters'),
  /** The first part of every path at that domain. */
  domainBasePath: text('domainBasePath', /^[A-Za-z0-9._-]{1,300}$/, 'one part of a path, without slashes'),
  /** A certificate of ACM, of the stage's Region. */
  certificateArn: text('certificateArn', certificate, 'the ARN of a certificate of ACM'),
  /** The Route 53 zone in which the domain names get records. */
  hostedZoneId: text('hostedZoneId', /^Z[A-Z0-9]{1,31}$/, 'the id of a Route 53 zone, such as Z0123456789ABC'),
  /** A second domain name, at which callers must have a certificate of `mutualTlsTruststore`. */
  mutualTlsDomainName: text('mutualTlsDomainName', host, 'a domain name in lower-case letters'),
  /** Its certificate, if `certificateArn` does not cover it. */
  mutualTlsCertificateArn: text('mutualTlsCertificateArn', certificate, 'the ARN of a certificate of ACM'),
  /** The certificate authorities that are trusted, as PEM. */
  mutualTlsTruststore: text(
    'mutualTlsTruststore',
    /^s3:\/\/[a-z0-9.-]{3,63}\/.+$/,
    'an address such as s3://bucket/networks.pem',
  ),
  /** The version of that object. */
  mutualTlsTruststoreVersion: text('mutualTlsTruststoreVersion', /^\S{1,1024}$/, 'the version id of the object'),
  /** Providers whose messages the firewall lets through at the second domain name only. */
  mutualTlsProviders: v.optional(providerList, ''),
  /** The shape in which provider_a sends alerts, and with it how it proves who it is: by a signature, or by its certificate. */
  providerAFormat: v.optional(
    v.picklist(['neutral', 'ethoca'], 'providerAFormat: must be neutral or ethoca'),
    'neutral',
  ),
  /** The subject of that certificate, as the gateway spells it. */
  providerASubject: text('providerASubject', /^.{1,2000}$/, 'the subject of a certificate'),
};

type DomainSettings = v.InferOutput<ReturnType<typeof domainObject>>;
const domainObject = () => v.object(domainSettings);

/** Describes what is missing for the given domain names; undefined if nothing is. */
export const domainFault = (given: DomainSettings): string | undefined => {
  const { domainName, certificateArn, mutualTlsDomainName, mutualTlsTruststore, mutualTlsProviders } = given;
  if (domainName !== undefined && certificateArn === undefined) return 'certificateArn: is required for domainName';
  if (mutualTlsDomainName !== undefined && domainName === undefined)
    return 'domainName: is required for mutualTlsDomainName, as the default endpoint is disabled then';
  if (mutualTlsDomainName !== undefined && mutualTlsDomainName === domainName)
    return 'mutualTlsDomainName: must differ from domainName, or every caller would need a certificate';
  if ((mutualTlsDomainName === undefined) !== (mutualTlsTruststore === undefined))
    return 'mutualTlsDomainName and mutualTlsTruststore: give both or none';
  if (given.providerAFormat === 'ethoca' && !mutualTlsProviders.split(',').includes('provider_a'))
    return 'mutualTlsProviders: must name provider_a, which has no signature in the format ethoca';
  // The authorities in a truststore certify others too.
  if (given.providerAFormat === 'ethoca' && given.providerASubject === undefined)
    return 'providerASubject: is required for the format ethoca';
  if (mutualTlsProviders !== '' && mutualTlsDomainName === undefined)
    return 'mutualTlsProviders: is of no use without mutualTlsDomainName';
  return undefined;
};
