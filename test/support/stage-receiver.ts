import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** The receiver of `npm run prove`: the code that its template deploys, behind HTTP, and its log as the AWS CLI prints it. */

type FunctionUrlEvent = { rawPath: string; headers: Record<string, unknown>; body: string; isBase64Encoded: boolean };
type Receiver = (event: FunctionUrlEvent) => Promise<{ statusCode: number; body: string }>;

/** As `aws logs filter-log-events` prints what Lambda has logged. */
export const logAnswer = (logged: readonly string[]): string =>
  JSON.stringify({
    events: [
      { message: 'START RequestId: 3f0a Version: $LATEST\n' },
      ...logged.map((line) => ({ message: `2026-11-27T01:02:03.004Z\t3f0a\tINFO\t${line}\n` })),
      { message: 'REPORT RequestId: 3f0a Duration: 1.23 ms\n' },
    ],
  });

/** The receiver's function, and what it has logged. */
const loadReceiver = (log: (line: string) => void): Receiver => {
  const template = JSON.parse(readFileSync('lib/operator/steps/receiver.json', 'utf8'));
  const code: string = template.Resources.Receiver.Properties.Code.ZipFile;
  const exported: { handler?: Receiver } = {};
  new Function('exports', 'console', code)(exported, { log });
  if (!exported.handler) throw new Error('The receiver exports no handler');
  return exported.handler;
};

/** Starts the receiver. `lines`: what it has logged so far; `log`: the same since a time in milliseconds. */
export const startStageReceiver = async (nowMilliseconds: () => number) => {
  const logged: { line: string; at: number }[] = [];
  const handler = loadReceiver((line) => logged.push({ line, at: nowMilliseconds() }));
  const server: Server = createServer(async (request, response) => {
    const body = Buffer.from(await text(request)).toString('base64');
    const event = { rawPath: request.url ?? '/', headers: request.headers, body, isBase64Encoded: true };
    const { statusCode, body: reply } = await handler(event);
    response.writeHead(statusCode).end(reply);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The receiver does not listen');
  const log = (since: number): string => logAnswer(logged.flatMap(({ line, at }) => (at >= since ? [line] : [])));
  return { url: `http://127.0.0.1:${address.port}`, log, stop: () => server.close() };
};
