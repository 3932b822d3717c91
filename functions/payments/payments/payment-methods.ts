/** The card schemes that can be paid with, as `card_type` names them. */
export const paymentMethods = [
  { code: 'VISA', name: 'Visa' },
  { code: 'MASTERCARD', name: 'Mastercard' },
  { code: 'AMEX', name: 'American Express' },
  { code: 'DISCOVER', name: 'Discover' },
  { code: 'DINERS', name: 'Diners Club' },
  { code: 'JCB', name: 'JCB' },
  { code: 'UNIONPAY', name: 'UnionPay' },
] as const;
