import { BlockList, isIP } from 'node:net';

const ipFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Checks whether one of the ranges, in CIDR notation, contains an address. Returns false for text that is not an address. */
export const isInRanges = (address: string, ranges: readonly string[]): boolean => {
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [start = '', bits] = range.split('/');
    list.addSubnet(start, Number(bits), ipFamily(start));
  }
  return list.check(address, ipFamily(address));
};
