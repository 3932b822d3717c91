import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { createLogGroup } from './log-groups.ts';
import type { Resources } from './policy.ts';

/** Rules of the common set that would refuse legitimate calls. They only count, so that such calls are seen. */
const counted = [
  // Bodies over 8 KB: lists of enrollments. The functions refuse what is over 256 KiB.
  'SizeRestrictions_BODY',
  // URLs with numeric hosts, in settings: the functions refuse those that are not public, and say why.
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
  // Programs that send alerts and updates often name no user agent.
  'NoUserAgent_HEADER',
] as const;

/** Headers that hold secrets. */
const secretHeaders = ['authorization', 'rcode', 'x-signature', 'stripe-signature', 'cookie'] as const;

/** The firewall before the gateway: a limit per address, and Amazon's rules against common attacks. */
export const createFirewall = (scope: Construct, api: SpecRestApi, resources: Resources): CfnWebACL => {
  const { names, settings, key } = resources;
  const acl = new CfnWebACL(scope, 'Firewall', {
    name: names.prefix,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(names.prefix),
    rules: [
      {
        name: 'rate',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            limit: settings.requestsPerAddress,
            aggregateKeyType: 'IP',
            scopeDownStatement: exceptSigned,
          },
        },
        visibilityConfig: visibility('rate'),
      },
      signInRule(1, settings.signInsPerAddress),
      managedRules(2, 'AWSManagedRulesCommonRuleSet', counted),
      managedRules(3, 'AWSManagedRulesKnownBadInputsRuleSet', []),
      ...lookupPlaces.map(({ name, path }, index) => lookupRule(4 + index, name, path)),
      signedRule(4 + lookupPlaces.length),
      ...mutualTlsRules(5 + lookupPlaces.length, settings),
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
  // The firewall writes only to groups whose names begin like this.
  const logs = createLogGroup(scope, 'FirewallLogs', `aws-waf-logs-${names.prefix}`, key);
  logRefusals(
    scope,
    acl,
    Stack.of(scope).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: `aws-waf-logs-${names.prefix}`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  ).node.addDependency(logs);
  return acl;
};

const decoded: CfnWebACL.TextTransformationProperty[] = [
  { priority: 0, type: 'URL_DECODE' },
  { priority: 1, type: 'NORMALIZE_PATH' },
];

const pathHas = (
  positionalConstraint: 'CONTAINS' | 'ENDS_WITH',
  searchString: string,
): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint,
    searchString,
    textTransformations: decoded,
  },
});

/** Where passwords and codes can be guessed, and sessions are begun and renewed. */
const signInPlaces = ['/gettoken', '/session', '/users/password'] as const;

/** A limit per address of its own: a username is locked after five failures, but an attacker has many usernames. */
const signInRule = (priority: number, limit: number): CfnWebACL.RuleProperty => ({
  name: 'sign-in',
  priority,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      limit,
      aggregateKeyType: 'IP',
      scopeDownStatement: {
        orStatement: {
          statements: signInPlaces.map((place) => pathHas('CONTAINS', place)),
        },
      },
    },
  },
  visibilityConfig: visibility('sign-in'),
});

/** Each provider's look-ups of orders: fifty a second from one address, so that strangers cannot use up what a bank may ask. */
export const lookupPlaces = [
  { name: 'lookups-a', path: '/api/v3/providers/provider_a/orders' },
  { name: 'lookups-b', path: '/api/v3/providers/provider_b/orders' },
] as const;
const windowSeconds = 60;
const lookupsPerSecond = 50;

/**
 * The paths of networks and processors, as they are sent: an encoded path could put their names into another route. They begin with the
 * stage, or with a custom domain's base path, or with neither.
 */
const signedPaths =
  '^(/[A-Za-z0-9._-]+)?/api/v3/(providers/[a-z_]+/(alerts|orders)|processors/[a-z]+/[0-9]+/webhook|merchant/[0-9]+/connections/[a-zA-Z0-9_-]+/webhook)$';

const isSigned: CfnWebACL.StatementProperty = {
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: signedPaths,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
};

/**
 * Everything but what networks and processors send. Their messages are signed, and a backlog after an outage, or a descriptor that looks
 * like an attack, must reach the functions, which keep what they cannot read.
 */
const exceptSigned: CfnWebACL.StatementProperty = { notStatement: { statement: isSigned } };

/**
 * The number of requests that one address may send there within five minutes: 200 a second, so that a stranger does not use up the throttle
 * of the methods.
 */
const signedPerAddress = 60_000;

const signedRule = (priority: number): CfnWebACL.RuleProperty => ({
  name: 'signed',
  priority,
  action: { block: {} },
  statement: {
    rateBasedStatement: { limit: signedPerAddress, aggregateKeyType: 'IP', scopeDownStatement: isSigned },
  },
  visibilityConfig: visibility('signed'),
});

/**
 * Blocks the messages of providers that must have a client certificate, if they come through another domain name than the one that asks for it.
 * The gateway compares the host of a request with the name in its TLS handshake, so that neither can be invented.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html#apigateway-security-policies-endpoint-access-mode
 */
const mutualTlsRules = (
  priority: number,
  { mutualTlsDomainName, mutualTlsProviders }: Resources['settings'],
): CfnWebACL.RuleProperty[] => {
  const places = mutualTlsProviders.split(',').filter((name) => name !== '');
  if (mutualTlsDomainName === undefined || places.length === 0) return [];
  const paths = places.map((name) => pathHas('CONTAINS', `/api/v3/providers/${name}/`));
  const [first, ...others] = paths;
  const elsewhere: CfnWebACL.StatementProperty = {
    notStatement: {
      statement: {
        byteMatchStatement: {
          fieldToMatch: { singleHeader: { Name: 'host' } },
          positionalConstraint: 'EXACTLY',
          searchString: mutualTlsDomainName,
          textTransformations: [{ priority: 0, type: 'LOWERCASE' }],
        },
      },
    },
  };
  const isTheirs = first !== undefined && others.length === 0 ? first : { orStatement: { statements: paths } };
  return [
    {
      name: 'mutual-tls',
      priority,
      action: { block: {} },
      statement: { andStatement: { statements: [isTheirs, elsewhere] } },
      visibilityConfig: visibility('mutual-tls'),
    },
  ];
};

const lookupRule = (priority: number, name: string, path: string): CfnWebACL.RuleProperty => ({
  name,
  priority,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      limit: lookupsPerSecond * windowSeconds,
      evaluationWindowSec: windowSeconds,
      aggregateKeyType: 'IP',
      scopeDownStatement: pathHas('ENDS_WITH', path),
    },
  },
  visibilityConfig: visibility(name),
});

/** Logs what was refused or counted; the access log has the rest. */
const logRefusals = (scope: Construct, acl: CfnWebACL, logGroupArn: string): CfnLoggingConfiguration =>
  new CfnLoggingConfiguration(scope, 'FirewallLogging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [logGroupArn],
    redactedFields: [{ queryString: {} }, ...secretHeaders.map((Name) => ({ singleHeader: { Name } }))],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: ['BLOCK', 'COUNT', 'EXCLUDED_AS_COUNT'].map((Action) => ({ ActionCondition: { Action } })),
        },
      ],
    },
  });

const managedRules = (priority: number, name: string, overridden: readonly string[]): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      scopeDownStatement: exceptSigned,
      ruleActionOverrides: overridden.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: visibility(name),
});

const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would show headers and queries as they came.
  sampledRequestsEnabled: false,
});
