import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** Runs in a thread of its own, so that what the receivers do takes nothing from who is measured. */
const reply = Buffer.from('{"status":"ok"}');
let running = 0;
let most = 0;
let connections = 0;
let held: (() => void)[] = [];
/** While above 1, replies wait until this many requests are there: they can only come if they come side by side. */
let together = 1;
/** The requests since the last reset, and when, in milliseconds since 1970. */
let taken = 0;
let firstAt = 0;
let lastAt = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    lastAt = Date.now();
    if (taken === 0) firstAt = lastAt;
    taken += 1;
    running += 1;
    most = Math.max(most, running);
    held.push(() => {
      running -= 1;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length }).end(reply);
    });
    if (held.length < together) return;
    const waiting = held;
    held = [];
    for (const answer of waiting) answer();
  });
});
server.on('connection', () => {
  connections += 1;
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage({ port: typeof address === 'object' ? address?.port : undefined });
});
parentPort?.on('message', (message: { together?: number; anew?: boolean }) => {
  together = message.together ?? together;
  if (message.anew) taken = 0;
  parentPort?.postMessage({ most, connections, taken, firstAt, lastAt });
});
