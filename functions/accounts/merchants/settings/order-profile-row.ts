import * as v from 'valibot';
import { numbers, optionalTexts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Site } from '../site/site.ts';
import { defaultRetainDays, type OrderProfile } from './order-profile.ts';

/** The parts of an address that shops and orders have in common. */
export const PlaceShape = v.looseObject({
  ...optionalTexts('address', 'suburb_city', 'state', 'country', 'postcode'),
});

export const ShopProfileShape = v.looseObject({
  ...optionalTexts('display_name', 'logo_url', 'support_email', 'support_phone', 'support_url', 'refund_policy'),
  ...optionalTexts('refund_policy_url', 'terms_url', 'cancellation_policy_url'),
  address: v.exactOptional(PlaceShape),
  geo: v.exactOptional(v.looseObject({ latitude: v.number(), longitude: v.number() })),
});

const ProfileRow = defineRow<OrderProfile>({
  entity: 'ORDER_PROFILE',
  attribute: null,
  schema: v.looseObject({
    ...numbers('sid', 'mid', 'rid', 'retainDays', 'version'),
    profile: ShopProfileShape,
  }),
});

export const toOrderProfileItem = (own: OrderProfile): Item => ({
  ...keys.orderProfile(own.sid),
  ...ProfileRow.stamp,
  ...own,
});

/** Reads a site's profile back; undefined where the site keeps no orders. */
export const fromOrderProfileItem = (item: Item | undefined): OrderProfile | undefined => {
  const row = ProfileRow.find(item);
  if (!row) return undefined;
  const { sid, mid, rid, profile, retainDays, version } = row;
  return { sid, mid, rid, profile, retainDays, version };
};

/** The condition that a profile is unchanged since it was read. */
export const unchangedProfile = ({ version }: OrderProfile) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

/** Checks whether a merchant keeps its orders for banks to see. */
export const keepsOrders = ({ profile }: Pick<Merchant, 'profile'>): boolean => profile['order_insights'] === true;

/** A shop's profile before its merchant sets one; not written yet. */
export const firstOrderProfile = ({
  sid,
  mid,
  rid,
  name,
}: Pick<Site, 'sid' | 'mid' | 'rid' | 'name'>): OrderProfile => ({
  sid,
  mid,
  rid,
  profile: { display_name: [...name].slice(0, 60).join('') },
  retainDays: defaultRetainDays,
  version: 0,
});

/**
 * The part of a transaction that gives a profile to a new site of a merchant that keeps orders. For a site without one, payments
 * store no orders and alerts look for none.
 */
export const firstOrderProfileWrites = (merchant: Merchant, site: Site): Write[] =>
  keepsOrders(merchant) ? [{ Put: { Item: toOrderProfileItem({ ...firstOrderProfile(site), version: 1 }) } }] : [];

/** The providers that ask for orders by a merchant's `oi_merchant_id`. */
const orderClientProviders = ['provider_a', 'provider_b'] as const;

const ClientRow = defineRow<{ mid: number; enabled: boolean }>({
  entity: 'ORDERCLIENT',
  attribute: null,
  schema: v.looseObject({ mid: v.number(), enabled: v.boolean() }),
});

/** The parts that register a merchant's name at these providers. Their conditions fail if another merchant has the name. */
export const orderClientWrites = ({ mid, profile }: Merchant): Write[] => {
  const clientId = profile['oi_merchant_id'];
  if (typeof clientId !== 'string' || clientId === '') return [];
  return orderClientProviders.map((provider) => ({
    Put: {
      Item: {
        ...keys.orderClient(provider, clientId),
        ...ClientRow.stamp,
        mid,
        enabled: keepsOrders({ profile }),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR #mid = :mid',
      ExpressionAttributeNames: { '#mid': 'mid' },
      ExpressionAttributeValues: { ':mid': mid },
    },
  }));
};

/** Which merchant a provider means, and whether its orders may be looked up. */
export const fromOrderClientItem = ClientRow.find;
