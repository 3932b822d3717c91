import { existsSync, readFileSync } from 'node:fs';

/** A vendor's own contract, kept next to the repository where its licence allows that. */

const folders = ['../shared/contracts', '../../shared/contracts'];

/** Returns the vendor's file; undefined, with a warning, where it is not kept. `name`: such as `paypal/customer_disputes_v1.json`. */
export const vendorFile = (name: string): unknown => {
  const folder = folders.find((one) => existsSync(`${one}/${name}`));
  if (folder !== undefined) return JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  process.stderr.write(`SKIPPED: ${name} is not in ${folders[0]}, so our table of its facts is not compared with it\n`);
  return undefined;
};
