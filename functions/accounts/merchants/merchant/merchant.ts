export type Merchant = {
  mid: number;
  name: string;
  createdAt: string;
  /** The create body's other fields, as sent. */
  profile: Readonly<Record<string, string | number | boolean>>;
};

export type Retailer = {
  rid: number;
  mid: number;
  name: string;
  /** Names do not change, so a retailer carries its merchant's. */
  merchantName: string;
  createdAt: string;
  /** The create body's other fields, as sent. */
  profile: Readonly<Record<string, string | number | boolean>>;
};

/** The services that a merchant may have, as flags of its profile. */
export const merchantServices = ['alerts', 'cbm', 'payments', 'threeDS', 'order_insights'] as const;
export type Services = Record<(typeof merchantServices)[number], boolean>;

/** The services of a merchant; what it was created without is off. */
export const servicesOf = ({ profile }: Pick<Merchant, 'profile'>): Services => ({
  ...{ alerts: profile['alerts'] === true, cbm: profile['cbm'] === true, payments: profile['payments'] === true },
  ...{ threeDS: profile['threeDS'] === true, order_insights: profile['order_insights'] === true },
});

/** The fields of a body that were given. */
export const givenFields = <V>(fields: Readonly<Record<string, V | undefined>>): Record<string, V> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );

/** A merchant on the wire. */
export const merchantDetails = ({ mid, name, createdAt, profile }: Merchant) => ({
  mid,
  name,
  ...profile,
  created_at: createdAt,
});

/** A retailer on the wire. */
export const retailerDetails = ({ rid, mid, name, merchantName, createdAt, profile }: Retailer) => ({
  rid,
  mid,
  name,
  merchant_name: merchantName,
  ...profile,
  created_at: createdAt,
});

/** A name in the form in which names are compared: spacing and case make no difference. */
export const comparableName = (name: string): string =>
  name.toUpperCase().normalize('NFC').replace(/\s+/gu, ' ').trim();
