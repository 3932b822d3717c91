import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from '#core/kernel/addresses.ts';
import { isLoopbackHost, type WebhookUrlRules } from '#core/kernel/webhook-url.ts';
import type { ErrorClass } from './error-class.ts';

/** All addresses of a name. Throws or answers none if it has none. */
type HostLookup = (hostname: string) => Promise<readonly string[]>;

/** `lookup`: replaces the name servers, in tests. */
export type LookupRules = WebhookUrlRules & { lookup?: HostLookup };

export class SendError extends Error {
  override readonly name = 'SendError';
  readonly errorClass: ErrorClass;
  constructor(errorClass: ErrorClass, options?: ErrorOptions) {
    super(errorClass, options);
    this.errorClass = errorClass;
  }
}

/**
 * Asks the name servers directly: unlike getaddrinfo it takes no thread of the pool while it waits, so slow name servers
 * of one merchant do not hold up the others, and it knows neither a hosts file nor search domains.
 */
const systemLookup = (): HostLookup => {
  const resolver = new Resolver({ timeout: 2000, tries: 3 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
};

/** A name with even one forbidden address is refused as a whole: which address is used is not left to chance. */
const addressesFor = async (hostname: string, lookup: HostLookup, mayConnect: (address: string) => boolean) => {
  const addresses = await lookup(hostname).catch((cause: unknown) => {
    throw new SendError('dns', { cause });
  });
  if (addresses.length === 0) throw new SendError('dns');
  if (!addresses.every(mayConnect)) throw new SendError('address_refused');
  return addresses.map((address) => ({ address, family: isIP(address) }));
};

const loopbackLookup: HostLookup = async () => ['127.0.0.1', '::1'];

/**
 * A lookup of names that returns allowed addresses only, and whether an address of a host may be connected to: literal addresses need no
 * lookup and must be checked by the caller. Addresses are looked up once per connection, and only those that were checked are
 * connected to, so an answer that changes in between has no effect.
 */
export const guardedLookup = (rules: LookupRules) => {
  const named = rules.lookup ?? systemLookup();
  const mayConnect = (hostname: string, address: string): boolean =>
    isPublicAddress(address) || (rules.allowLoopbackHttp && isLoopbackHost(hostname) && isLoopbackAddress(address));
  const lookup: LookupFunction = (hostname, options, callback) => {
    const source = isLoopbackHost(hostname) ? loopbackLookup : named;
    addressesFor(hostname, source, (address) => mayConnect(hostname, address)).then(
      (addresses) =>
        options.all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      (error: Error) => callback(error, ''),
    );
  };
  return { lookup, mayConnect };
};
