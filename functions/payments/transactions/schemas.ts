import * as v from 'valibot';
import { Callable } from '#accounts/merchants/settings/url-schema.ts';
import {
  AmountNumberReply,
  AuthenticationIdReply,
  CreatedAtReply,
  CurrencyReply,
  ErrorCodeReply,
  ErrorMsgReply,
  FraudCheckIdReply,
  ScoreReply,
  SiteIdReply,
  TransactionIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';
import { decisions } from '#payments/fraud/check/fraud-decision.ts';
import {
  AmountText,
  CardType,
  CurrencyCode,
  cardFields,
  cartAmounts,
  cartFields,
  HashTimestamp,
  JsonObject,
  Maybe,
  MaybeHash,
  payeeFields,
  payerFields,
  referenceFields,
  shippingFields,
} from '#payments/payments/request-schemas.ts';
import { declineCodes } from '#payments/processors/decline-codes.ts';
import {
  IdField,
  OwnReferenceReply,
  ParentTxidReply,
  StatusReply,
  TidReply,
  TxActionReply,
  threeDsReplyFields,
} from './field-schemas.ts';

/** The gateway's tree has one variable per level: here it is the site's number, or a transaction's. */
export const TransactionIdPath = v.object({ id: IdField });

/** Each code with its meaning and what to do about it. */
const declineWords = Object.entries(declineCodes).map(([code, { msg, advice }]) => `\`${code}\`: ${msg} (${advice})`);

/** The additional fields of a converted payment, or of a refund of one. */
export const conversionFields = {
  original_amount: v.optional(
    count('Of a converted payment: what the payer was asked for; `amount` is what is charged.'),
  ),
  original_currency: describeField(v.optional(v.string()), 'The currency that was asked for, where it was converted.'),
  fxrate: v.optional(count('The rate it was converted at, margin included.')),
} as const;

/** The fields of every result. */
export const resultFields = {
  sid: SiteIdReply,
  tid: TidReply,
  txid: TransactionIdReply,
  parent_txid: ParentTxidReply,
  status: StatusReply,
  tx_action: TxActionReply,
  amount: AmountNumberReply,
  amount_text: text('The amount with all decimals of its currency, as `vrfy` is made with it.'),
  currency: CurrencyReply,
  reference: text('Your own reference, returned as it is.'),
  ref1: OwnReferenceReply,
  ref2: OwnReferenceReply,
  ref3: OwnReferenceReply,
  ref4: OwnReferenceReply,
  error_code: v.optional(text(`When status is EXC. ${declineWords.join('; ')}.`)),
  error_msg: v.optional(ErrorMsgReply),
  next_action: describeField(
    v.optional(
      v.variant('type', [
        v.object({
          type: describeField(v.literal('redirect'), 'What the payer has to do: follow a link, or give a code.'),
          url: text('Where to send the payer’s browser.'),
        }),
        v.object({
          type: describeField(v.literal('otp'), 'What the payer has to do: follow a link, or give a code.'),
          channel: text('Where the code was sent: SMS.'),
          url: v.optional(text('A page where the payer enters the code, for shops that have none.')),
          tries_left: v.optional(count('Where the processor says so.')),
        }),
      ]),
    ),
    'What the payer has to do before the payment goes on; null if nothing.',
  ),
  ...conversionFields,
  fraud: v.optional(
    describeField(
      v.object({
        fraud_id: FraudCheckIdReply,
        score: ScoreReply,
        decision: describeField(v.picklist(decisions), 'ACCEPT, REVIEW, REJECT or 3DS.'),
      }),
      'Of a payment that was assessed: REVIEW is for the merchant to look at before anything is sent.',
    ),
  ),
  three_ds: v.optional(
    describeField(
      v.object({
        ...threeDsReplyFields,
        authentication_id: v.optional(AuthenticationIdReply),
        outcome: describeField(v.optional(v.string()), 'The result of the authentication.'),
        liability_shift: describeField(
          v.optional(v.boolean()),
          'Whether the issuer is expected to bear a fraud chargeback.',
        ),
      }),
      'The authentication that the payment was made with. `verified`: it took place here, and was looked up; `merchant`: ' +
        'the values are the merchant’s own word.',
    ),
  ),
  vrfy: text('sha256 of `sid;rcode;txid;status;amount_text;currency;tx_action`.'),
} as const;

export const TransactionResultSchema = v.object(resultFields);

const Decimals = v.string();

/** A transaction with what became of its payment since. */
export const TransactionStatus = v.object({
  ...resultFields,
  captured: describeField(
    Decimals,
    'What was captured of the payment, whichever of its transactions is asked about; with all decimals of its currency.',
  ),
  refunded: describeField(
    Decimals,
    'What was refunded of the payment, whichever of its transactions is asked about; with all decimals of its currency.',
  ),
  refundable: describeField(Decimals, 'What can be refunded without naming an alert.'),
  children: describeField(
    v.array(
      v.object({
        txid: TransactionIdReply,
        tx_action: TxActionReply,
        status: StatusReply,
        amount: AmountNumberReply,
        amount_text: describeField(Decimals, 'The amount with all decimals of its currency.'),
        currency: CurrencyReply,
        tid: TidReply,
        error_code: v.optional(ErrorCodeReply),
        error_msg: v.optional(ErrorMsgReply),
        created_at: CreatedAtReply,
      }),
    ),
    'Of a payment: its captures, refunds and voids, oldest first, up to a hundred.',
  ),
});

const signed = {
  hash: MaybeHash,
  timestamp: HashTimestamp,
} as const;
const PostbackUrl = v.pipe(
  AnyText,
  v.trim(),
  v.minLength(1, 'is required'),
  v.maxLength(2048, 'must have at most 2048 characters'),
  Callable,
  v.description('Where the result is posted; https.'),
);
const chargeActions = ['PAYMENT', 'PREAUTH'] as const;

const chargeFields = {
  ...signed,
  ...referenceFields,
  card_type: describeField(CardType, 'How it is paid: a `paymethod` of the payment options, such as VISA.'),
  ...cardFields,
  ...payerFields,
  ...shippingFields,
  ...cartFields,
  currency: describeField(CurrencyCode, 'ISO 4217, three letters.'),
  tx_action: describeField(
    v.picklist(chargeActions, `must be one of ${chargeActions.join(', ')}`),
    'What is done: PAYMENT, PREAUTH, CAPTURE, REFUND, VOID or PAYOUT.',
  ),
  postback_url: PostbackUrl,
  return_url: Maybe(
    describeField(
      PostbackUrl,
      'Where a payer is sent from our pages once the result of the payment is known, with `txid` and `status`.',
    ),
  ),
} as const;

/** The body of a charge, which reports wrong amounts of its cart together with all other problems. */
const chargeBody = <const E extends v.ObjectEntries>(entries: E) =>
  namingAmounts(v.object(entries), ...cartAmounts('currency'));

export const SingleTxBody = chargeBody({
  ...chargeFields,
  dynamic_descriptor: describeField(
    Maybe(v.pipe(Text(22), v.regex(/^[\x20-\x7e]+$/, 'must be plain ASCII'))),
    'What the statement should say, where the processor allows it.',
  ),
  threeDSecure: Maybe(
    describeField(
      JsonObject,
      '`{"authentication_id": …}`, as the SDK answers it: the authentication is looked up, has to fit the payment (merchant, card, ' +
        'currency, amount, 24 hours), is used once, and nothing else in here is read. Or the values of an authentication that ' +
        'took place elsewhere, by EMVCo’s names: messageVersion, dsTransID, authenticationValue, eci and transStatus.',
    ),
  ),
  device_info: describeField(
    Maybe(JsonObject),
    'JSON about the payer’s device, for the fraud check. With userAgent, language, colorDepth, screenHeight, screenWidth and ' +
      'timezone of the payer’s browser, a processor that authenticates the payer tells the issuer of it.',
  ),
});

/** As singletx, but for what the interface leaves out. */
const { item_no: _, ...convertFields } = chargeFields;
export const ConvertNPayBody = chargeBody(convertFields);

export const PayoutBody = namingAmounts(
  v.object({
    ...signed,
    ...referenceFields,
    ...cardFields,
    ...payeeFields,
    amount: describeField(v.optional(AmountText, '0'), 'A decimal with as many places as the currency has.'),
    currency: describeField(CurrencyCode, 'ISO 4217, three letters.'),
    postback_url: PostbackUrl,
  }),
  ['amount', 'currency'],
);

export const StatusQuery = v.object({
  id: IdField,
  hash: MaybeHash,
});
export const TidQuery = v.object({
  ...StatusQuery.entries,
  tid: v.pipe(
    AnyText,
    v.minLength(1, 'is required'),
    v.maxLength(100, 'must have at most 100 characters'),
    v.description('Your reference of the transaction, as it was sent.'),
  ),
});
