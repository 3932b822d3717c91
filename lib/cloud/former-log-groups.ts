import type { Construct } from 'constructs';
import { createLogGroup } from './log-groups.ts';
import { idOf } from './names.ts';
import type { Resources } from './policy.ts';

/**
 * The operations that had a log group each, in the main stack, before areas had one: by the names of that time. Their groups
 * would have gone with their functions, and with them a year of lines. Nothing writes to them any more. Once every stage has
 * been deployed with this list it can be deleted: what a stack has learnt to retain stays in the account when it leaves it.
 */
const former: Readonly<Record<string, readonly string[]>> = {
  alerts: [
    'receive-provider-a',
    'receive-provider-b',
    'receive-rdr',
    'update-alert',
    'create-test-alert',
    'list-alerts',
    'list-inform-alerts',
    'alert-details',
    'list-unmatched',
    'assign-alert',
  ],
  auth: ['get-token'],
  merchants: [
    'create-merchant',
    'merchant-details',
    'create-retailer',
    'retailer-details',
    'create-site',
    'site-details',
    'list-sites',
    'set-payment-settings',
    'set-three-ds-settings',
    'set-alert-settings',
    'rotate-rcode',
    'rotate-signing-secret',
  ],
  onboarding: ['enroll-retailer-site'],
  enrollments: ['create-enrollment', 'set-enrollment-item', 'unenroll-item', 'enrollment-status', 'list-enrollments'],
  datasources: [
    'list-countries',
    'list-currencies',
    'list-payment-methods',
    'list-fraud-templates',
    'list-resellers',
    'list-support-groups',
    'list-themes',
    'list-site-categories',
    'add-fraud-template',
    'add-reseller',
    'add-support-group',
    'add-theme',
    'add-site-category',
  ],
  notifications: ['list', 'details', 'replay'],
  pricing: [
    'set-rate',
    'list-rates',
    'set-fees',
    'list-fees',
    'fee-quote',
    'raw-fees',
    'payment-options',
    'vendor-payment-options',
    'bin-payment-options',
  ],
  rules: ['create-rule', 'list-rules', 'rule-details', 'update-rule', 'disable-rule', 'order-rules', 'dry-run'],
  transactions: [
    'singletx',
    'convertnpay',
    'payout',
    'getstatus',
    'processrefund',
    'flagcapture',
    'sendauth',
    'resendauth',
    'requery',
    'payer-page',
    'payer-page-answer',
  ],
  cardsearch: ['card-transactions', 'card-search-and-email'],
  balance: ['balance'],
  processors: [
    'set-site-processors',
    'site-processors-details',
    'receive-processor-webhook',
    'sandbox-page',
    'sandbox-page-answer',
  ],
  fraud: ['fraudcheck', 'fraud-details', 'set-fraud-lists', 'fraud-template-details', 'update-fraud-template'],
  documents: ['open-api', 'docs-page', 'docs-script'],
};

/** Keeps the log groups of before, under the logical ids they have had. */
export const keepFormerLogGroups = (scope: Construct, { names, key }: Resources): void => {
  for (const [area, operations] of Object.entries(former)) {
    for (const name of operations) {
      createLogGroup(scope, `${idOf({ area, name })}Logs`, `/aws/lambda/${names.of(`${area}-${name}`)}`, key);
    }
  }
};
