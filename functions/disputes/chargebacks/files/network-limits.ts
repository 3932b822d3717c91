import { networkNamed } from '#core/kernel/card/schemes.ts';

/** The limits of card networks on the files of one dispute. Pure. */

type Limit = { name: string; files?: number; pages?: number; bytes?: number; source: string; checked: string };

const requirements = {
  source: 'https://www.checkout.com/docs/payments/process-disputes/dispute-evidence-file-requirements',
  checked: '2026-11-28',
};
/** By network; the others publish none below the limits of `add-file`. */
export const networkLimits: Readonly<Record<'amex' | 'discover' | 'diners' | 'mastercard', Limit>> = {
  amex: { name: 'American Express', files: 5, pages: 20, ...requirements },
  discover: { name: 'Discover', bytes: 3_000_000, ...requirements },
  diners: { name: 'Diners Club', bytes: 3_000_000, ...requirements },
  mastercard: {
    name: 'Mastercard',
    pages: 19,
    source: 'https://www.checkout.com/merchant-communications/mastercard-dispute-documentation-requirements',
    checked: '2026-11-28',
  },
};

/** `pages`: absent for files that were added before pages were counted, and for a PDF that cannot be read. */
type Sized = { bytes: number; pages?: number };

/** Before it is rendered: the response itself has at least a page. */
const responsePages = 1;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const findLimit = (network: string): Limit | undefined => {
  const limits: Readonly<Record<string, Limit>> = networkLimits;
  return limits[networkNamed(network)];
};

/** Why a network would reject these files together; undefined if nothing is known against them. `network`: as the processor names it; empty: not known. */
export const whyTooMuch = (network: string, files: readonly Sized[]): string | undefined => {
  const { name, files: maxFiles, bytes: maxBytes } = findLimit(network) ?? {};
  const bytes = sum(files.map((one) => one.bytes));
  if (maxFiles !== undefined && files.length > maxFiles) return `${name} accepts at most ${maxFiles} files`;
  if (maxBytes !== undefined && bytes > maxBytes)
    return `${name} accepts at most ${maxBytes / 1e6} MB of files together`;
  return whyTooManyPages(network, sum(files.map((one) => one.pages ?? 0)) + responsePages);
};

/** The same for all pages that are submitted. */
export const whyTooManyPages = (network: string, pages: number): string | undefined => {
  const { name, pages: maxPages } = findLimit(network) ?? {};
  return maxPages !== undefined && pages > maxPages
    ? `${name} accepts at most ${maxPages} pages with the response; these are ${pages}`
    : undefined;
};
