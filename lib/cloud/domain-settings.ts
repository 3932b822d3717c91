import * as v from 'valibot';
import { signingProviderNames } from '#disputes/providers/providers.ts';

const matchingText = (name: string, pattern: RegExp, form: string) =>
  v.pipe(v.string(), v.regex(pattern, `${name}: must be ${form}`));
const text = (name: string, pattern: RegExp, form: string) => v.optional(matchingText(name, pattern, form));

/** A domain name, for the setting `name`. */
export const host = (name: string) =>
  matchingText(
    name,
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'a domain name in lower-case letters',
  );

/** A certificate of ACM, of the stage's Region, for the setting `name`. */
export const certificate = (name: string) =>
  matchingText(
    name,
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[a-z0-9-]+$/,
    'the ARN of a certificate of ACM',
  );

const providerList = v.pipe(
  v.string(),
  v.check(
    (given) => given === '' || given.split(',').every((one) => signingProviderNames.some((name) => name === one)),
    `mutualTlsProviders: must be some of ${signingProviderNames.join(', ')}, comma-separated`,
  ),
);

/** Settings of domain names other than `domainName` and `certificateArn`. All of them are optional. */
export const domainSettings = {
  /** The first part of every path at that domain. */
  domainBasePath: text('domainBasePath', /^[A-Za-z0-9._-]{1,300}$/, 'one part of a path, without slashes'),
  /** The Route 53 zone in which the domain names get records. */
  hostedZoneId: text('hostedZoneId', /^Z[A-Z0-9]{1,31}$/, 'the id of a Route 53 zone, such as Z0123456789ABC'),
  /** A second domain name, at which callers must have a certificate of `mutualTlsTruststore`. */
  mutualTlsDomainName: v.optional(host('mutualTlsDomainName')),
  /** Its certificate, if `certificateArn` does not cover it. */
  mutualTlsCertificateArn: v.optional(certificate('mutualTlsCertificateArn')),
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

type DomainSettings = v.InferOutput<ReturnType<typeof domainObject>> & {
  domainName?: string | undefined;
  certificateArn?: string | undefined;
};
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
