import * as v from 'valibot';
import { SidPath } from '#accounts/merchants/schemas.ts';
import { KeptText } from '#core/kernel/schema/card-free.ts';
import { Nested, Text, WholeNumber } from '#core/kernel/schema/schema.ts';
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

export const OrderProfileBody = v.object({
  display_name: clearable(KeptText(60)),
  logo_url: clearable(Link(200)),
  support_email: clearable(Email),
  support_phone: clearable(v.pipe(Phone, Text(30))),
  support_url: clearable(Link(100)),
  address: clearable(Nested(placeFields)),
  geo: clearable(Nested({ latitude: degrees(90), longitude: degrees(180) })),
  refund_policy: clearable(KeptText(250)),
  refund_policy_url: clearable(Link(200)),
  terms_url: clearable(Link(200)),
  cancellation_policy_url: clearable(Link(200)),
  retain_days: v.optional(WholeNumber(30, 1100)),
});

export const setOrderProfile = defineOperation({
  area: 'orders',
  name: 'set-order-profile',
  summary: 'Set how banks show a shop with its orders',
  description:
    'Fields left out stay as they are, null removes a field; at most 1 KB in all. Orders keep the shop as it was when they were ' +
    'stored, and for as many days as `retain_days` said then (550 if never set).',
  method: 'POST',
  path: '/api/v3/site/{sid}/order-profile',
  roles: ['manager'],
  auth: 'bearer',
  params: SidPath,
  body: OrderProfileBody,
  reply: ProfileDto,
  errors: ['site_not_found', 'orders_disabled', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  audit: true,
});
