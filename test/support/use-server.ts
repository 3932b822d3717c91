import { afterAll } from 'vitest';

/** Starts what a test file talks to, and stops it after the file's tests. */
export const useServer = async <Server extends AsyncDisposable>(starting: Promise<Server>): Promise<Server> => {
  const server = await starting;
  afterAll(async () => server[Symbol.asyncDispose]());
  return server;
};
