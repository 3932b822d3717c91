import * as v from 'valibot';
import { SidPath } from '#accounts/merchants/schemas.ts';
import { maxRetainDays } from '#accounts/merchants/settings/order-profile.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText, allowsCardNumbers, LongText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ProfileDto } from '../../dto-schemas.ts';
import { Email, Link, Phone, placeFields } from '../../schemas.ts';

const clearable = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));

const degrees = (most: number) =>
  v.pipe(
    v.number(`must be a number from -${most} to ${most}`),
    v.minValue(-most, `must be at least -${most}`),
    v.maxValue(most, `must be at most ${most}`),
  );

const Key = (words: string, pattern: RegExp) =>
  v.optional(v.pipe(v.string(words), v.regex(pattern, words), allowsCardNumbers('sealed')));

/** Keys of the REST API: https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication-over-https */
const OrderSourceBody = v.variant(
  'kind',
  [
    v.object({
      kind: describeField(v.literal('shopify'), 'A connected shop at Shopify.'),
      connection: describeField(Text(40), 'The connection of the merchant to the shop.'),
    }),
    v.object({
      kind: describeField(v.literal('woocommerce'), 'A shop with WooCommerce.'),
      base_url: v.pipe(
        AnyText,
        v.maxLength(2000, 'must have at most 2000 characters'),
        v.description('The address of the shop, without `/wp-json`; https.'),
      ),
      consumer_key: describeField(
        Key('must be a consumer key of WooCommerce, ck_ and 40 hexadecimal digits', /^ck_[\da-f]{40}$/),
        'The consumer key, with the permission to read. Absent: the stored keys stay.',
      ),
      consumer_secret: describeField(
        Key('must be a consumer secret of WooCommerce, cs_ and 40 hexadecimal digits', /^cs_[\da-f]{40}$/),
        'The consumer secret; never shown again.',
      ),
    }),
  ],
  'must be an object whose kind is shopify or woocommerce',
);

export const OrderProfileBody = v.object({
  display_name: describeField(clearable(Text(60)), 'The name of the shop.'),
  logo_url: describeField(clearable(Link(200)), 'The shop’s logo; https.'),
  support_email: describeField(clearable(Email), 'Where customers are helped by e-mail.'),
  support_phone: describeField(
    clearable(v.pipe(Phone, v.maxLength(30, 'must have at most 30 characters'))),
    'Where customers are helped by telephone.',
  ),
  support_url: describeField(clearable(Link(100)), 'Where customers are helped; https.'),
  address: describeField(clearable(Nested(placeFields)), 'The address of the shop.'),
  geo: describeField(
    clearable(
      Nested({
        latitude: describeField(degrees(90), 'Degrees north.'),
        longitude: describeField(degrees(180), 'Degrees east.'),
      }),
    ),
    'Where the shop is.',
  ),
  refund_policy: describeField(clearable(LongText(250)), 'The refund policy.'),
  refund_policy_url: describeField(clearable(Link(200)), 'Where the refund policy is; https.'),
  terms_url: describeField(clearable(Link(200)), 'Where the terms are; https.'),
  cancellation_policy_url: describeField(clearable(Link(200)), 'Where the cancellation policy is; https.'),
  checkout_terms: describeField(
    clearable(LongText(1000)),
    'How customers agree to the terms at checkout; only in letters to banks.',
  ),
  delivery_terms: describeField(
    clearable(LongText(1000)),
    'What customers are told about delivery; only in letters to banks.',
  ),
  logo: describeField(
    clearable(
      v.pipe(
        v.string('must be base64'),
        v.maxLength(44_000, 'must have at most 32 KB'),
        allowsCardNumbers('bytes of a picture, not text'),
      ),
    ),
    'The logo in letters to banks: a PNG or JPEG of at most 32 KB, in base64.',
  ),
  retain_days: describeField(v.optional(WholeNumber(30, maxRetainDays)), 'For how many days orders are kept.'),
  order_source: describeField(
    clearable(OrderSourceBody),
    'The shop that orders are imported from, every 15 minutes; null: none.',
  ),
});

export const setOrderProfileOperation = defineOperation('orders/set-order-profile', {
  summary: 'Set how banks show a shop with its orders',
  description:
    'Fields left out stay as they are, null removes a field; what orders keep has at most 1 KB in all. Orders keep the shop as it was when they were ' +
    'stored, and for as many days as `retain_days` said then (550 if never set). The first import of an `order_source` reads the orders of ' +
    'the last 120 days. Another address without keys removes the stored ones.',
  method: 'POST',
  path: '/api/v3/site/{sid}/order-profile',
  roles: ['manager'],
  auth: 'bearer',
  permission: 'settings:data',
  siteKeys: 'named',
  params: SidPath,
  body: OrderProfileBody,
  reply: ProfileDto,
  errors: ['site_not_found', 'orders_disabled', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'data',
  auditValues: {
    changed: {
      ...{ display_name: 'value', support_url: 'host', refund_policy_url: 'host', terms_url: 'host' },
      ...{ cancellation_policy_url: 'host', retain_days: 'value', 'order_source.kind': 'value' },
    },
  },
});
