/**
 * Why an attempt failed although, or before, a status was seen:
 * - `url_refused`, `address_refused`: not called, because the URL or an address of its host is not allowed;
 * - `request_invalid`: not called, because a header cannot be sent (a token with a line break, say);
 * - `dns`, `connect`, `tls`: no connection; `reset`: the connection ended before the reply did;
 * - `redirect`: a 3xx, which is not followed; `protocol`: the reply is not HTTP/1.1;
 * - `timeout`: the reply was not complete in time.
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
