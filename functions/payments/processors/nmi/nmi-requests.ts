import { formatAmount } from '#core/kernel/money/money.ts';
import { hasProof } from '#payments/payments/three-ds.ts';
import { merchantReferenceOf } from '../merchant-reference.ts';
import { cleanPhone, cleanPostcode, plainEmail, stateCode } from '../payer-forms.ts';
import { isRepeat, type PayCommand } from '../ports/processor.ts';

/** The requests to NMI's Payment API for a payment. https://docs.nmi.com/reference/payment-api */

type Fields = Readonly<Record<string, string>>;

const dropEmpty = (fields: Readonly<Record<string, string | null | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/** At most 25 characters of those that statements show, one of them a letter. */
const nmiName = (descriptor: string | null): string | undefined => {
  const statement = (descriptor ?? '')
    .replace(/[^\w .,'*/-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 25);
  return /[a-z]/i.test(statement) ? statement : undefined;
};

/** A numeric telephone number; two letters of a state in the US and Canada. https://docs.nmi.com/reference/payment-api (2026-11-28) */
const nmiPayer = ({ payer: { firstName, lastName, email, phone, ip, address } }: PayCommand): Fields =>
  dropEmpty({
    first_name: firstName,
    last_name: lastName,
    email: plainEmail(email),
    phone: cleanPhone(phone)?.replace('+', ''),
    ipaddress: ip,
    ...(address && {
      address1: address.line1,
      city: address.city,
      state: stateCode(address) ?? (['US', 'CA'].includes(address.country) ? undefined : address.state),
      zip: cleanPostcode(address, 10),
      country: address.country,
    }),
  });

/** All other statuses are no authentication. https://docs.nmi.com/reference/payment-api (cardholder_auth) */
const cardholderAuth: Readonly<Record<string, string>> = { Y: 'verified', A: 'attempted' };

const threeDsFields = ({ threeDs }: PayCommand): Fields => {
  if (!hasProof(threeDs)) return {};
  return dropEmpty({
    cardholder_auth: cardholderAuth[threeDs.transStatus ?? ''],
    cavv: threeDs.cavv,
    eci: threeDs.eci,
    three_ds_version: threeDs.version,
    directory_server_id: threeDs.dsTransId,
  });
};

/**
 * Marks of a stored card. NMI chains repeats by its own transaction id, so a first payment at another processor or account is left out.
 * https://docs.nmi.com/docs/credential-on-file
 */
const repeatFields = (command: PayCommand): Fields => {
  if (command.storedCard === null) return {};
  if (!isRepeat(command)) return { initiated_by: 'customer', stored_credential_indicator: 'stored' };
  const { processor, reference, routeId } = command.storedCard;
  return {
    initiated_by: 'merchant',
    stored_credential_indicator: 'used',
    ...(processor === 'nmi' && routeId === command.routeId && { initial_transaction_id: reference }),
  };
};

/** A payment or an authorisation. The card is read here and nowhere before. */
export const nmiPayment = (command: PayCommand): Fields => ({
  type: command.capture ? 'sale' : 'auth',
  amount: formatAmount(command.money),
  currency: command.money.currency,
  orderid: merchantReferenceOf(command),
  ...nmiPayer(command),
  ...threeDsFields(command),
  ...repeatFields(command),
  ...dropEmpty({ descriptor: nmiName(command.descriptor) }),
  ...command.card.reveal(({ number, cvv, expMonth, expYear }) =>
    dropEmpty({ ccnumber: number, ccexp: `${expMonth}${expYear.slice(-2)}`, cvv }),
  ),
});
