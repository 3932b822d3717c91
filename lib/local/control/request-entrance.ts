import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { securityHeaders } from '#core/platform/http/security-headers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Listener } from '../gateway/web-server.ts';

/** Where requests come in, and are counted: to the gateway, to the local control, or to the door. */
export type Entrance = {
  listener(control: Listener): Listener;
  /** Returns the number of requests that have reached the gateway so far. */
  requests(): number;
  /** Lets requests to the gateway wait while the work is under way, and turns them away after a while. */
  closeDuring(work: () => Promise<void>): Promise<void>;
  /** Lets requests to the gateway wait while the work is under way, and lets them in after a while. */
  slowDuring(work: () => Promise<void>): Promise<void>;
};

/** Not longer: an endpoint may call the service before it answers a notification for which the work itself waits. */
const longestWait = 1000;

/** People who open the address that `npm start` prints want to see something; a deployed stage says where to go. */
const frontPage = '/dashboard';

/** `isBehind`: whether functions have more to do than they keep up with. Requests wait for them then, a while at most. */
export const createEntrance = (gateway: Gateway, isBehind: () => boolean): Entrance => {
  let requests = 0;
  const [closing, slowing] = [createSpan(), createSpan()];
  return {
    requests: () => requests,
    closeDuring: closing.during,
    slowDuring: slowing.during,
    listener: (control) => async (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      if (/^\/_local(\/|$)/.test(path)) return control(request, response);
      if (path === '/' && /^(GET|HEAD)$/.test(request.method ?? '')) return redirect(response, frontPage);
      if (!(await closing.isOver())) return turnAway(request, response);
      requests += 1;
      await slowing.isOver();
      await whileTrue(isBehind);
      // It may have been closed meanwhile.
      if (!(await closing.isOver())) return turnAway(request, response);
      return gateway(request, response);
    },
  };
};

/** A span of time that requests wait for. */
const createSpan = () => {
  let current: Promise<boolean> | undefined;
  return {
    during: async (work: () => Promise<void>): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      current = promise;
      await work().finally(() => {
        current = undefined;
        resolve(true);
      });
    },
    /** True if it is over after a while at most. */
    isOver: async (): Promise<boolean> => {
      if (!current) return true;
      const giveUp = new AbortController();
      const late = wait(longestWait, false, { signal: giveUp.signal }).catch(() => false);
      return Promise.race([current, late]).finally(() => giveUp.abort());
    },
  };
};

const pollMilliseconds = 50;

/** Settles when a condition no longer holds, or after a while. */
const whileTrue = async (condition: () => boolean): Promise<void> => {
  for (let waited = 0; waited < longestWait && condition(); waited += pollMilliseconds) await wait(pollMilliseconds);
};

const redirect = (response: ServerResponse, location: string): void =>
  void response
    .writeHead(302, { location, 'content-length': '0', 'cache-control': 'no-store', ...securityHeaders })
    .end();

const turnAway = (request: IncomingMessage, response: ServerResponse): void => {
  const body = JSON.stringify({ msg: 'Not ready', details: 'The local stack is being reset; try again in a second.' });
  request.resume();
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
};
