/** A shop as banks show it with its orders: set once per site, and kept with each order as it was then. */
export type ShopProfile = {
  display_name?: string | undefined;
  logo_url?: string | undefined;
  support_email?: string | undefined;
  support_phone?: string | undefined;
  support_url?: string | undefined;
  address?:
    | {
        address?: string | undefined;
        suburb_city?: string | undefined;
        state?: string | undefined;
        country?: string | undefined;
        postcode?: string | undefined;
      }
    | undefined;
  geo?: { latitude: number; longitude: number } | undefined;
  refund_policy?: string | undefined;
  refund_policy_url?: string | undefined;
  terms_url?: string | undefined;
  cancellation_policy_url?: string | undefined;
};

/** The 120 and 365 days that Compelling Evidence 3.0 looks back from a dispute, and some weeks for the dispute to arrive. */
export const defaultRetainDays = 550;
export const maxRetainDays = 1100;

/**
 * The profile of a site, and for how many days after their transactions its orders are kept. `version` goes up with every
 * write; a write names the version it read.
 */
export type OrderProfile = {
  sid: number;
  mid: number;
  rid: number;
  profile: ShopProfile;
  retainDays: number;
  version: number;
};
