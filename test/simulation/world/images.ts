import { createRequire } from 'node:module';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as notation from '@aws-sdk/util-dynamodb';
import type { Item } from './expressions.ts';

/**
 * Rows in DynamoDB's own notation, as streams and exceptions carry them. They are only ever read back, which was a fifth of all
 * the work: so the SDK's reader gets the very row, and the notation is written only where it is used.
 */
type Image = Record<string, AttributeValue>;

/** By this an image answers its row. */
const rowKey = Symbol('row');

// The package's exports, as functions will find them.
const library = createRequire(import.meta.url)('@aws-sdk/util-dynamodb') as {
  -readonly [N in keyof typeof notation]: (typeof notation)[N];
};
const { marshall, unmarshall } = library;

/** Has the SDK's reader answer the very row. To be called before any function is imported. */
export const replaceReader = (): void => {
  library.unmarshall = (image, options) => (image as { [rowKey]?: Item })[rowKey] ?? unmarshall(image, options);
};

/** Writes an attribute, or the image, as soon as it is wanted: event patterns look at one or two of twenty. */
class Lazy implements ProxyHandler<Image> {
  private readonly row: Item;
  private readonly attributes: Image = {};
  private written: Image | undefined;

  constructor(row: Item) {
    this.row = row;
  }
  private get image(): Image {
    this.written ??= marshall(this.row) as Image;
    return this.written;
  }
  get(_: Image, name: string | symbol): unknown {
    if (name === rowKey) return this.row;
    return typeof name === 'string' && Object.hasOwn(this.row, name) ? this.attribute(name) : undefined;
  }
  private attribute(name: string): AttributeValue | undefined {
    const known = this.written?.[name] ?? this.attributes[name];
    if (known) return known;
    const [made] = Object.values<AttributeValue>(marshall({ [name]: this.row[name] }));
    if (made) this.attributes[name] = made;
    return made;
  }
  has(_: Image, name: string | symbol): boolean {
    return Reflect.has(this.image, name);
  }
  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.image);
  }
  getOwnPropertyDescriptor(_: Image, name: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.image, name);
  }
}

/** A row's image. */
export const lazyImage = (row: Item): Image => new Proxy<Image>({}, new Lazy(row));
