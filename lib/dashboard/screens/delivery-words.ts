import type { DeliveryRow } from '../app/operations.ts';

type Attempt = DeliveryRow['attempts'][number];

const errors: Readonly<Record<string, string>> = {
  no_url: 'No URL set',
  http_status: 'Refused',
  url_refused: 'The URL is not allowed',
  address_refused: 'The address is not allowed',
  request_invalid: 'The token cannot be sent',
  dns: 'The host was not found',
  connect: 'No connection',
  tls: 'No secure connection',
  timeout: 'No answer in time',
  reset: 'The connection broke',
  redirect: 'Answered with a redirect',
  protocol: 'The answer was not HTTP',
};

/** Describes the result of an attempt. */
export const attemptWords = (attempt: Pick<Attempt, 'status' | 'error'> | undefined): string => {
  if (!attempt) return 'None yet';
  const { status, error } = attempt;
  if (error === null) return `Accepted, ${status}`;
  const words = errors[error] ?? error;
  return status === null ? words : `${words}, ${status}`;
};
