import type { Grants, Partitions } from '#core/platform/operation/grants.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { partitionsFor } from '#lib/build/partitions-of-functions.ts';
import { grantsOfRole } from '#lib/cloud/kept-grants.ts';
import { at, type Resource } from './synthesized.ts';

/** What the code of a function needs of its role. */
export type Needs = Partial<Record<keyof Grants | keyof Partitions, readonly string[]>>;

/** The needs of each function by its name, which stays when it moves to another area. */
export const listNeeds = (): Record<string, Needs> =>
  Object.fromEntries(
    [...operations, ...workers].map((one) => {
      const { table = [], indexes = [], secrets = [], send = [], objects = [] } = grantsOfRole(one);
      return [one.name, { table, indexes, secrets, send, objects, ...partitionsFor(one) }];
    }),
  );

/** The ends of the ARNs of all functions that a gateway's definition calls: `function:forewarn-dev-alerts_update-alert:live`. */
export const listCalls = (resources: readonly Resource[]): string[] => {
  const api = resources.find(({ type }) => type === 'AWS::ApiGateway::RestApi');
  const texts = [...JSON.stringify(at(api?.properties, 'Body')).matchAll(/function:([\w:-]+)\/invocations/g)];
  return [...new Set(texts.map(([, name = '']) => name))].sort();
};

/** The patterns of functions' names that the gateway's role allows. */
export const listAllowedCalls = (resources: readonly Resource[]): string[] => {
  const role = resources.find(({ id }) => id.startsWith('GatewayRole'));
  return [...JSON.stringify(role?.properties).matchAll(/:function:([\w:*-]+)"/g)].map(([, name = '']) => name);
};
