import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

export type Mail = { from: string; anyIdentityArn: string; anyConfigurationSetArn: string };

/** The address or domain that e-mails come from. SES sends once its owner has confirmed it. */
export const createMail = (scope: Construct, { mailFrom, alertDomain, mailIdentity }: Settings): Mail => {
  if (mailIdentity === 'create') {
    const identity = new EmailIdentity(scope, 'MailIdentity', {
      identity: alertDomain ? Identity.domain(alertDomain) : Identity.email(mailFrom),
    });
    // Other stages of the account may send with it.
    identity.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }
  const arnOf = (resource: string) => Stack.of(scope).formatArn({ service: 'ses', resource, resourceName: '*' });
  return { from: mailFrom, anyIdentityArn: arnOf('identity'), anyConfigurationSetArn: arnOf('configuration-set') };
};
