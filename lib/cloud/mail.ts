import { Stack } from 'aws-cdk-lib';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

export type Mail = { from: string; identityArn: string };

/** The address or domain that e-mails come from. SES sends once its owner has confirmed it. */
export const createMail = (scope: Construct, { mailFrom, alertDomain, mailIdentity }: Settings): Mail => {
  const name = alertDomain ?? mailFrom;
  if (mailIdentity === 'create') {
    new EmailIdentity(scope, 'MailIdentity', {
      identity: alertDomain ? Identity.domain(alertDomain) : Identity.email(mailFrom),
    });
  }
  return {
    from: mailFrom,
    identityArn: Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: name }),
  };
};
