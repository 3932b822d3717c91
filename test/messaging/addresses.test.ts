import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from '#core/kernel/addresses.ts';
import { notPublicAddresses } from '#test/support/hostile-receiver.ts';

describe('public addresses', () => {
  it.each(notPublicAddresses)('%s is not one', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.255.255',
    '192.167.255.255',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2A00:1450:4001:0829:0000:0000:0000:200e',
    '2400:cb00:2048:1::c629:d7a2',
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', 'example.com', '[::1]', '[2606:4700:4700::1111]', '8.8.8.8:443', '8.8.8.8/32', ' 8.8.8.8'])(
    '%j is no address at all',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it.each(['134744072', '0x8.8.8.8', '010.8.8.8', '8.8', '2606:4700:4700::1111%eth0'])(
    '%s is not taken, since not every reader would agree on what it means',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

describe('loopback addresses', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('%s is one', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });

  it.each(['::ffff:127.0.0.1', '0.0.0.0', '::', '128.0.0.1', '10.0.0.1', 'localhost', '127.1', '64:ff9b::7f00:1'])(
    '%s is none',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});
