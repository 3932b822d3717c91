import { facetsOf } from '../core/listing.ts';
import { type DeliveryState, deliveryStates } from '../notifications/delivery.ts';
import { type DeliveryKind, deliveryKinds } from '../notifications/policy.ts';

type Filters = { state?: readonly DeliveryState[] | undefined; kind?: readonly DeliveryKind[] | undefined };

/** The facets of the list that a filter by state and kind allows; undefined for all of them. */
export const facetsFor = ({ state, kind }: Filters): string[] | undefined =>
  state || kind ? facetsOf(state ?? deliveryStates, kind ?? deliveryKinds) : undefined;
