import { isIP } from 'node:net';
import { instantMilliseconds } from './duration.ts';
import { dataFolder } from './endpoints.ts';
import { UserError } from './user-error.ts';

export type Options = {
  port: number;
  /** The IP address at which it listens. */
  bindAddress: string;
  dataFolder: string;
  startTime: number | undefined;
  tableUrl: string | undefined;
  /** True if functions that take longer than they may fail. */
  timeLimits: boolean;
  /** True if the gateway refuses what the deployed firewall and throttles refuse. */
  requestLimits: boolean;
};

/** Reads the environment's options of the local stack. Throws UserError on what cannot be meant. */
export const readOptions = (environment: NodeJS.ProcessEnv): Options => ({
  port: readPort(environment['PORT'] || '3000'),
  bindAddress: bindAddressOf(environment['BIND_ADDRESS'] || '127.0.0.1'),
  dataFolder: dataFolder(),
  startTime: startTimeOf(environment['START_TIME'] || undefined),
  tableUrl: environment['AWS_ENDPOINT_URL_DYNAMODB'] || undefined,
  timeLimits: readSwitch('TIME_LIMITS', environment['TIME_LIMITS'] || 'on'),
  requestLimits: readSwitch('REQUEST_LIMITS', environment['REQUEST_LIMITS'] || 'off'),
});

const readPort = (text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UserError(`PORT is ${text} but must be a number from 0 to 65535.`);
};

const bindAddressOf = (text: string): string => {
  if (isIP(text) !== 0) return text;
  throw new UserError(`BIND_ADDRESS is ${text} but must be an IP address such as 0.0.0.0.`);
};

const readSwitch = (name: string, text: string): boolean => {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new UserError(`${name} is ${text} but must be on or off.`);
};

const startTimeOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const time = instantMilliseconds(text);
  if (time !== undefined) return time;
  throw new UserError(`START_TIME is ${text} but must be an instant in UTC such as 2026-05-02T10:00:00Z.`);
};
