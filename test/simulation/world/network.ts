import type { Invocation } from './lambda.ts';

/** A request over HTTP, as whoever is called gets it. */
export type Request = {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The sender. */
  from: Invocation;
};

/** The action of a called party. `delay` (ms): until it answers, or breaks off. */
export type Reply = { delay?: number } & (
  | { kind: 'answer'; status: number; body?: string; headers?: Readonly<Record<string, string>> }
  | { kind: 'reset' }
  | { kind: 'silence' }
  /** The function dies while it waits. */
  | { kind: 'kill' }
);

/** A party on the other side, by the host's name. */
export type Host = (request: Request) => Reply;

/** All listeners outside of the service. */
export class Network {
  private readonly hosts = new Map<string, Host>();

  listen(name: string, host: Host): void {
    this.hosts.set(name, host);
  }

  /** Returns the result of a request; an unknown name has no listener. */
  ask(request: Request): Reply {
    const host = this.hosts.get(request.url.hostname);
    if (!host) throw new Error(`Nobody listens at ${request.url.hostname}`);
    return host(request);
  }
}

/** An answer in JSON. */
export const json = (status: number, body: unknown, delay = 0): Reply => ({
  kind: 'answer',
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
  delay,
});
