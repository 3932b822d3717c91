import type { PayerDetails, PostalAddress } from '../server/areq.ts';

type Sent = {
  firstname?: string | undefined;
  lastname?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  address?: string | undefined;
  suburb_city?: string | undefined;
  state?: string | undefined;
  country?: string | undefined;
  postcode?: string | undefined;
  shipping_address?: string | undefined;
  shipping_suburb_city?: string | undefined;
  shipping_state?: string | undefined;
  shipping_country?: string | undefined;
  shipping_postcode?: string | undefined;
  account?:
    | {
        id?: string | undefined;
        created_at?: string | undefined;
        changed_at?: string | undefined;
        orders_6m?: number | undefined;
      }
    | undefined;
};

const toPostal = (...parts: (string | undefined)[]): PostalAddress | null => {
  const [line1 = '', city = '', state = '', country = '', postcode = ''] = parts;
  return parts.some((part) => part !== undefined) ? { line1, city, state, country, postcode } : null;
};

/** The payer, as sent to create3ds. */
export const payerDetailsOf = (sent: Sent): PayerDetails => {
  const { firstname = null, lastname = null, email = null, phone = null, account } = sent;
  return {
    firstName: firstname,
    lastName: lastname,
    email,
    phone,
    address: toPostal(sent.address, sent.suburb_city, sent.state, sent.country, sent.postcode),
    shipping: toPostal(
      sent.shipping_address,
      sent.shipping_suburb_city,
      sent.shipping_state,
      sent.shipping_country,
      sent.shipping_postcode,
    ),
    account: account
      ? {
          id: account.id ?? null,
          createdAt: account.created_at ?? null,
          changedAt: account.changed_at ?? null,
          orders6m: account.orders_6m ?? null,
        }
      : null,
  };
};
