import * as v from 'valibot';
import { CreatedAtReply, MerchantIdReply, PlainNameReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { permissions } from '#core/platform/operation/operation.ts';
import { ipRangeOf } from './ip-range.ts';

const maxSites = 50;
const maxRanges = 20;
const maxDays = 3650;

export const ApiKeyIdReply = count('The key’s number. It is part of the key and is not secret.');

const IpRange = v.pipe(
  Text(50),
  v.check((text) => ipRangeOf(text) !== undefined, 'must be an IP address or a range such as 203.0.113.0/24'),
  v.transform((text) => ipRangeOf(text) ?? text),
);

export const NewApiKeyFields = {
  mid: v.optional(describeField(Id, 'The merchant; required for operators.')),
  name: describeField(Text(100), 'A name for the key, such as the program that uses it.'),
  permissions: v.pipe(
    v.array(v.picklist(permissions, `must be one of ${permissions.join(', ')}`), 'must be a list'),
    v.minLength(1, 'must name at least one permission'),
    v.maxLength(permissions.length, 'has too many entries'),
    v.description(
      'The permissions of the key. `settings:money`, `settings:data` and `settings:secrets` allow changes that divert money, data or secrets.',
    ),
  ),
  sites: v.optional(
    v.pipe(
      v.array(Id, 'must be a list'),
      v.minLength(1, 'must name at least one site'),
      v.maxLength(maxSites, `must have at most ${maxSites} entries`),
      v.description('The only sites that the key may see. Absent: all sites of the merchant.'),
    ),
  ),
  ip_ranges: v.optional(
    v.pipe(
      v.array(IpRange, 'must be a list'),
      v.minLength(1, 'must name at least one range'),
      v.maxLength(maxRanges, `must have at most ${maxRanges} entries`),
      v.description('The only addresses from which the key may be used, in CIDR notation. Absent: any address.'),
    ),
  ),
  valid_days: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(maxDays, `must be at most ${maxDays}`),
      v.description('The number of days after which the key expires. Absent: never.'),
    ),
  ),
};

const optionalTime = (words: string) => describeField(v.nullable(v.string()), words);

/** A key as lists show it. */
export const ApiKeyDto = v.object({
  id: ApiKeyIdReply,
  mid: MerchantIdReply,
  name: PlainNameReply,
  permissions: describeField(v.array(v.picklist(permissions)), 'The permissions of the key.'),
  sites: describeField(v.nullable(v.array(v.number())), 'The only sites that the key may see; null: all.'),
  ip_ranges: describeField(
    v.array(v.string()),
    'The addresses from which the key may be used, in CIDR notation; empty: any.',
  ),
  created_at: CreatedAtReply,
  created_by: describeField(v.string(), 'The username of the person who created it.'),
  expires_at: optionalTime('When it expires (ISO 8601, UTC); null: never.'),
  revoked_at: optionalTime('When it was revoked (ISO 8601, UTC).'),
  last_used_at: optionalTime('When it was last used (ISO 8601, UTC), accurate to an hour.'),
});
