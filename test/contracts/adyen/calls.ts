import { anyOf, type Contract, either, fields, flag, list, type Schema, text, texts, whole } from '../schema.ts';

const amount = fields({ currency: text(/^[A-Z]{3}$/), value: whole });
const error = fields({
  ...{ status: whole, errorCode: text(20), message: text(), errorType: text(20) },
  ...{ 'pspReference?': text(), 'additionalData?': texts() },
});
const failed = { default: error };
const key = { 'x-api-key': /./, 'content-type': /^application\/json$/ };
const onceKey = { ...key, 'idempotency-key': /^.{1,64}$/ };

const browserInfo = {
  ...{ acceptHeader: text(), userAgent: text() },
  ...{ language: text(), colorDepth: whole, screenHeight: whole, screenWidth: whole, timeZoneOffset: whole },
  ...{ javaEnabled: flag, 'javaScriptEnabled?': flag },
};

/** AdditionalData3DSecure and AdditionalDataCommon, as far as they are used. */
const additionalData = fields({
  'manualCapture?': anyOf('true', 'false'),
  'scaExemption?': anyOf('lowValue', 'secureCorporate', 'trustedBeneficiary', 'transactionRiskAnalysis'),
});

const payment = fields({
  ...{ amount, merchantAccount: text(), reference: text(80), returnUrl: text(8000) },
  paymentMethod: fields({
    ...{ type: anyOf('scheme'), number: text(/^\d{12,19}$/), expiryMonth: text(/^\d\d$/) },
    ...{ expiryYear: text(/^20\d\d$/), 'cvc?': text(/^\d{3,4}$/), 'holderName?': text(15_000) },
    'networkPaymentReference?': text(),
  }),
  'additionalData?': additionalData,
  'authenticationData?': fields({
    'attemptAuthentication?': anyOf('always', 'never'),
    'threeDSRequestData?': fields({ nativeThreeDS: anyOf('preferred', 'disabled') }),
  }),
  'billingAddress?': fields({
    ...{ city: text(3000), country: text(/^[A-Z]{2}$/), houseNumberOrName: text(3000), street: text(3000) },
    ...{ postalCode: text(10), 'stateOrProvince?': text(/^[A-Z]{2,3}$/) },
  }),
  'browserInfo?': either(fields(browserInfo), fields({ acceptHeader: text(), userAgent: text() })),
  'captureDelayHours?': whole,
  channel: anyOf('iOS', 'Android', 'Web'),
  'metadata?': texts(80),
  'mpiData?': fields({
    ...{ 'authenticationResponse?': anyOf('Y', 'N', 'U', 'A'), cavv: text(100), dsTransID: text(100) },
    ...{
      'challengeCancel?': text(/^0[1-7]$/),
      directoryResponse: text(/^[ACDINRUY]$/),
      'eci?': text(/^0[124567]$/),
    },
    ...{ threeDSVersion: text(/^2\.\d\.\d$/), 'transStatusReason?': text(/^\d\d$/) },
  }),
  'recurringProcessingModel?': anyOf('CardOnFile', 'Subscription', 'UnscheduledCardOnFile'),
  ...{ 'shopperEmail?': text(300), 'shopperIP?': text(1000), 'telephoneNumber?': text(/^\+?[\d ]{1,20}$/) },
  shopperInteraction: anyOf('Ecommerce', 'ContAuth', 'Moto', 'POS'),
  'shopperName?': fields({ firstName: text(80), lastName: text(80) }),
  'shopperStatement?': text(/^(?=.*[A-Za-z])[\w .,'?+*/-]{1,22}$/),
});

export const adyenResultCodes = [
  ...['AuthenticationFinished', 'AuthenticationNotRequired', 'Authorised', 'Cancelled', 'ChallengeShopper', 'Error'],
  ...['IdentifyShopper', 'PartiallyAuthorised', 'Pending', 'PresentToShopper', 'Received', 'RedirectShopper'],
  ...['Refused', 'Success'],
] as const;
const paid = fields({
  resultCode: anyOf(...adyenResultCodes),
  ...{ 'pspReference?': text(/^[A-Z0-9]{16}$/), 'merchantReference?': text(80), 'additionalData?': texts() },
  ...{ 'refusalReason?': text(), 'refusalReasonCode?': text(/^\d+$/) },
  'action?': fields({ type: anyOf('redirect'), method: anyOf('GET', 'POST'), url: text(), paymentMethodType: text() }),
});

const modification = (more: Readonly<Record<string, Schema>>) => ({
  headers: onceKey,
  body: fields({ merchantAccount: text(), 'reference?': text(80), ...more }),
});
const received = (more: Readonly<Record<string, Schema>>) => ({
  201: fields({
    ...{ merchantAccount: text(), pspReference: text(/^[A-Z0-9]{16}$/), 'reference?': text(80) },
    ...{ status: anyOf('received'), ...more },
  }),
  ...failed,
});
const later = { paymentPspReference: text(/^[A-Z0-9]{16}$/) };

const result = fields({ success: flag, 'errorMessage?': text() });
const dispute = (more: Readonly<Record<string, Schema>>, answer: Readonly<Record<string, Schema>> = {}) => ({
  headers: key,
  body: fields({ disputePspReference: text(), merchantAccountCode: text(), ...more }),
  answers: { 200: fields({ disputeServiceResult: result, ...answer }), ...failed },
});
export const adyenRequirementLevels = ['Required', 'Optional', 'AlternativeRequired'] as const;
const disputes = '/ca/services/DisputeService/v30';

/** The calls of the Checkout API and the Disputes API. */
export const adyenCalls: Contract = {
  source:
    'https://github.com/Adyen/adyen-openapi, json/CheckoutService-v71.json and DisputeService-v30.json at aa014f0',
  version: 'Checkout v71, Disputes v30',
  date: '2026-07-01',
  checked: '2026-11-28',
  files: { '/v71': 'adyen/CheckoutService-v71.json', [disputes]: 'adyen/DisputeService-v30.json' },
  differs: [
    {
      problem: /request \/browserInfo must have required property/,
      reason:
        'a redirect needs two of its fields: https://docs.adyen.com/online-payments/3d-secure/redirect-3ds2/web-redirect',
    },
  ],
  calls: {
    'POST /v71/payments': { headers: onceKey, body: payment, answers: { 200: paid, ...failed } },
    'POST /v71/payments/details': {
      headers: onceKey,
      body: fields({ details: fields({ redirectResult: text() }) }),
      answers: { 200: paid, ...failed },
    },
    'POST /v71/paymentMethods': {
      headers: key,
      body: fields({ merchantAccount: text() }),
      answers: { 200: fields({ paymentMethods: list(fields({ type: text(), 'name?': text() })) }), ...failed },
    },
    'POST /v71/cancels': {
      ...modification({ paymentReference: text(80) }),
      answers: received({ paymentReference: text(80) }),
    },
    'POST /v71/payments/{psp}/captures': { ...modification({ amount }), answers: received({ amount, ...later }) },
    'POST /v71/payments/{psp}/refunds': { ...modification({ amount }), answers: received({ amount, ...later }) },
    'POST /v71/payments/{psp}/cancels': { ...modification({}), answers: received(later) },
    'POST /v71/payments/{psp}/reversals': { ...modification({}), answers: received(later) },
    [`POST ${disputes}/acceptDispute`]: dispute({}),
    [`POST ${disputes}/defendDispute`]: dispute({ defenseReasonCode: text() }),
    [`POST ${disputes}/deleteDisputeDefenseDocument`]: dispute({ defenseDocumentType: text() }),
    [`POST ${disputes}/supplyDefenseDocument`]: dispute({
      defenseDocuments: list(
        fields({
          content: text(/^[A-Za-z0-9+/]+=*$/),
          contentType: anyOf('application/pdf', 'image/jpeg', 'image/tiff'),
          defenseDocumentTypeCode: text(),
        }),
      ),
    }),
    [`POST ${disputes}/retrieveApplicableDefenseReasons`]: dispute(
      {},
      {
        'defenseReasons?': list(
          fields({
            ...{ defenseReasonCode: text(), satisfied: flag },
            defenseDocumentTypes: list(
              fields({
                ...{ available: flag, defenseDocumentTypeCode: text() },
                requirementLevel: anyOf(...adyenRequirementLevels),
              }),
            ),
          }),
        ),
      },
    ),
  },
};
