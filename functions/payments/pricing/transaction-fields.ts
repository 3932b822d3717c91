/** A field of the call that makes a transaction, and whether a card payment needs it. */
export type TransactionField = { name: string; required: boolean };

const always = [
  'hash',
  'timestamp',
  'card_type',
  'card_no',
  'card_exp_month',
  'card_exp_year',
  'firstname',
  'lastname',
  'email',
  'item_name[]',
  'item_amount_unit[]',
  'currency',
  'tx_action',
  'postback_url',
];
const ifWanted = [
  'tid',
  'card_name',
  'phone',
  'address',
  'suburb_city',
  'state',
  'country',
  'postcode',
  'shipping_address',
  'shipping_suburb_city',
  'shipping_state',
  'shipping_country',
  'shipping_postcode',
  'item_quantity[]',
  'item_description[]',
  'amount_shipping',
  'amount_coupon',
  'amount_tax',
];
/** The fields that convertnpay does not take. */
const ofSingleTx = ['dynamic_descriptor', 'threeDSecure', 'device_info', 'item_no[]'];

/** The operation that charges a cart as it is, or converts it to the site's currency. */
export type PayingOperation = 'singletx' | 'convertnpay';

/** Describes the fields to send for a card payment: interface 4.3. */
export const transactionFields = (
  operation: PayingOperation,
  { cvvIsOptional }: { cvvIsOptional: boolean },
): TransactionField[] => {
  const fieldNamed = (required: boolean) => (name: string) => ({ name, required });
  return [
    ...always.map(fieldNamed(true)),
    { name: 'card_ccv', required: !cvvIsOptional },
    ...ifWanted.map(fieldNamed(false)),
    ...(operation === 'singletx' ? ofSingleTx.map(fieldNamed(false)) : []),
  ];
};
