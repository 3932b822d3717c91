import type { IncomingHttpHeaders } from 'node:http';

const isLoopback = (url: string): boolean => {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
};

/**
 * Why a call that came over loopback may still be refused, in a sentence: a page in this machine's browser that found a
 * name for the address, or that calls across origins. Undefined: it is taken.
 */
export const foreignCallProblem = ({ host = '', origin }: IncomingHttpHeaders): string | undefined => {
  if (!isLoopback(`http://${host}`)) return 'Call the local stack by a loopback address.';
  if (origin !== undefined && !isLoopback(origin)) return 'The local stack takes no calls from other origins.';
  return undefined;
};
