import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Item, Key } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { defineRow } from '../table/row.ts';
import { type MailAddress, mailFaultReasons } from './mail-address.ts';

const MailAddressRow = defineRow<MailAddress>({
  entity: 'MAIL_ADDRESS',
  attribute: 'known',
  schema: v.looseObject({
    checkedAt: v.string(),
    fault: v.nullable(v.looseObject({ reason: v.picklist(mailFaultReasons), at: v.string() })),
  }),
});

/** By digest: the address names a person. */
export const mailAddressKey = (address: string): Key => keys.mailAddress(sha256(address.trim().toLowerCase()));

/** Two months after the last e-mail nothing is known of an address. */
const keptMilliseconds = 60 * milliseconds.day;

export const toMailAddressItem = (address: string, known: MailAddress): Item => ({
  ...mailAddressKey(address),
  ...MailAddressRow.stamp,
  known,
  ttl: Math.ceil((Date.parse(known.checkedAt) + keptMilliseconds) / 1000),
});

/** Reads one back; undefined if there is none. */
export const fromMailAddressItem = MailAddressRow.find;
