import { getItem, getItems, putItem } from '../table/table.ts';
import type { FaultyAddress, MailAddress } from './mail-address.ts';
import { fromMailAddressItem, mailAddressKey, toMailAddressItem } from './mail-address-row.ts';

export const findMailAddress = async (address: string): Promise<MailAddress | undefined> =>
  fromMailAddressItem(await getItem(mailAddressKey(address)));

export const saveMailAddress = (address: string, known: MailAddress): Promise<void> =>
  putItem(toMailAddressItem(address, known));

/** Those of some addresses to which e-mails do not arrive, in lower case. */
export const readMailFaults = async (addresses: readonly string[]): Promise<FaultyAddress[]> => {
  const emails = [...new Set(addresses.map((one) => one.trim().toLowerCase()).filter((one) => one !== ''))];
  const items = await getItems(emails.map(mailAddressKey));
  return emails.flatMap((email, index) => {
    const fault = fromMailAddressItem(items[index])?.fault;
    return fault ? [{ email, ...fault }] : [];
  });
};
