/**
 * Why an attempt failed although, or before, a status was seen:
 * - `url_refused`, `address_refused`: not called, as the URL or an address its host has is not allowed;
 * - `request_invalid`: not called, as a header cannot be sent (a token with a line break, say);
 * - `dns`, `connect`, `tls`: no connection; `reset`: the connection ended before the reply did;
 * - `redirect`: a 3xx, which is not followed; `protocol`: what came is not HTTP/1.1;
 * - `timeout`: not everything was there in time.
 */
export type ErrorClass =
  | 'url_refused'
  | 'address_refused'
  | 'request_invalid'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'redirect'
  | 'protocol';
