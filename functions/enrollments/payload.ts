import { type Enrollment, type EnrollmentItem, overallStatus, type Provider } from './enrollment.ts';

const entryOf = (item: EnrollmentItem) => {
  const common = { descriptor: item.descriptor, status: item.status, last_activity: item.lastActivity };
  return item.provider === 'rdr'
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
const productsOf = ({ items }: Enrollment): Provider[] => [...new Set(items.map(({ provider }) => provider))];

/** What a merchant is told when an item of a request changes. */
export const statusUpdatePayload = (enrollment: Enrollment) => {
  const products = productsOf(enrollment);
  const entries = products.map(
    (product) => [product, enrollment.items.filter(({ provider }) => provider === product).map(entryOf)] as const,
  );
  return {
    action: 'enrollment_request_status_update',
    request_id: enrollment.enrollmentId,
    request_date: enrollment.createdAt,
    merchant_name: enrollment.merchantName,
    site_name: enrollment.siteName,
    products: products.join(','),
    enrollment_request_status: overallStatus(enrollment.items),
    enrollment_request_items: Object.fromEntries(entries),
    updated_at: enrollment.updatedAt,
  };
};
