import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { selfSigned } from './certificate.ts';
import { providerSecretIds } from './provider-secrets.ts';

type Wire = Record<string, AttributeValue>;

/** One call as it came in: `DynamoDB_20120810.BatchGetItem`, say, and its parsed body. */
export type TlsCall = { target: string; body: unknown };

export type TlsAws = AsyncDisposable & {
  /** The environment of a process that calls this instead of AWS. */
  environment: Readonly<Record<string, string>>;
  calls: readonly TlsCall[];
};

type Request = {
  RequestItems?: Record<string, { Keys: Wire[] }>;
  Key?: Wire;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
};

/** The one secret that there is here, whatever its name; a signing provider's key as well. */
export const theSecret = 'the only key of the tests';

const wireId = ({ pk, sk }: Wire): string => `${pk?.S}\n${sk?.S}`;

/**
 * Returns the answers of DynamoDB, SQS and Secrets Manager, as far as a first call needs them. Writes are accepted and forgotten.
 */
const answerTo = ({ target, body }: TlsCall, items: ReadonlyMap<string, Wire>): object => {
  const { RequestItems = {}, Key, ExpressionAttributeValues: values } = body as Request;
  switch (target.split('.')[1]) {
    case 'BatchGetItem':
      return {
        Responses: Object.fromEntries(
          Object.entries(RequestItems).map(([table, { Keys }]) => [
            table,
            Keys.map((key) => items.get(wireId(key))).filter((item) => item !== undefined),
          ]),
        ),
        UnprocessedKeys: {},
      };
    case 'GetItem':
      return Key && items.has(wireId(Key)) ? { Item: items.get(wireId(Key)) } : {};
    case 'Query': {
      const Items = [...items.values()].filter(({ pk }) => pk?.S !== undefined && pk.S === values?.[':pk']?.S);
      return { Items, Count: Items.length, ScannedCount: Items.length };
    }
    case 'UpdateItem':
      // The updates that look at the answer are those that draw a number.
      return { Attributes: { lastNumber: { N: '1' } } };
    case 'GetSecretValue':
      return { Name: 'secret', SecretString: JSON.stringify({ current: 'k1', k1: theSecret }) };
    default:
      return {};
  }
};

/**
 * Starts AWS over TLS on loopback with a few items to read. The SDK loads other code for plain http, so that claims about a
 * deployed function's start must be measured against this.
 */
export const startTlsAws = async (items: readonly Record<string, unknown>[]): Promise<TlsAws> => {
  const stored = new Map(
    items.map((item) => {
      const wire: Wire = marshall(item, { removeUndefinedValues: true });
      return [wireId(wire), wire];
    }),
  );
  const certificate = selfSigned('localhost');
  const folder = mkdtempSync(join(tmpdir(), 'forewarn-tls-'));
  const certificateFile = join(folder, 'certificate.pem');
  writeFileSync(certificateFile, certificate.cert);
  const calls: TlsCall[] = [];
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = String(request.headers['x-amz-target']);
      const call = { target, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as unknown };
      calls.push(call);
      response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(answerTo(call, stored)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      AWS_ENDPOINT_URL: `https://localhost:${port}`,
      NODE_EXTRA_CA_CERTS: certificateFile,
      JWT_SECRET_ID: 'jwt',
      ENCRYPTION_SECRET_ID: 'encryption',
      ...providerSecretIds,
      LOOKUPS_QUEUE_URL: `https://localhost:${port}/000000000000/lookups`,
    },
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
