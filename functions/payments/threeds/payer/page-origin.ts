/** Describes the problem of the origin of a payer's page, in words that follow the field's name; undefined if there is none. */
export const pageOriginProblem = (text: string, allowLoopbackHttp: boolean): string | undefined => {
  const url = URL.parse(text);
  const isLocal = allowLoopbackHttp && ['127.0.0.1', '[::1]', 'localhost'].includes(url?.hostname ?? '');
  if (
    url &&
    url.origin === text &&
    !text.includes('*') &&
    (url.protocol === 'https:' || (isLocal && url.protocol === 'http:'))
  )
    return undefined;
  return 'must be an origin such as https://shop.example.com: https, without a path or a wildcard';
};
