import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '#core/kernel/crypto.ts';
import { readAsset } from '#core/platform/http/asset-store.ts';

/** A document as sent: its text, the compressed text, and the tag by which callers recognise their copy. */
export type Document = { text: string; compressed: Uint8Array; tag: string };

const made = new Map<string, Promise<Document>>();

const make = async (makeText: () => Promise<string>): Promise<Document> => {
  const text = await makeText();
  const compressed = new Uint8Array(await promisify(gzip)(text, { level: 9 }));
  return { text, compressed, tag: `"${sha256(text).slice(0, 32)}"` };
};

/** Returns a document that is built and compressed once. `makeText`: by default, reads a file deployed with the function's code. */
export const readDocument = (name: string, makeText = () => readAsset(name)): Promise<Document> => {
  const known = made.get(name);
  if (known) return known;
  const making = make(makeText);
  made.set(name, making);
  // A failure is not kept: the next call tries again.
  making.catch(() => made.delete(name));
  return making;
};
