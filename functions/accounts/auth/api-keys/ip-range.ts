import ipaddr from 'ipaddr.js';

/** A range of addresses, or one address, in CIDR notation; undefined if the text is neither. The bits after the prefix become zero. */
export const ipRangeOf = (text: string): string | undefined => {
  const written = text.trim();
  if (ipaddr.isValidCIDR(written)) return rangeText(...ipaddr.parseCIDR(written));
  // `isValid` also accepts spellings of IPv4 that no caller's address has, such as 1 for 0.0.0.1.
  if (!ipaddr.IPv4.isValidFourPartDecimal(written) && !ipaddr.IPv6.isValid(written)) return undefined;
  const address = ipaddr.parse(written);
  return rangeText(address, address.kind() === 'ipv4' ? 32 : 128);
};

const rangeText = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string => {
  const cidr = `${address.toString()}/${bits}`;
  const network =
    address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return `${network.toString()}/${bits}`;
};
