import * as v from 'valibot';
import { AuthenticationIdReply, ExpiresAtReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { namingAmounts } from '#core/kernel/schema/naming.ts';
import { Timestamp, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import {
  AmountText,
  CurrencyCode,
  HashTimestamp,
  JsonObject,
  Maybe,
  MaybeHash,
  payeeFields,
  referenceFields,
  shippingFields,
} from '#payments/payments/request-schemas.ts';
import { challengeWishes, exemptions } from '../../challenge/challenge-wish.ts';
import { ofSite } from '../../declarations.ts';
import { AuthenticationStatusSchema } from '../../schemas.ts';

const challengeWords = `must be one of ${challengeWishes.join(', ')}`;
const exemptionWords = `must be one of ${exemptions.join(', ')}; low_value and recurring are asked for in the payment, not in the authentication`;

const Account = v.pipe(
  JsonObject,
  v.object({
    id: Maybe(Text(64)),
    created_at: Maybe(Timestamp),
    changed_at: Maybe(Timestamp),
    orders_6m: Maybe(WholeNumber(0, 1_000_000)),
  }),
);

/** Only `tid` is kept of the references: the payment has its own. */
const { email, ...payer } = payeeFields;

export const Create3dsBody = namingAmounts(
  v.pipe(
    v.object({
      hash: MaybeHash,
      timestamp: HashTimestamp,
      amount: describeField(AmountText, '0 only where the site authenticates without a payment (messageCategory 02).'),
      currency: describeField(Maybe(CurrencyCode), 'ISO 4217, three letters.'),
      page_origin: v.pipe(
        AnyText,
        v.trim(),
        v.maxLength(300, 'must have at most 300 characters'),
        v.description(
          'Where the SDK runs, such as `https://shop.example.com`; its calls from anywhere else are refused.',
        ),
      ),
      tid: referenceFields.tid,
      ...payer,
      email: Maybe(email),
      ...shippingFields,
      challenge: describeField(
        Maybe(v.picklist(challengeWishes, challengeWords)),
        'Whether a challenge is requested, or how it is shown.',
      ),
      exemption: describeField(
        Maybe(v.picklist(exemptions, exemptionWords)),
        'The exemption from strong authentication that is asked for, or was granted.',
      ),
      account: describeField(
        Maybe(Account),
        'What you know of the customer’s account; helps issuers to do without a challenge.',
      ),
    }),
    v.forward(
      v.partialCheck(
        [['email'], ['phone']],
        ({ email: address, phone }) => address !== undefined || phone !== undefined,
        'is required, or phone',
      ),
      ['email'],
    ),
  ),
  ['amount', 'currency'],
);

export const Create3dsReply = v.object({
  authentication_id: AuthenticationIdReply,
  client_token: text('For the SDK; valid for this authentication only, until `expires_at`.'),
  expires_at: ExpiresAtReply,
  status: AuthenticationStatusSchema,
  sdk: describeField(
    v.object({
      module: text('As an ES module.'),
      script: text('As a script.'),
      integrity: text('For `integrity=`, so that a browser takes this very file.'),
    }),
    'The SDK’s files.',
  ),
});

export const create3dsOperation = defineOperation('threeds/create3ds', {
  ...ofSite,
  signable: true,
  summary: 'Start the authentication of a payer',
  description:
    'For a 3DS site; `hash` is the md5 of sid, timestamp, amount, currency and rcode. The client token goes to the page, where ' +
    'the SDK does the rest; get3ds has the values for `threeDSecure` of singletx. The same `tid` with the same ' +
    'content returns the same authentication, with a new client token.',
  path: '/api/v1/index.php/{id}/create3ds',
  idempotent: true,
  body: Create3dsBody,
  reply: Create3dsReply,
  errors: ['hash_wrong', 'site_not_for_3ds', 'three_ds_settings_missing', 'tid_reused'],
  grants: { table: ['BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['encryption'] },
});
