import ipaddr from 'ipaddr.js';

/** The only IPv6 block allocated for the public Internet (RFC 4291 §2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The address if it is spelled the way resolvers and URL parsers spell it; short, octal or zoned spellings are none. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes('%') && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return undefined;
};

/**
 * Checks whether an IPv4 or IPv6 address, without brackets, belongs to the public Internet. False for everything with a special meaning
 * (private, loopback, link-local, shared, multicast, documentation, …), for IPv6 addresses that stand for an IPv4 one (mapped, compatible,
 * NAT64, 6to4, Teredo), as these lead wherever that one leads, and for what is no address.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
};

/** Checks whether an address is one of this machine's own: 127.0.0.0/8 or ::1. An IPv4-mapped one does not count. */
export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback';
