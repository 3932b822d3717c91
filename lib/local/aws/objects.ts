import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { foreignCallProblem } from '../loopback.ts';
import type { State } from '../state.ts';
import { errorText } from '../user-error.ts';
import { AwsError } from './aws-server.ts';
import { type Listening, listenOnLoopback } from './listen.ts';
import { checkSignature } from './object-signature.ts';

/** The files of the stack's buckets. */
export type Objects = {
  get(path: string): StoredObject | undefined;
  put(path: string, object: StoredObject): void;
  remove(path: string): void;
  clear(): void;
};

export type StoredObject = { type: string; bytes: Uint8Array };

const schema =
  'CREATE TABLE IF NOT EXISTS objects (path TEXT PRIMARY KEY, type TEXT NOT NULL, bytes BLOB NOT NULL) STRICT';

/** Opens the files as they were left. */
export const openObjects = ({ database }: Pick<State, 'database'>): Objects => {
  database.exec(schema);
  const read = database.prepare('SELECT type, bytes FROM objects WHERE path = ?');
  const write = database.prepare('INSERT OR REPLACE INTO objects (path, type, bytes) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM objects WHERE path = ?');
  const clear = database.prepare('DELETE FROM objects');
  return {
    get: (path) => {
      const row = read.get(path);
      if (!row || !(row['bytes'] instanceof Uint8Array)) return undefined;
      return { type: String(row['type']), bytes: row['bytes'] };
    },
    put: (path, { type, bytes }) => void write.run(path, type, bytes),
    remove: (path) => void remove.run(path),
    clear: () => void clear.run(),
  };
};

const maxBytes = 32 * 1024 * 1024;

/**
 * Serves the files on a port of its own on loopback, as S3 serves objects by signed addresses: it checks each signature with its time and
 * headers, and lets pages of the dashboard upload.
 */
export const startObjectServer = async (objects: Objects, clock: { now(): number }): Promise<Listening> => {
  const server = createServer(async (request, response) => {
    try {
      await answerObject(request, response, objects, clock);
    } catch (error) {
      const { status, code, message } =
        error instanceof AwsError ? error : new AwsError('InternalError', errorText(error), 500);
      response.writeHead(status, { 'content-type': 'application/xml', ...corsHeaders(request) });
      response.end(`<Error><Code>${code}</Code><Message>${message.replace(/[<&]/g, '')}</Message></Error>`);
    }
  });
  return listenOnLoopback(server);
};

/** As the bucket of the deployed stack allows it. */
const corsHeaders = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
  origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'origin' };

const answerObject = async (
  request: IncomingMessage,
  response: ServerResponse,
  objects: Objects,
  clock: { now(): number },
): Promise<void> => {
  const problem = foreignCallProblem(request.headers);
  if (problem) throw new AwsError('AccessDenied', problem, 403);
  const cors = corsHeaders(request);
  if (request.method === 'OPTIONS') {
    const allowed = { 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'content-type' };
    response.writeHead(200, { ...cors, ...allowed }).end();
    return;
  }
  const { path, query } = await checkSignature(request, clock.now());
  if (request.method === 'GET') {
    const found = objects.get(path);
    // S3's answer to a role that may not list the bucket.
    if (!found) throw new AwsError('AccessDenied', 'Access Denied', 403);
    const type = query.get('response-content-type') ?? found.type;
    const disposition = query.get('response-content-disposition');
    const headers = { 'content-type': type, ...(disposition && { 'content-disposition': disposition }) };
    response.writeHead(200, { ...cors, ...headers, 'content-length': found.bytes.length }).end(found.bytes);
    return;
  }
  if (request.method === 'PUT') {
    objects.put(path, { type: request.headers['content-type'] ?? '', bytes: await readBytes(request) });
    response.writeHead(200, cors).end();
    return;
  }
  if (request.method !== 'DELETE') throw new AwsError('MethodNotAllowed', 'The local stack has no such call.', 405);
  objects.remove(path);
  response.writeHead(204, cors).end();
};

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) throw new AwsError('EntityTooLarge', 'The file is too large.', 400);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
