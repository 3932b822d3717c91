import { crossFacets } from '#core/platform/lists/listing.ts';
import { type DeliveryState, deliveryStates } from './delivery.ts';
import { type DeliveryKind, deliveryKinds } from './delivery-policy.ts';

type Filters = { state?: readonly DeliveryState[] | undefined; kind?: readonly DeliveryKind[] | undefined };

/** The facets of the list that a filter by state and kind allows; undefined for all of them. */
export const facetsFor = ({ state, kind }: Filters): string[] | undefined =>
  state || kind ? crossFacets(state ?? deliveryStates, kind ?? deliveryKinds) : undefined;
