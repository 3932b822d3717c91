import { createServer, type IncomingMessage, type Server } from 'node:http';
import { receivedIn } from '../steps/received-webhooks.ts';

/** The operations that the guides need on a deployed stage. */
export type StageControlParts = {
  /** The credentials of the guides' tenant. */
  credentials: unknown;
  /** Returns what `aws logs filter-log-events` prints of the receiver's log from a time in milliseconds. */
  readLog: (sinceMilliseconds: number) => Promise<string>;
  nowMilliseconds: () => number;
  /** Waits between two looks at the log. */
  wait: () => Promise<unknown>;
};

/** As many looks at the log as must find nothing new before the stage counts as idle. */
const quietLooks = 6;

/**
 * Replaces the control of the local service, `/_local`, for guides that run against a deployed stage. A stage shows no credentials and cannot say that
 * it is idle; its receiver writes each request to a log.
 */
export const createStageControl = (parts: StageControlParts): Server => {
  const began = parts.nowMilliseconds();
  /** Since when a sink shows what it got. */
  const cleared = new Map<string, number>();
  const requestsTo = async (name: string) => {
    const received = receivedIn(await parts.readLog(cleared.get(name) ?? began));
    return received.filter(({ path }) => path === `/${name}`);
  };
  const answer = async ({ method, url = '' }: IncomingMessage): Promise<unknown> => {
    const [resource, name = ''] = url.split('/').slice(1);
    switch (`${method} ${resource}`) {
      case 'GET credentials':
        return parts.credentials;
      case 'GET clock':
        return { seconds: Math.floor(parts.nowMilliseconds() / 1000) };
      case 'GET status':
        await waitUntilQuiet(parts, began);
        return { idle: true };
      case 'GET sinks':
        return requestsTo(name);
      case 'DELETE sinks':
        cleared.set(name, parts.nowMilliseconds());
        return { status: 'ok' };
      default:
        return undefined;
    }
  };
  return createServer(async (request, response) => {
    const reply = await answer(request).catch((error: unknown) => ({ msg: String(error) }));
    response.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply ?? { msg: `A stage has no ${request.method} ${request.url}.` }));
  });
};

/** Waits until the receiver has got nothing new for a while. */
const waitUntilQuiet = async ({ readLog, wait }: StageControlParts, since: number): Promise<void> => {
  let known = -1;
  for (let quiet = 0; quiet < quietLooks; quiet += 1) {
    const { length } = receivedIn(await readLog(since));
    if (length !== known) quiet = 0;
    known = length;
    await wait();
  }
};
