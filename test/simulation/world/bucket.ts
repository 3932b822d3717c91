import type { Host } from './network.ts';
import type { World } from './world.ts';

/** S3 with the service's bucket: the content of each object by its key. */

export const bucketName = 'objects';
const host = `${bucketName}.s3.eu-west-1.amazonaws.com`;

const buckets = new WeakMap<World, Map<string, string>>();

/** The objects of a world. */
export const getObjects = (world: World): Map<string, string> => {
  const known = buckets.get(world) ?? new Map<string, string>();
  buckets.set(world, known);
  return known;
};

/** The key of an object, from an address that was signed for it. */
export const keyOfAddress = (address: string): string => new URL(address).pathname.slice(1);

const bucket =
  (objects: Map<string, string>): Host =>
  ({ url, method, body }) => {
    const key = keyOfAddress(url.href);
    if (method === 'PUT') objects.set(key, body);
    if (method === 'DELETE') objects.delete(key);
    const content = objects.get(key);
    if (method !== 'GET') return { kind: 'answer', status: method === 'PUT' ? 200 : 204 };
    return content === undefined ? { kind: 'answer', status: 404 } : { kind: 'answer', status: 200, body: content };
  };

/** Has S3 listen. */
export const openBucket = (world: World): void => {
  world.network.listen(host, bucket(getObjects(world)));
};
