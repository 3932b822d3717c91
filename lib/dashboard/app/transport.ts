import { translate } from '../language/translate.ts';
/** A refusal of the service, or a failed connection: `status` 0. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** A stable word for refusals that the dashboard acts on, such as `fresh_sign_in_needed`. */
  readonly code: string;
  readonly details: string;
  readonly requestId: string;
  /** The time to wait, where the service states one. */
  readonly retryAfterSeconds: number | undefined;
  /** Everything the answer had. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: number, fields: Readonly<Record<string, unknown>>, headers?: Headers) {
    super(
      textOr(fields['msg']) || textOr(fields['error_msg']) || translate('The service answered {status}.', { status }),
    );
    this.status = status;
    this.code = textOr(fields['code']) || textOr(fields['error_code']);
    this.details = textOr(fields['details']);
    this.requestId = headers?.get('x-request-id') ?? '';
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    this.fields = fields;
  }
}

/** Says that neither the service nor a part of the dashboard could be fetched. */
export const unreachable = (): ServiceError =>
  new ServiceError(0, {
    msg: translate('The service cannot be reached'),
    details: translate('Check your connection.'),
  });

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the address of a path of the service: relative to the dashboard's own address, under any stage. */
const serviceUrl = (path: string): string => new URL(path.slice(1), new URL('.', document.baseURI)).href;

export type Sending = {
  /** Default: POST. */
  method?: 'POST' | 'PATCH' | 'PUT' | undefined;
  body?: unknown;
  token?: string;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
};

/** Sends JSON and returns the answer. Throws ServiceError; an AbortError after a cancellation. */
export const post = async (
  path: string,
  { method = 'POST', body = {}, token, signal, headers = {} }: Sending = {},
): Promise<unknown> => {
  const response = await fetch(serviceUrl(path), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
    cache: 'no-store',
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable();
  });
  const answer = jsonOr(await response.text());
  if (!response.ok) throw new ServiceError(response.status, isFields(answer) ? answer : {}, response.headers);
  return answer;
};

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Returns the problem of each field in a refusal: `amount: must be …; currency: must be …`. */
export const fieldProblems = (error: unknown): Readonly<Record<string, string>> => {
  if (!(error instanceof ServiceError) || error.status !== 400) return {};
  return Object.fromEntries(
    error.details.split('; ').flatMap((part) => {
      const [, name, words] = /^([\w.]+): (.+)$/.exec(part) ?? [];
      return name !== undefined && words !== undefined ? [[name, words]] : [];
    }),
  );
};
