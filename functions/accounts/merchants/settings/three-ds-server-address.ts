/** https://docs.3dsecure.io: hosts of the sandbox and of production. */
const serverHosts = {
  default: 'https://service.3dsecure.io',
  all: ['service.3dsecure.io', 'service.sandbox.3dsecure.io'],
};

export const threeDsServerWords = `must be https://${serverHosts.all.join(' or https://')}`;

/**
 * The origin of the 3DS server that a setting names, with or without `https://`; without a text, the provider's own. Undefined if it is not
 * the provider's: cards are sent there.
 */
export const threeDsServerUrl = (
  text: string,
  { allowLoopbackHttp }: { allowLoopbackHttp: boolean },
): string | undefined => {
  const url = URL.parse(text === '' || /^[a-z]+:\/\//i.test(text) ? text || serverHosts.default : `https://${text}`);
  if (url?.username !== '') return undefined;
  const isKnown = url.protocol === 'https:' && url.port === '' && serverHosts.all.includes(url.hostname);
  const isLocal = allowLoopbackHttp && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return isKnown || isLocal ? url.origin : undefined;
};
