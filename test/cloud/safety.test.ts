import { describe, expect, it } from 'vitest';
import { readSettings } from '#lib/cloud/settings.ts';
import { at, serviceStack, synthesize, toList } from './synthesized.ts';

const operations = { operationsEmail: 'ops@shop.example' };
const prod = { stage: 'prod', operationsEmail: 'ops@shop.example' };
const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/0a1b';
const domain = { ...prod, domainName: 'api.shop.example', certificateArn, hostedZoneId: 'Z0123456789ABC' };
const mutual = {
  ...domain,
  mutualTlsDomainName: 'intake.shop.example',
  mutualTlsTruststore: 's3://shop-truststore/networks.pem',
  mutualTlsProviders: 'provider_a,rdr',
};
const settingsFault = (context: Readonly<Record<string, string>>) => {
  try {
    readSettings((name) => context[name]);
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('the domain name', () => {
  it('is regional, mapped to the stage, and has the strict TLS policy and an alias record', () => {
    const { only } = serviceStack({ ...domain, domainBasePath: 'alerts' });
    expect(only('AWS::ApiGateway::DomainName').properties).toMatchObject({
      DomainName: 'api.shop.example',
      RegionalCertificateArn: certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
    const { id } = only('AWS::ApiGateway::DomainName');
    expect(only('AWS::ApiGateway::BasePathMapping').properties).toMatchObject({
      BasePath: 'alerts',
      DomainName: { Ref: id },
      Stage: { Ref: only('AWS::ApiGateway::Stage').id },
    });
    expect(only('AWS::Route53::RecordSet').properties).toMatchObject({
      Name: 'api.shop.example',
      Type: 'A',
      HostedZoneId: 'Z0123456789ABC',
      AliasTarget: { DNSName: { 'Fn::GetAtt': [id, 'RegionalDomainName'] } },
    });
    expect(serviceStack({ ...domain, domainBasePath: 'alerts' }).text).toContain('"https://api.shop.example/alerts/"');
  });

  it('is not created by default, and leaves the default endpoint enabled', () => {
    const { ofType, only } = serviceStack(prod);
    expect(ofType('AWS::ApiGateway::DomainName')).toEqual([]);
    expect(only('AWS::ApiGateway::RestApi').properties['DisableExecuteApiEndpoint']).toBeUndefined();
    expect(
      serviceStack(domain).only('AWS::ApiGateway::RestApi').properties['DisableExecuteApiEndpoint'],
    ).toBeUndefined();
  });

  it.each([
    [{ domainName: 'API.shop.example', certificateArn }, /domainName: must be a domain name in lower-case/],
    [{ domainName: 'api.shop.example' }, /certificateArn: is required/],
    [
      { domainName: 'api.shop.example', certificateArn: 'arn:aws:iam::1:server-certificate/x' },
      /certificateArn: must be/,
    ],
    [{ mutualTlsDomainName: 'a.shop.example', mutualTlsTruststore: 's3://abc/x.pem' }, /default endpoint is disabled/],
    [{ ...mutual, mutualTlsDomainName: 'api.shop.example' }, /must differ from domainName/],
    [{ ...mutual, mutualTlsTruststore: '' }, /give both or none/],
    [{ ...mutual, mutualTlsProviders: 'provider_c' }, /mutualTlsProviders: must be some of provider_a/],
    [{ ...domain, mutualTlsProviders: 'rdr' }, /of no use without/],
    [{ providerAFormat: 'soap' }, /providerAFormat: must be neutral or ethoca/],
    [{ ...domain, providerAFormat: 'ethoca' }, /mutualTlsProviders: must name provider_a/],
    [{ ...mutual, providerAFormat: 'ethoca' }, /providerASubject: is required/],
    [{ monthlyBudget: '500' }, /operationsEmail: is required for monthlyBudget/],
    [{ stage: 'shop', protected: 'true' }, /operationsEmail: is required on stage shop/],
    [{ ...operations, stage: 'shop', protected: 'true', ephemeral: 'true' }, /ephemeral: stage shop must not be/],
    [{ backupRetentionDays: 'x' }, /backupRetentionDays: must be a whole number/],
  ])('refuses the settings %j', (context, fault) => {
    expect(settingsFault(context)).toMatch(fault);
  });
});

describe('mutual TLS', () => {
  const { ofType, only, text } = serviceStack(mutual);
  const domains = ofType('AWS::ApiGateway::DomainName');

  it('has its own domain name with a truststore, mapped to the same stage', () => {
    expect(domains.map(({ properties }) => properties['DomainName'])).toEqual([
      'api.shop.example',
      'intake.shop.example',
    ]);
    expect(domains[1]?.properties).toMatchObject({
      MutualTlsAuthentication: { TruststoreUri: 's3://shop-truststore/networks.pem' },
      SecurityPolicy: 'TLS_1_2',
    });
    expect(domains[0]?.properties['MutualTlsAuthentication']).toBeUndefined();
    expect(ofType('AWS::ApiGateway::BasePathMapping')).toHaveLength(2);
    expect(text).toContain('"https://intake.shop.example/"');
  });

  it('disables the default endpoint, which requires no client certificate', () => {
    expect(only('AWS::ApiGateway::RestApi').properties['DisableExecuteApiEndpoint']).toBe(true);
  });

  it('gives the intake of provider_a its format and the subject of its certificate', () => {
    const variablesIn = (context: Readonly<Record<string, string>>) => {
      const functions = serviceStack(context).ofType('AWS::Lambda::Function');
      const intake = functions.find(({ properties }) =>
        String(properties['FunctionName']).endsWith('receive-provider-a'),
      );
      return at(intake?.properties, 'Environment', 'Variables');
    };
    const ethoca = { ...mutual, providerAFormat: 'ethoca', providerASubject: 'CN=alerts,O=Network' };
    expect(variablesIn(ethoca)).toMatchObject({
      PROVIDER_A_FORMAT: 'ethoca',
      PROVIDER_A_SUBJECT: 'CN=alerts,O=Network',
    });
    expect(variablesIn(mutual)).toMatchObject({ PROVIDER_A_FORMAT: 'neutral', PROVIDER_A_SUBJECT: '' });
  });

  it('blocks messages of these providers at any other host, however the path is encoded', () => {
    const rules = toList(only('AWS::WAFv2::WebACL').properties['Rules']);
    const rule = rules.find((one) => at(one, 'Name') === 'mutual-tls');
    const [theirs, elsewhere] = toList(at(rule, 'Statement', 'AndStatement', 'Statements'));
    const paths = toList(at(theirs, 'OrStatement', 'Statements')).map((one) => at(one, 'ByteMatchStatement'));
    expect(paths.map((one) => at(one, 'SearchString'))).toEqual([
      '/api/v3/providers/provider_a/',
      '/api/v3/providers/rdr/',
    ]);
    for (const one of paths) expect(JSON.stringify(at(one, 'TextTransformations'))).toContain('URL_DECODE');
    expect(at(elsewhere, 'NotStatement', 'Statement', 'ByteMatchStatement')).toMatchObject({
      FieldToMatch: { SingleHeader: { Name: 'host' } },
      PositionalConstraint: 'EXACTLY',
      SearchString: 'intake.shop.example',
    });
    expect(at(rule, 'Action')).toEqual({ Block: {} });
    const priorities = rules.map((one) => at(one, 'Priority'));
    expect(new Set(priorities).size).toBe(priorities.length);
  });

  it('passes the rule packs and the schemas', () => {
    expect(() => synthesize({ checks: true, context: { ...mutual, monthlyBudget: '500' } })).not.toThrow();
  });
});

describe('backups', () => {
  it('are made daily, kept as long as the setting says, and outlive the stack', () => {
    const { only } = serviceStack({ ...prod, backupRetentionDays: '90' });
    const [rule] = toList(at(only('AWS::Backup::BackupPlan').properties, 'BackupPlan', 'BackupPlanRule'));
    expect(rule).toMatchObject({ ScheduleExpression: 'cron(0 3 * * ? *)', Lifecycle: { DeleteAfterDays: 90 } });
    const selection = at(only('AWS::Backup::BackupSelection').properties, 'BackupSelection', 'Resources');
    expect(JSON.stringify(selection)).toContain(only('AWS::DynamoDB::GlobalTable').id);
    expect(only('AWS::Backup::BackupVault').deletionPolicy).toBe('RetainExceptOnCreate');
    expect(JSON.stringify(only('AWS::Backup::BackupVault').properties)).toContain(only('AWS::KMS::Key').id);
  });

  it('include the files of evidence, whose bucket keeps versions no longer than its backups', () => {
    const { only } = serviceStack({ ...prod, backupRetentionDays: '90' });
    const bucket = only('AWS::S3::Bucket');
    expect(bucket.properties['VersioningConfiguration']).toEqual({ Status: 'Enabled' });
    const rules = toList(at(bucket.properties, 'LifecycleConfiguration', 'Rules'));
    const days = rules.map((rule) => [at(rule, 'Prefix'), at(rule, 'NoncurrentVersionExpiration', 'NoncurrentDays')]);
    expect(Object.fromEntries(days)).toEqual({ 'uploads/': 1, 'evidence/': 90, 'exports/': 1 });
    const { id } = bucket;
    expect(JSON.stringify(only('AWS::Backup::BackupSelection').properties)).toContain(id);
    const roles = serviceStack({ ...prod }).ofType('AWS::IAM::Role');
    const backup = roles.find(({ properties }) => JSON.stringify(properties).includes('backup.amazonaws.com'));
    expect(JSON.stringify(backup?.properties['ManagedPolicyArns'])).toContain(
      ':iam::aws:policy/AWSBackupServiceRolePolicyForS3Backup',
    );
  });

  it.each([
    [prod, 1],
    [{}, 0],
    [{ ...prod, backupRetentionDays: '0' }, 0],
  ])('are enabled on a protected stage unless the setting says otherwise: %j', (context, plans) => {
    expect(serviceStack(context).ofType('AWS::Backup::BackupPlan')).toHaveLength(plans);
  });

  it.each([{ ...prod, backupRetentionDays: '0' }, { backupRetentionDays: '7' }, {}])(
    'keep their vault under a name that a later deployment takes over, also while they are switched off: %j',
    (context) => {
      const vault = serviceStack(context).only('AWS::Backup::BackupVault');
      expect(vault.deletionPolicy).toBe('RetainExceptOnCreate');
      expect(at(vault.properties, 'BackupVaultName')).toMatch(/^forewarn-(dev|prod)$/);
    },
  );

  it('include the restored table if the stage uses one', () => {
    const restored = {
      restoredTable: 'forewarn-prod-restored',
      restoredTableStream: 'arn:aws:dynamodb:eu-west-1:1:table/x/stream/1',
    };
    const { only } = serviceStack({ ...prod, ...restored });
    expect(JSON.stringify(only('AWS::Backup::BackupSelection').properties)).toContain('table/forewarn-prod-restored');
  });
});

it('protects a stage of any name that says so, and not one called prod that says not', () => {
  const given = { ...operations, stage: 'shop', protected: 'true' };
  const { isTerminationProtected, ofType } = serviceStack(given);
  expect([isTerminationProtected, ofType('AWS::Backup::BackupPlan').length]).toEqual([true, 1]);
  expect(serviceStack({ ...operations, stage: 'prod', protected: 'false' }).isTerminationProtected).toBe(false);
});

describe('the budget', () => {
  it('notifies the operators at 80 % of the limit and when it is forecast to be exceeded', () => {
    const { only } = serviceStack({ ...prod, monthlyBudget: '500' });
    expect(only('AWS::Budgets::Budget').properties).toMatchObject({
      Budget: { BudgetLimit: { Amount: 500, Unit: 'USD' }, TimeUnit: 'MONTHLY', BudgetType: 'COST' },
      NotificationsWithSubscribers: [
        { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers: [{ Address: 'ops@shop.example' }] },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ],
    });
    expect(serviceStack(prod).ofType('AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('role trust policies', () => {
  /** Services that are not documented to send `aws:SourceAccount` when they assume a role; a condition on it could lock them out. */
  const withoutSourceAccount = ['lambda.amazonaws.com', 'apigateway.amazonaws.com', 'backup.amazonaws.com'];

  it('require this account as the source, except for services that do not send it', () => {
    for (const { id, properties } of serviceStack(prod).ofType('AWS::IAM::Role')) {
      for (const one of toList(at(properties, 'AssumeRolePolicyDocument', 'Statement'))) {
        if (withoutSourceAccount.includes(String(at(one, 'Principal', 'Service')))) continue;
        expect(at(one, 'Condition', 'StringEquals', 'aws:SourceAccount'), id).toEqual({ Ref: 'AWS::AccountId' });
      }
    }
  });
});
