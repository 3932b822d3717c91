import { createServer, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { foreignCallProblem } from '../loopback.ts';
import { errorText } from '../user-error.ts';
import { type Listening, listenOnLoopback } from './listen.ts';

/** One call of an AWS client, any of the protocols that carry JSON. */
export type AwsCall = {
  method: string;
  /** Segments of the path, decoded. */
  path: readonly string[];
  query: URLSearchParams;
  /** `SendMessage` of the header `x-amz-target: AmazonSQS.SendMessage`; empty for REST calls. */
  action: string;
  body: unknown;
};

/** Answers a call with the reply's body, now or later. Throws AwsError. */
export type AwsService = (call: AwsCall) => unknown;

/** A refusal in the words of the service. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly status: number;
  readonly code: string;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Which service a call is for: by the target header's prefix, else by the first segment of the path. */
export type AwsServices = {
  targets: Readonly<Record<string, AwsService | undefined>>;
  paths: Readonly<Record<string, AwsService | undefined>>;
};

const mebibyte = 1024 * 1024;

/**
 * Serves the AWS calls the functions make, on a port of its own on loopback. `services` may be filled later: the port
 * must be known before the template can be read.
 */
export const startAwsServer = async (services: () => AwsServices): Promise<Listening> => {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answerAws(request, services());
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  return listenOnLoopback(server);
};

type Answer = { status: number; headers: Record<string, string>; body: unknown };

const answerAws = async (request: IncomingMessage, services: AwsServices): Promise<Answer> => {
  try {
    const [call, service] = await parseCall(request, services);
    return { status: 200, headers: {}, body: (await service(call)) ?? {} };
  } catch (error) {
    const known = error instanceof AwsError ? error : new AwsError('InternalFailure', errorText(error), 500);
    const headers = { 'x-amzn-errortype': known.code };
    return { status: known.status, headers, body: { __type: known.code, message: known.message } };
  }
};

const parseCall = async (request: IncomingMessage, services: AwsServices): Promise<[AwsCall, AwsService]> => {
  const problem = foreignCallProblem(request.headers);
  if (problem) throw new AwsError('AccessDeniedException', problem, 403);
  const url = new URL(request.url ?? '/', 'http://local');
  const path = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const [prefix = '', action = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  const service = prefix ? services.targets[prefix] : services.paths[path[0] ?? ''];
  if (!service) throw new AwsError('UnknownOperationException', `The local stack has no service for ${url.pathname}.`);
  return [
    { method: request.method ?? 'GET', path, query: url.searchParams, action, body: await requestJson(request) },
    service,
  ];
};

const requestJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > 40 * mebibyte) throw new AwsError('RequestEntityTooLarge', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw new AwsError('SerializationException', errorText(error));
  }
};

/** Parses a part of a call, or refuses it naming the field. */
export const parseInput = <S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new AwsError('ValidationException', `${v.getDotPath(issue) ?? 'request'}: ${issue.message}`);
};
