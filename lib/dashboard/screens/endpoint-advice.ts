import type { DeliveryRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';

type Attempt = Pick<DeliveryRow['attempts'][number], 'status' | 'error'>;

const byError: Readonly<Record<string, string>> = {
  url_refused: translate('Use https on port 443 or 8443 of a public host.'),
  address_refused: translate('The host must have public addresses only.'),
  request_invalid: translate('Set another token, without line breaks and other special characters.'),
  dns: translate('Check the spelling of the host, and that its name can be found on the Internet.'),
  connect: translate('Check that the server runs, and that its firewall lets calls from the Internet through.'),
  tls: translate('Check that the certificate is valid for this host, complete and not expired.'),
  timeout: translate('Answer within 15 seconds: store the notification first, and work on it afterwards.'),
  reset: translate('Check the server and any proxy in front of it: one of them closes the connection.'),
  redirect: translate('Enter the address to which it redirects: redirects are not followed.'),
  protocol: translate('Check that the address is one of a web server.'),
};

const byStatus: Readonly<Record<number, string>> = {
  401: translate('Compare the token with the one that your endpoint expects.'),
  403: translate('Compare the token with the one that your endpoint expects.'),
  404: translate('Check the path of the address.'),
  405: translate('Check the path of the address, and that it accepts POST.'),
  415: translate('Accept forms (application/x-www-form-urlencoded), or have notifications sent as JSON.'),
};

/** Returns what the owner of an endpoint should change after an attempt, as a sentence. */
export const endpointAdvice = ({ status, error }: Attempt): string => {
  if (error === null) return translate('Your endpoint accepts alerts. Check the signature before you act on one.');
  if (error !== 'http_status') return byError[error] ?? '';
  const known = byStatus[status ?? 0];
  if (known !== undefined) return known;
  return (status ?? 0) >= 500
    ? translate('Your endpoint failed. Look for the error in its log.')
    : translate('Answer with a status from 200 to 299.');
};
