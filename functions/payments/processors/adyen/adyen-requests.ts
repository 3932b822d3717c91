import { type AuthenticationProof, type GrantedExemption, hasProof } from '#payments/payments/three-ds.ts';
import { merchantReferenceOf } from '../merchant-reference.ts';
import { cleanPostcode, internationalPhone, plainEmail, stateCode } from '../payer-forms.ts';
import { isRepeat, type PayCommand, type ProcessorResult } from '../ports/processor.ts';
import { codeOfRefusal } from './adyen-codes.ts';

/** The requests to Adyen for a payment, and the meaning of its answers. https://docs.adyen.com/api-explorer/Checkout/71 */

/** At most 22 characters that schemes accept, at least one a letter. */
const cleanName = (descriptor: string | null): string | undefined => {
  const statement = (descriptor ?? '')
    .replace(/[^\w .,'?+*/-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 22);
  return /[a-z]/i.test(statement) ? statement : undefined;
};

/** Assumed: what a country without postal codes has in a field that Adyen requires; activemerchant sends the same. */
const notApplicable = 'N/A';
/** https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions (2026-11-28) */
const withoutPostcodes = new Set(
  (
    'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GD GH GM GN GQ GY HK KI KM KN LC ML MO MR MW NR NU ' +
    'QA RW SB SC SL SR ST SX SY TD TF TG TK TL TO TT TV UG VU YE ZW'
  ).split(' '),
);

/**
 * Adyen requires all of an address: at most five digits of a US postal code and ten characters of others, and a state in the US and Canada. One
 * that is incomplete is left out. The house number, for which it asks separately, is part of `street` in an address of one line. `ZZ`: the country
 * is not known. https://docs.adyen.com/api-explorer/Checkout/71/post/payments#request-billingAddress (2026-11-28)
 */
const billing = ({ payer: { address } }: PayCommand) => {
  if (!address) return undefined;
  const [street, city, country] = [address.line1.trim(), address.city.trim(), address.country || 'ZZ'];
  const whole = cleanPostcode(address, 9) ?? (withoutPostcodes.has(country) ? notApplicable : undefined);
  const postalCode = country === 'US' ? whole?.slice(0, 5) : whole;
  const stateOrProvince = stateCode(address);
  const needsState = country === 'US' || country === 'CA';
  if (!street || !city || !postalCode || postalCode.length > 10 || (needsState && !stateOrProvince)) return undefined;
  return {
    ...{ street, houseNumberOrName: notApplicable, city, postalCode, country },
    ...(stateOrProvince && { stateOrProvince }),
  };
};

/** Those of `additionalData` in https://docs.adyen.com/online-payments/3d-secure/api-reference: `sca_done` has no name there. */
const scaExemptions: Readonly<Record<GrantedExemption, string | undefined>> = {
  tra: 'transactionRiskAnalysis',
  trusted: 'trustedBeneficiary',
  sca_done: undefined,
};
const directoryResponses = ['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y'];
const authenticationResponses = ['A', 'N', 'U', 'Y'];

type Entries = Readonly<Record<string, string>>;
const additional = (entries: Entries): { additionalData?: Entries } =>
  Object.keys(entries).length > 0 ? { additionalData: entries } : {};

const adyenProof = (command: PayCommand) => {
  const { threeDs, authenticate, browser } = command;
  // Set explicitly, as the account's default could be the opposite.
  const manual: Entries = command.capture ? {} : { manualCapture: 'true' };
  // The cardholder is not there to be authenticated.
  if (isRepeat(command)) {
    return { authenticationData: { attemptAuthentication: 'never' }, ...additional(manual) };
  }
  const scaExemption = threeDs?.exemption && scaExemptions[threeDs.exemption];
  const isProven = !authenticate && hasProof(threeDs);
  if (!authenticate && (isProven || scaExemption)) {
    return {
      authenticationData: { attemptAuthentication: 'never' },
      ...additional({ ...manual, ...(scaExemption && { scaExemption }) }),
      ...(isProven && { mpiData: mpiDataOf(threeDs) }),
    };
  }
  return {
    authenticationData: {
      ...(authenticate && { attemptAuthentication: 'always' }),
      // Native 3DS needs Adyen's script in the merchant's page; a redirect needs none.
      threeDSRequestData: { nativeThreeDS: 'disabled' },
    },
    ...additional(manual),
    browserInfo: browser ?? unknownBrowser,
  };
};

/**
 * The two fields with which Adyen redirects a payer whose browser the merchant did not describe.
 * https://docs.adyen.com/online-payments/3d-secure/redirect-3ds2/web-redirect (2026-11-28)
 */
const unknownBrowser = { acceptHeader: '*/*', userAgent: 'Mozilla/5.0' };

/**
 * `directoryResponse` is the status of the ARes, `authenticationResponse` that of the challenge: left out where there was none.
 * https://docs.adyen.com/api-explorer/Checkout/71/post/payments#request-mpiData
 */
const mpiDataOf = ({ version, cavv, dsTransId, eci, ...result }: AuthenticationProof) => {
  const { transStatus, aresTransStatus, challengeTransStatus, transStatusReason, challengeCancel } = result;
  const directoryResponse = directoryResponses.find((one) => one === aresTransStatus);
  const authenticationResponse = authenticationResponses.find((one) => one === (challengeTransStatus ?? transStatus));
  return {
    threeDSVersion: version,
    cavv,
    dsTransID: dsTransId,
    ...(directoryResponse && { directoryResponse }),
    ...(directoryResponse === 'C' && authenticationResponse && { authenticationResponse }),
    ...(eci && { eci }),
    ...(transStatusReason && { transStatusReason }),
    ...(challengeCancel && /^0[1-7]$/.test(challengeCancel) && { challengeCancel }),
  };
};

/** https://docs.adyen.com/api-explorer/Checkout/71/post/payments#request-paymentMethod-CardDetails-networkPaymentReference */
const networkReferenceOf = (command: PayCommand): { networkPaymentReference?: string } =>
  isRepeat(command) && command.storedCard.networkReference !== null
    ? { networkPaymentReference: command.storedCard.networkReference }
    : {};

export const paymentRequest = (
  command: PayCommand,
  { merchantAccount, value }: { merchantAccount: string; value: number },
): Readonly<Record<string, unknown>> => {
  const { payer, card, money } = command;
  const statement = cleanName(command.descriptor);
  const address = billing(command);
  const [email, phone] = [plainEmail(payer.email), internationalPhone(payer.phone)];
  const [firstName, lastName] = [payer.firstName, payer.lastName].map((name) => name?.trim().slice(0, 80));
  return {
    merchantAccount,
    amount: { currency: money.currency, value },
    reference: merchantReferenceOf(command),
    paymentMethod: card.reveal(({ number, cvv, expMonth, expYear, holder }) => ({
      type: 'scheme',
      number,
      expiryMonth: expMonth,
      expiryYear: expYear,
      ...(cvv !== null && { cvc: cvv }),
      ...(holder && { holderName: holder }),
      ...networkReferenceOf(command),
    })),
    returnUrl: command.returnUrl,
    channel: 'Web',
    shopperInteraction: isRepeat(command) ? 'ContAuth' : 'Ecommerce',
    ...(command.storedCard && { recurringProcessingModel: 'UnscheduledCardOnFile' }),
    ...(command.capture && { captureDelayHours: 0 }),
    ...adyenProof(command),
    ...(email && { shopperEmail: email }),
    ...(payer.ip && { shopperIP: payer.ip }),
    ...(phone && { telephoneNumber: phone }),
    ...(firstName && lastName && { shopperName: { firstName, lastName } }),
    ...(address && { billingAddress: address }),
    ...(statement && { shopperStatement: statement }),
    metadata: { txid: String(command.txid) },
  };
};

export type AdyenBody = Readonly<Record<string, unknown>>;
const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const asFields = (value: unknown): AdyenBody =>
  typeof value === 'object' && value !== null ? (value as AdyenBody) : {};

/** The fields of an answer to /payments or /payments/details; `merchantReference` identifies a payment until it is done. */
export const outcomeOfPaymentAnswer = (body: AdyenBody, merchantReference: string): ProcessorResult => {
  const pspReference = textOr(body['pspReference']);
  const resultCode = textOr(body['resultCode']) ?? '';
  const reference = pspReference ?? merchantReference;
  switch (resultCode) {
    case 'Authorised': {
      const more = asFields(body['additionalData']);
      const [authCode, networkReference] = [textOr(more['authCode']), textOr(more['networkTxReference'])];
      if (!pspReference) return { outcome: 'UNKNOWN', detail: 'adyen gave no reference' };
      return {
        outcome: 'OK',
        reference: pspReference,
        ...(authCode && { authCode }),
        ...(networkReference && { networkReference }),
      };
    }
    case 'Refused':
    case 'Error':
    case 'Cancelled': {
      const code = codeOfRefusal(textOr(body['refusalReasonCode']), textOr(body['refusalReason']));
      return { outcome: 'EXC', code, reference, detail: `adyen ${resultCode}` };
    }
    case 'RedirectShopper': {
      const { url, method } = asFields(body['action']);
      if (typeof url === 'string' && method !== 'POST') {
        return { outcome: 'PEND', reference: merchantReference, nextAction: { type: 'redirect', url } };
      }
      return { outcome: 'EXC', code: 'authentication_required', reference, detail: 'adyen redirect by form' };
    }
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return { outcome: 'EXC', code: 'authentication_required', reference, detail: `adyen ${resultCode}` };
    case 'Pending':
    case 'Received':
    case 'PresentToShopper':
      return { outcome: 'PEND', reference: merchantReference, nextAction: null };
    default:
      return { outcome: 'UNKNOWN', detail: 'adyen gave a result that is not known' };
  }
};
