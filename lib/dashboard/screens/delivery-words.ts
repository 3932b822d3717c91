import type { DeliveryRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';

type Attempt = DeliveryRow['attempts'][number];

const errors: Readonly<Record<string, string>> = {
  no_url: translate('No URL set'),
  http_status: translate('Refused'),
  url_refused: translate('The URL is not allowed'),
  address_refused: translate('The address is not allowed'),
  request_invalid: translate('The token cannot be sent'),
  dns: translate('The host was not found'),
  connect: translate('No connection'),
  tls: translate('No secure connection'),
  timeout: translate('No answer in time'),
  reset: translate('The connection broke'),
  redirect: translate('Answered with a redirect'),
  protocol: translate('The answer was not HTTP'),
};

/** Describes the result of an attempt. */
export const attemptWords = (attempt: Pick<Attempt, 'status' | 'error'> | undefined): string => {
  if (!attempt) return translate('None yet');
  const { status, error } = attempt;
  if (error === null) return translate('Accepted, {status}', { status: String(status) });
  const words = errors[error] ?? error;
  return status === null ? words : `${words}, ${status}`;
};
