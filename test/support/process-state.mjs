// The state that test files of one process share in addition to what is installed. Loaded by Node itself, so that it stays when
// all other modules are reloaded.
import { ClientRequest } from 'node:http';
import { createRequire } from 'node:module';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as mail from '@aws-sdk/client-sesv2';
import * as queues from '@aws-sdk/client-sqs';
import * as document from '@aws-sdk/lib-dynamodb';
import { captureOutput } from './captured-output.mjs';

/** The environment that the process began with. */
export const environment = { ...process.env };

/** The classes that tests put another `send` into; their own is inherited. */
export const clients = [
  DynamoDBClient,
  document.DynamoDBDocumentClient,
  scheduler.SchedulerClient,
  secrets.SecretsManagerClient,
  mail.SESv2Client,
  queues.SQSClient,
];

const require = createRequire(import.meta.url);

/** Stubs of clients keep every call that they have seen, and all that is behind it, until they are restored. */
export const sinon = createRequire(require.resolve('aws-sdk-client-mock'))('sinon');

/** The functions that tables in memory and stacks replace, until they are stopped. */
const { end } = ClientRequest.prototype;
const crypto = require('node:crypto');
const { scrypt } = crypto;
const commands = [document, scheduler, secrets, mail, queues].flatMap((library) =>
  Object.entries(library).flatMap(([name, { prototype }]) =>
    name.endsWith('Command') ? [[prototype, Object.getOwnPropertyDescriptor(prototype, 'resolveMiddleware')]] : [],
  ),
);
export const restoreNode = () => {
  crypto.scrypt = scrypt;
  for (const [prototype, own] of commands) {
    if (own) Object.defineProperty(prototype, 'resolveMiddleware', own);
    else Reflect.deleteProperty(prototype, 'resolveMiddleware');
  }
  ClientRequest.prototype.end = end;
  captureOutput();
};

/** The browser takes long to start and keeps nothing of a test. It ends with the process. */
export const processState = {};
