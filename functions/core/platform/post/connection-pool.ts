/** The methods that a pool needs of its connections. */
type Closable = { close(): Promise<void>; destroy(): Promise<void> };

/** Below the idle time after which common servers hang up, so that a POST seldom meets a closing connection. */
export const idleMilliseconds = 3000;

/**
 * A pool that discards its connections after a pause: a function that was frozen for a while wakes up with connections whose
 * other end is long gone, before any of its own timers has noticed.
 */
export const connectionPool = <A extends Closable>(newAgent: () => A) => {
  let agent = newAgent();
  let running = 0;
  let idleSince = performance.now();
  let closed: Promise<void> | undefined;
  return {
    async use<T>(send: (agent: A) => Promise<T>): Promise<T> {
      const stale = running === 0 && performance.now() - idleSince > idleMilliseconds ? agent : undefined;
      if (stale) agent = newAgent();
      running += 1;
      try {
        await stale?.destroy();
        return await send(agent);
      } finally {
        running -= 1;
        idleSince = performance.now();
      }
    },
    close: () => {
      closed ??= agent.close();
      return closed;
    },
  };
};
