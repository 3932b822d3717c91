/** The payer, as the shop describes them. */
export type Payer = {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  ip: string | null;
  address: { line1: string; city: string; state: string; country: string; postcode: string } | null;
};

/** Where an order goes. */
export type Shipping = { line1: string; city: string; state: string; country: string; postcode: string };
