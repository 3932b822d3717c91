import * as v from 'valibot';
import { Callable } from '#accounts/merchants/settings/url-schema.ts';
import { CardFree } from '#core/kernel/schema/card-free.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Id, Text } from '#core/kernel/schema/schema.ts';
import { decisions } from '#payments/fraud/check/decision.ts';
import {
  AmountText,
  CardType,
  CurrencyCode,
  cardFields,
  cartAmounts,
  cartFields,
  Hash,
  HashTimestamp,
  JsonObject,
  Maybe,
  payeeFields,
  payerFields,
  referenceFields,
  shippingFields,
} from '#payments/payments/request-schemas.ts';
import { declineCodes } from '#payments/processors/decline-codes.ts';
import { txActions, txStatuses } from './transaction/transaction.ts';

/** The gateway's tree has one variable per level: here it is the site's number, or a transaction's. */
export const IdPath = v.object({ id: Id });

/** Each code with its meaning and what to do about it. */
const declineWords = Object.entries(declineCodes).map(([code, { msg, advice }]) => `\`${code}\`: ${msg} (${advice})`);

/** What a converted payment, or a refund of one, has besides. */
export const conversionFields = {
  original_amount: v.optional(
    v.pipe(
      v.number(),
      v.description('Of a converted payment: what the payer was asked for; `amount` is what is charged.'),
    ),
  ),
  original_currency: v.optional(v.string()),
  fxrate: v.optional(v.pipe(v.number(), v.description('The rate it was converted at, margin included.'))),
} as const;

/** What every result has. */
export const resultFields = {
  sid: v.number(),
  tid: v.string(),
  txid: v.number(),
  parent_txid: v.number(),
  status: v.picklist(txStatuses),
  tx_action: v.picklist(txActions),
  amount: v.number(),
  amount_text: v.pipe(
    v.string(),
    v.description('The amount with all decimals of its currency, as `vrfy` is made with it.'),
  ),
  currency: v.string(),
  reference: v.string(),
  ref1: v.string(),
  ref2: v.string(),
  ref3: v.string(),
  ref4: v.string(),
  error_code: v.optional(v.pipe(v.string(), v.description(`When status is EXC. ${declineWords.join('; ')}.`))),
  error_msg: v.optional(v.string()),
  next_action: v.optional(
    v.variant('type', [
      v.object({ type: v.literal('redirect'), url: v.string() }),
      v.object({
        type: v.literal('otp'),
        channel: v.string(),
        url: v.optional(
          v.pipe(v.string(), v.description('A page where the payer enters the code, for shops that have none.')),
        ),
        tries_left: v.optional(v.pipe(v.number(), v.description('Where the processor says so.'))),
      }),
    ]),
  ),
  ...conversionFields,
  fraud: v.optional(
    v.pipe(
      v.object({ fraud_id: v.number(), score: v.number(), decision: v.picklist(decisions) }),
      v.description('Of a payment that was assessed: REVIEW is for the merchant to look at before anything is sent.'),
    ),
  ),
  three_ds: v.optional(
    v.pipe(
      v.object({
        source: v.picklist(['verified', 'merchant']),
        transStatus: v.nullable(v.string()),
        eci: v.nullable(v.string()),
        authentication_id: v.optional(v.number()),
        outcome: v.optional(v.string()),
        liability_shift: v.optional(v.boolean()),
      }),
      v.description(
        'The authentication that the payment was made with. `verified`: it took place here, and was looked up; `merchant`: ' +
          'the values are the merchant’s own word.',
      ),
    ),
  ),
  vrfy: v.pipe(v.string(), v.description('sha256 of `sid;rcode;txid;status;amount_text;currency;tx_action`.')),
} as const;

export const TransactionResult = v.object(resultFields);

const Decimals = v.string();
const paymentAmounts =
  'Of the payment, whichever of its transactions was asked about; with all decimals of its currency.';

/** A transaction with what became of its payment since. */
export const TransactionStatus = v.object({
  ...resultFields,
  captured: v.pipe(Decimals, v.description(paymentAmounts)),
  refunded: v.pipe(Decimals, v.description(paymentAmounts)),
  refundable: v.pipe(Decimals, v.description('What can be refunded without naming an alert.')),
  children: v.pipe(
    v.array(
      v.object({
        txid: v.number(),
        tx_action: v.picklist(txActions),
        status: v.picklist(txStatuses),
        amount: v.number(),
        amount_text: Decimals,
        currency: v.string(),
        tid: v.string(),
        error_code: v.optional(v.string()),
        error_msg: v.optional(v.string()),
        created_at: v.string(),
      }),
    ),
    v.description('Of a payment: its captures, refunds and voids, oldest first, up to a hundred.'),
  ),
});

const signed = { hash: Hash, timestamp: HashTimestamp } as const;
const PostbackUrl = v.pipe(
  v.string('must be text'),
  v.trim(),
  v.minLength(1, 'is required'),
  v.maxLength(2048, 'must have at most 2048 characters'),
  CardFree,
  Callable,
);
const chargeActions = ['PAYMENT', 'PREAUTH'] as const;

const chargeFields = {
  ...signed,
  ...referenceFields,
  card_type: CardType,
  ...cardFields,
  ...payerFields,
  ...shippingFields,
  ...cartFields,
  currency: CurrencyCode,
  tx_action: v.picklist(chargeActions, `must be one of ${chargeActions.join(', ')}`),
  postback_url: PostbackUrl,
  return_url: Maybe(
    v.pipe(
      PostbackUrl,
      v.description(
        'Where a payer is sent from our pages once the result of the payment is known, with `txid` and `status`.',
      ),
    ),
  ),
} as const;

/** The body of a charge, which names wrong amounts of its cart beside all else that is wrong. */
const chargeBody = <const E extends v.ObjectEntries>(entries: E) =>
  namingAmounts(v.object(entries), ...cartAmounts('currency'));

export const SingleTxBody = chargeBody({
  ...chargeFields,
  dynamic_descriptor: Maybe(v.pipe(Text(22), v.regex(/^[\x20-\x7e]+$/, 'must be plain ASCII'), CardFree)),
  threeDSecure: v.pipe(
    Maybe(JsonObject),
    v.description(
      'JSON. Either `{"authentication_id": …}`, as the SDK returns it: the authentication must fit the payment (merchant, card, ' +
        'currency, amount, 24 hours), is used once, and other fields are ignored. Or the values of an authentication made ' +
        'elsewhere, by EMVCo’s names: `version`, `eci`, `authenticationValue`, `dsTransID`, `transStatus`.',
    ),
  ),
  device_info: Maybe(JsonObject),
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
    amount: v.optional(AmountText, '0'),
    currency: CurrencyCode,
    postback_url: PostbackUrl,
  }),
  ['amount', 'currency'],
);

export const StatusQuery = v.object({ id: Id, hash: Hash });
export const TidQuery = v.object({
  ...StatusQuery.entries,
  tid: v.pipe(
    v.string('must be text'),
    v.minLength(1, 'is required'),
    v.maxLength(100, 'must have at most 100 characters'),
    v.description('Your reference of the transaction, as it was sent.'),
  ),
});
