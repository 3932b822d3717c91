import { facetOf } from '#core/platform/lists/listing.ts';
import { type AlertType, alertTypes } from '#disputes/providers/provider-alert.ts';
import { type AlertStatus, alertStatuses, isInformational } from './alert.ts';

/** Checks whether alerts of a type can ever have a status; lists skip combinations that cannot occur. */
const canBe = (status: AlertStatus, type: AlertType): boolean => {
  if (type === 'DISPUTE_RDR') return status === 'RESOLVED' || status === 'DECLINED' || status === 'RDR_DELETE';
  if (isInformational(type)) return status === 'INFORM' || status === 'REVOKED';
  return status !== 'INFORM' && status !== 'RDR_DELETE';
};

/** All facets that an alert can have. */
export const allAlertFacets: readonly string[] = alertStatuses.flatMap((status) =>
  alertTypes.filter((type) => canBe(status, type)).map((type) => facetOf(status, type)),
);

/** The facets of a list that the filters allow; undefined: all of them; empty: nothing can match. */
export const alertFacets = (
  statuses: readonly AlertStatus[] | undefined,
  types: readonly AlertType[] | undefined,
): string[] | undefined =>
  statuses || types
    ? (statuses ?? alertStatuses).flatMap((status) =>
        (types ?? alertTypes).filter((type) => canBe(status, type)).map((type) => facetOf(status, type)),
      )
    : undefined;
