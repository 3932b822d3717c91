import { formatAmount } from '#core/kernel/money/money.ts';
import { hasProof } from '#payments/payments/three-ds.ts';
import { merchantReferenceOf } from '../merchant-reference.ts';
import { cleanPhone, cleanPostcode, plainEmail } from '../payer-forms.ts';
import { type FollowUpCommand, isRepeat, type PayCommand } from '../ports/processor.ts';

/** The documents sent to Braintree's GraphQL API. https://developer.paypal.com/braintree/graphql/reference */

const refundFields = 'legacyId orderId status createdAt amount { value currencyCode }';
const response = 'processorResponse { legacyCode authorizationId }';
const transactionFields = `
  ${refundFields}
  source
  descriptor { name }
  paymentMethodSnapshot {
    __typename
    ... on CreditCardDetails { bin last4 }
    ... on CreditCardTransactionDetails { acquirerReferenceNumber networkTransactionId creditCard { bin last4 } }
  }
  statusHistory {
    status
    timestamp
    ... on AuthorizedEvent { ${response} }
    ... on ProcessorDeclinedEvent { ${response} }
    ... on FailedEvent { ${response} }
    ... on GatewayRejectedEvent { gatewayRejectionReason ${response} }
  }
  refunds { ${refundFields} }
  disputes { type status createdAt receivedDate amountDisputed { value currencyCode } }`;
const disputeFields = `
  legacyId createdAt receivedDate replyByDate type status
  amountDisputed { value currencyCode }
  processorResponse { reason reasonCode }
  transaction { legacyId orderId }`;
const page = 'pageInfo { hasNextPage endCursor }';

const mutation = (name: string, type: string, asked: string): string =>
  `mutation ${name[0]?.toUpperCase()}${name.slice(1)}($input: ${type}!) { ${name}(input: $input) { ${asked} } }`;
const ofTransaction = `transaction { ${transactionFields} }`;

export const documents = {
  ping: 'query Ping { ping }',
  idFromLegacyId:
    'query IdFromLegacyId($legacyId: ID!, $type: LegacyIdType!) { idFromLegacyId(legacyId: $legacyId, type: $type) }',
  node: `query Node($id: ID!) {
    node(id: $id) { __typename ... on Transaction { ${transactionFields} } ... on Refund { ${refundFields} } } }`,
  transactions: `query Transactions($input: TransactionSearchInput!, $after: String) {
    search { transactions(input: $input, first: 50, after: $after) {
      edges { node { ${transactionFields} } } ${page} } } }`,
  refunds: `query Refunds($input: RefundSearchInput!, $after: String) {
    search { refunds(input: $input, first: 50, after: $after) { edges { node { ${refundFields} } } ${page} } } }`,
  dispute: `query Dispute($id: ID!) { node(id: $id) { __typename ... on Dispute { ${disputeFields} } } }`,
  disputes: `query Disputes($input: DisputeSearchInput!, $after: String) {
    search { disputes(input: $input, first: 50, after: $after) { edges { node { ${disputeFields} } } ${page} } } }`,
  disputeEvidence: `query DisputeEvidence($id: ID!) {
    node(id: $id) { __typename ... on Dispute {
      status statusHistory { status } evidence { __typename id ... on DisputeTextEvidence { category content } } } } }`,
  createDisputeTextEvidence: mutation('createDisputeTextEvidence', 'CreateDisputeTextEvidenceInput', 'evidence { id }'),
  createDisputeFileEvidence: mutation('createDisputeFileEvidence', 'CreateDisputeFileEvidenceInput', 'evidence { id }'),
  deleteDisputeEvidence: mutation('deleteDisputeEvidence', 'DeleteDisputeEvidenceInput', 'clientMutationId'),
  finalizeDispute: mutation('finalizeDispute', 'FinalizeDisputeInput', 'dispute { status }'),
  acceptDispute: mutation('acceptDispute', 'AcceptDisputeInput', 'dispute { status }'),
  tokenizeCreditCard: mutation('tokenizeCreditCard', 'TokenizeCreditCardInput', 'paymentMethod { id }'),
  chargeCreditCard: mutation('chargeCreditCard', 'ChargeCreditCardInput', ofTransaction),
  authorizeCreditCard: mutation('authorizeCreditCard', 'AuthorizeCreditCardInput', ofTransaction),
  captureTransaction: mutation('captureTransaction', 'CaptureTransactionInput', ofTransaction),
  refundTransaction: mutation('refundTransaction', 'RefundTransactionInput', `refund { ${refundFields} }`),
  reverseTransaction: mutation(
    'reverseTransaction',
    'ReverseTransactionInput',
    `reversal { __typename ... on Transaction { ${transactionFields} } ... on Refund { ${refundFields} } }`,
  ),
} as const;

export type DocumentName = keyof typeof documents;

/**
 * At most 255 characters each, and nine letters and digits of a postal code, with blanks and hyphens.
 * https://developer.paypal.com/braintree/docs/reference/general/validation-errors/all (Address, 2026-11-28)
 */
const billingAddressOf = (address: NonNullable<PayCommand['payer']['address']>) => {
  const { line1, city, state, country } = address;
  const fields = {
    addressLine1: line1.trim(),
    adminArea2: city.trim(),
    adminArea1: state.trim(),
    postalCode: cleanPostcode(address, 9),
    // `countryCode` would be three letters in the API version that we use.
    countryCodeAlpha2: country,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text ? [[name, text.slice(0, 255)]] : [])),
  );
};

/** A card is sent separately: whatever goes wrong with that, nothing was charged. */
export const tokenInput = ({ card, payer }: PayCommand) => {
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  const { address } = payer;
  return {
    creditCard: {
      ...card.reveal(({ number, cvv, expMonth, expYear, holder }) => ({
        number,
        expirationMonth: expMonth,
        expirationYear: expYear,
        ...(cvv !== null && { cvv }),
        ...((holder || name) && { cardholderName: holder || name }),
      })),
      ...(address && { billingAddress: billingAddressOf(address) }),
    },
  };
};

/**
 * `company*product`: the company in 3, 7 or 12 characters, 22 at most in all. Braintree refuses a payment for any other, so a
 * descriptor that does not fit is left out. https://developer.paypal.com/braintree/docs/reference/request/transaction/sale/node#descriptor.name
 */
const softName = (descriptor: string | null): string | undefined =>
  descriptor !== null && descriptor.length <= 22 && /^(?:.{3}|.{7}|.{12})\*[\w .+*-]+$/.test(descriptor)
    ? descriptor
    : undefined;

/** The indicator that a network gives for a status: Mastercard's own, and that of all others. */
const pickEci = (transStatus: string | null, isMastercard: boolean): string => {
  if (transStatus === 'Y') return isMastercard ? '02' : '05';
  if (transStatus === 'A') return isMastercard ? '01' : '06';
  return isMastercard ? '00' : '07';
};

/** Braintree requires an indicator, which merchants and issuers may leave out. */
const passThrough = ({ threeDs, card }: PayCommand) => {
  if (!hasProof(threeDs)) return undefined;
  const { cavv, version, dsTransId, aresTransStatus, challengeTransStatus } = threeDs;
  const eci = threeDs.eci ?? pickEci(threeDs.transStatus, card.scheme === 'MASTERCARD');
  return {
    passThrough: {
      eciFlag: eci,
      cavv,
      version,
      directoryServerTransactionId: dsTransId,
      ...(aresTransStatus && { directoryServerResponse: aresTransStatus }),
      ...(challengeTransStatus && { authenticationResponse: challengeTransStatus }),
    },
  };
};

/** https://developer.paypal.com/braintree/graphql/reference/types/transaction-external-vault-options-input */
const externalVaultOf = (command: PayCommand) => {
  if (command.storedCard === null) return undefined;
  if (!isRepeat(command)) return { status: 'WILL_VAULT' };
  const { networkReference } = command.storedCard;
  return {
    status: 'VAULTED',
    ...(networkReference !== null && { verifyingNetworkTransactionId: networkReference }),
  };
};

/** A payment or an authorisation. No card data: that is in the payment method. */
export const paymentInput = (
  command: PayCommand,
  { paymentMethodId, merchantAccountId }: { paymentMethodId: string; merchantAccountId: string },
) => {
  const { ip } = command.payer;
  const [email, phone] = [plainEmail(command.payer.email), cleanPhone(command.payer.phone)?.replace('+', '')];
  const name = softName(command.descriptor);
  const threeDSecureAuthentication = passThrough(command);
  const externalVault = externalVaultOf(command);
  const options = {
    ...(threeDSecureAuthentication && { threeDSecureAuthentication }),
    ...(externalVault && { externalVault }),
  };
  return {
    paymentMethodId,
    ...(Object.keys(options).length > 0 && { options }),
    transaction: {
      amount: formatAmount(command.money),
      merchantAccountId,
      orderId: merchantReferenceOf(command),
      ...(isRepeat(command) && { paymentInitiator: 'UNSCHEDULED' }),
      ...(ip && { riskData: { customerIp: ip } }),
      ...(name && { descriptor: { name } }),
      // Braintree takes telephone numbers of 4 to 15 digits.
      ...((email || phone) && {
        customerDetails: { ...(email && { email }), ...(phone && { phoneNumber: phone }) },
      }),
    },
  };
};

export const captureInput = ({ money }: FollowUpCommand, transactionId: string) => ({
  transactionId,
  transaction: { amount: formatAmount(money) },
});

/** `orderId`: by which the refund is found again. */
export const refundInput = (command: FollowUpCommand, transactionId: string) => ({
  transactionId,
  refund: { amount: formatAmount(command.money), orderId: merchantReferenceOf(command) },
});
