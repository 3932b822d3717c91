import { isObject } from '#core/kernel/is-object.ts';
import { type Refusal, refusals } from '#core/platform/operation/errors.ts';

/**
 * Messages of provider_a as Mastercard's "Ethoca Alerts for Merchants" API sends them. Its pages name the fields in the first place of
 * each list; the others are those of the network's older SOAP service, as its WSDL has them, and of the Outcome API. See
 * docs/ethoca.md for the addresses, and for what is not public.
 * @see https://developer.mastercard.com/ethoca-alerts-for-merchants/documentation/tutorials-and-guides/data-explanations/
 */
const names = {
  alertId: ['alertId', 'ethocaId'],
  type: ['alertType'],
  alertTimestamp: ['alertTimestamp', 'dateSubmitted'],
  age: ['age'],
  issuer: ['issuer'],
  cardNumber: ['cardNumber'],
  cardBin: ['cardBin'],
  cardLast4: ['cardLast4'],
  arn: ['arn', 'acquirerReferenceNumber'],
  transactionTimestamp: ['transactionTimestamp'],
  merchantDescriptor: ['merchantDescriptor'],
  mcc: ['mcc'],
  amount: ['transactionAmount', 'amount'],
  currency: ['transactionCurrency', 'currencyCode', 'currency'],
  authCode: ['authCode'],
  transactionId: ['transactionId'],
  reasonCode: ['chargebackReasonCode', 'reasonCode'],
} as const;

const types: Readonly<Record<string, string>> = {
  CONFIRMEDFRAUD: 'CONFIRMED_FRAUD',
  CUSTOMERDISPUTE: 'CUSTOMER_DISPUTE',
};

/** Checks whether a message has Ethoca's shape: the neutral one names its type `type`. */
export const isEthocaAlert = (sent: unknown): sent is Record<string, unknown> =>
  isObject(sent) && Object.keys(sent).some((name) => name.toLowerCase() === 'alerttype');

/** The message in provider_a's neutral shape, whose schema checks it. Names count without regard to case. */
export const neutralOfEthoca = (sent: Record<string, unknown>): Record<string, unknown> => {
  const fields = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  const first = (name: keyof typeof names): unknown =>
    names[name].map((one) => fields.get(one.toLowerCase())).find((value) => value !== undefined && value !== null);
  const { type, cardNumber, cardBin, cardLast4, amount, currency, ...others } = Object.fromEntries(
    Object.keys(names).map((name) => [name, first(name as keyof typeof names)]),
  );
  const digits = typeof cardNumber === 'string' ? cardNumber.replace(/[ -]/g, '') : '';
  return {
    ...others,
    type: typeof type === 'string' ? (types[type.trim().toUpperCase()] ?? type) : type,
    cardBin: cardBin ?? digits.slice(0, 6),
    cardLast4: cardLast4 ?? digits.slice(-4),
    amount: isObject(amount) ? amount : { value: amount, currencyCode: currency },
  };
};

/** Returns the network's id of an alert; undefined if it has none. */
export const alertIdIn = (sent: Record<string, unknown>): string | undefined => {
  const { alertId } = neutralOfEthoca(sent);
  return typeof alertId === 'string' && alertId.trim() !== '' ? alertId.trim() : undefined;
};

/** The acknowledgement of an alert that is stored, in the shape that the network has for statuses. */
export const ethocaSuccess = (sent: Record<string, unknown>) => ({ alertId: alertIdIn(sent), status: 'SUCCESS' });

/** A refusal in the network's envelope of errors. Repeating the message helps only after an error of Forewarn. */
export const ethocaErrors = ({ code, details }: Refusal) => ({
  Errors: {
    Error: [
      {
        Source: 'Forewarn',
        ReasonCode: code.toUpperCase(),
        Description: refusals[code].msg,
        Recoverable: refusals[code].status >= 500,
        Details: details.slice(0, 1000),
      },
    ],
  },
});
