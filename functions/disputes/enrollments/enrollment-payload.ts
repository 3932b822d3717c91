import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import { enrolledProviders, isEnrolledByNetwork } from '#disputes/providers/providers.ts';
import {
  completedAt,
  type DescriptorProvider,
  type Enrollment,
  type EnrollmentItem,
  lastActivity,
  overallStatus,
} from './enrollment.ts';
import type { EnrollmentSummary } from './schemas.ts';

const itemDto = (item: EnrollmentItem) => {
  const common = { descriptor: item.descriptor, status: item.status, last_activity: item.lastActivity };
  return isEnrolledByNetwork(item.provider)
    ? {
        ...common,
        mcc: item.mcc,
        network_bin: item.networkBin,
        network_caid: item.networkCaid,
        network_arn: item.networkArn,
        rdr_ruleset: item.rdrRuleset,
      }
    : { ...common, match_type: item.matchType };
};

/** The providers of a request, in the order of their first items. */
const productsIn = ({ items }: Enrollment): DescriptorProvider[] => [...new Set(items.map(({ provider }) => provider))];

/** The items of a request by product. */
const itemsByProduct = ({ items }: Enrollment) => {
  const products = enrolledProviders.map((provider) => ({
    provider,
    own: items.filter((item) => item.provider === provider).map(itemDto),
  }));
  // Only the products of a request are named.
  return Object.fromEntries(products.filter(({ own }) => own.length > 0).map(({ provider, own }) => [provider, own]));
};

/** The fields of a request that the notification and `enrollment/status` share. */
const common = (enrollment: Enrollment) => ({
  request_date: enrollment.createdAt,
  merchant_name: enrollment.merchantName,
  site_name: enrollment.siteName,
  products: productsIn(enrollment).join(','),
  enrollment_request_status: overallStatus(enrollment.items),
  enrollment_request_items: itemsByProduct(enrollment),
});

/** The notification that an item of a request has changed. */
export const statusUpdatePayload = (enrollment: Enrollment) => ({
  action: 'enrollment_request_status_update',
  request_id: enrollment.enrollmentId,
  ...common(enrollment),
  updated_at: enrollment.updatedAt,
});

/** A request as `enrollment/status` shows it. */
export const enrollmentStatus = (enrollment: Enrollment) => ({
  enrollment_request_id: enrollment.enrollmentId,
  ...common(enrollment),
});

/** A request as lists show it. */
export const enrollmentSummary = (enrollment: Enrollment): EnrollmentSummary => ({
  enrollment_request_id: enrollment.enrollmentId,
  merchant_name: enrollment.merchantName,
  site_name: enrollment.siteName,
  products: productsIn(enrollment).join(','),
  status: overallStatus(enrollment.items),
  request_date: enrollment.createdAt,
  last_activity: lastActivity(enrollment),
  completed_at: completedAt(enrollment.items),
  enrollment_items: enrollment.items.map((item) => ({ provider: item.provider, ...itemDto(item) })),
});

/** The e-mail to the addresses that a request names, after a change. */
export const enrollmentMail = (enrollment: Enrollment): Letter => {
  const { enrollmentId, merchantName, siteName, sid, items } = enrollment;
  const status = overallStatus(items);
  return createLetter({
    subject: `Enrollment request ${enrollmentId}: ${status}`,
    kicker: `Enrollment request ${enrollmentId}`,
    heading: status,
    lead: 'The status of a descriptor enrollment has changed.',
    rows: [
      ['Merchant', merchantName],
      ['Site', `${siteName} (${sid})`],
      ...items.map((item): [string, string] => [
        item.provider,
        `${item.descriptor || item.networkArn || `${item.networkBin} ${item.networkCaid}`}: ${item.status}`,
      ]),
    ],
    link: { path: '#/enrollments', words: 'Open the enrollments' },
  });
};
