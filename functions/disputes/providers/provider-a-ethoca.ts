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

/** Those with `alert` are of the older service, as its merchants' own code has them (assumed). */
const types: Readonly<Record<string, string>> = {
  confirmedfraud: 'CONFIRMED_FRAUD',
  issueralert: 'CONFIRMED_FRAUD',
  customerdispute: 'CUSTOMER_DISPUTE',
  customerdisputealert: 'CUSTOMER_DISPUTE',
};

/** A name or a word without regard to case and signs: resellers write `alert_type`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** Checks whether a message has Ethoca's shape: the neutral one names its type `type`. */
export const isEthocaAlert = (sent: unknown): sent is Record<string, unknown> =>
  isObject(sent) && Object.keys(sent).some((name) => plain(name) === 'alerttype');

/** The message in provider_a's neutral shape, whose schema checks it. */
export const neutralOfEthoca = (sent: Record<string, unknown>): Record<string, unknown> => {
  // A name without signs counts before another spelling of it, which may be the sender's own.
  const entries = Object.entries(sent).toSorted(
    ([one], [other]) => Number(/\W|_/.test(other)) - Number(/\W|_/.test(one)),
  );
  const fields = new Map(entries.map(([name, value]) => [plain(name), value]));
  const first = (name: keyof typeof names): unknown =>
    names[name].map((one) => fields.get(plain(one))).find((value) => value !== undefined && value !== null);
  const { type, cardNumber, cardBin, cardLast4, amount, currency, ...others } = Object.fromEntries(
    Object.keys(names).map((name) => [name, first(name as keyof typeof names)]),
  );
  const digits = typeof cardNumber === 'string' ? cardNumber.replace(/[ -]/g, '') : '';
  return {
    ...others,
    type: typeof type === 'string' ? (types[plain(type)] ?? type) : type,
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
