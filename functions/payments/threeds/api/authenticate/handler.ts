import { endpoint } from '#core/platform/http/http.ts';
import { askIssuer } from '../../payer/authenticate-flow.ts';
import { authenticate3dsOperation } from './operation.ts';

export const handler = endpoint(authenticate3dsOperation, ({ params: { id }, body, headers, sourceIp, baseUrl }) => {
  const { client_token: token, browser, window_size: windowSize, method, ...card } = body;
  const request = { accept: headers['accept'] ?? '', acceptLanguage: headers['accept-language'] ?? '', ip: sourceIp };
  return askIssuer(
    { id, token, origin: headers['origin'] ?? '' },
    { card, browser, request, method, windowSize },
    baseUrl,
  );
});
