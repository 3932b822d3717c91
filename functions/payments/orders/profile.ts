import { type Letterhead, toLetterheadDto } from '#accounts/merchants/settings/letterhead.ts';
import type { OrderProfile, ShopProfile } from '#accounts/merchants/settings/order-profile.ts';
import { type OrderSource, toSourceDto } from './source/order-source.ts';

/** A shop's profile: how it changes, and on the wire. */

type Changes = { [K in keyof ShopProfile]?: ShopProfile[K] | null } & { retain_days?: number | undefined };

/** Each order has a copy, which must be a small part of it. */
const maxBytes = 1024;

/** The profile after a change; or what is wrong with it, in words that begin with the field's name. */
export const changedProfile = (before: OrderProfile, { retain_days, ...changes }: Changes): OrderProfile | string => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...before.profile, ...Object.fromEntries(given) });
  const profile: ShopProfile = Object.fromEntries(merged.filter(([, value]) => value !== null));
  const bytes = Buffer.byteLength(JSON.stringify(profile));
  if (bytes > maxBytes) return `profile: has ${bytes} bytes; at most ${maxBytes} are allowed`;
  return { ...before, profile, retainDays: retain_days ?? before.retainDays };
};

export const toProfileDto = (
  { profile: { address, ...profile }, retainDays }: OrderProfile,
  source: OrderSource | undefined,
  letterhead: Letterhead,
) => ({
  ...profile,
  ...toLetterheadDto(letterhead),
  ...(address && {
    address: Object.fromEntries(
      Object.entries(address).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ),
  }),
  retain_days: retainDays,
  order_source: toSourceDto(source),
});
