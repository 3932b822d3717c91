import { ipNetwork, toMailbox } from '../check/subject.ts';

/** How the entries of a list are compared with a payer. Pure. */

/** The mark of an entry for all addresses of a domain: `*@example.com`. */
export const anyMailbox = '*@';

/** An address by its mailbox, so that an entry also applies to its other spellings; or a whole domain. */
export const matchesEmail = (entry: string, email: string): boolean =>
  entry.startsWith(anyMailbox)
    ? toMailbox(email).endsWith(entry.slice(1)) || email.endsWith(entry.slice(1))
    : toMailbox(entry) === toMailbox(email);

type Bits = { value: bigint; size: 32 | 128 };

const ipv6Groups = (ip: string): string[] => {
  const [head = '', tail] = ip.split('::');
  const [before, after] = [head, tail ?? ''].map((side) => side.split(':').filter((part) => part !== ''));
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  return [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])];
};

/** `ip`: in canonical form. */
const ipBits = (ip: string): Bits =>
  ip.includes(':')
    ? { value: ipv6Groups(ip).reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n), size: 128 }
    : { value: ip.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n), size: 32 };

/** An address, which for IPv6 stands for its network of 64 bits, as one customer has all of it; or a network such as `203.0.113.0/24`. */
export const matchesIp = (entry: string, ip: string): boolean => {
  const [address = '', length] = entry.split('/');
  if (length === undefined) return ipNetwork(address) === ipNetwork(ip);
  const [network, own] = [ipBits(address), ipBits(ip)];
  const rest = BigInt(network.size - Number(length));
  return network.size === own.size && network.value >> rest === own.value >> rest;
};

/** The first six or eight digits. */
export const matchesBin = (
  entry: string,
  { first6, bin }: { first6: string; bin: string | null | undefined },
): boolean => (entry.length === 6 ? entry === first6 : bin?.startsWith(entry) === true);
