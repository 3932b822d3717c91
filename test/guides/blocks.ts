import type { TestStack } from '#test/support/stack.ts';

/** A fenced block of a Markdown page. `info`: the words after its language, such as `tab=Node` or `skip="needs an AWS account"`. */
export type Block = { language: string; info: string; text: string };

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', info = '', inner = '']) => ({
    language,
    info: info.trim(),
    text: inner,
  }));

/** The language tab that a block belongs to; undefined for a block outside tabs. */
export const tabOf = ({ info }: Block): string | undefined => /\btab=(\S+)/.exec(info)?.[1];

/** Why a block is not run; undefined if it is. */
export const skipOf = ({ info }: Block): string | undefined => /\bskip="([^"]+)"/.exec(info)?.[1];

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[\\s\\S]*?');

/** The output that a page states, in which `…` stands for anything. */
export const expectedOutput = (text: string): RegExp => new RegExp(`^${literal(text.trim())}$`);

/** The sample with the demo merchant's credentials, as the page itself fills them in. */
export const fillIn = (text: string, { url, credentials }: Pick<TestStack, 'url' | 'credentials'>): string => {
  const { merchant, payment_site: shop, site } = credentials;
  const values: Readonly<Record<string, string>> = {
    YOUR_URL: url,
    YOUR_SITE: String(shop.sid),
    YOUR_RCODE: shop.rcode,
    YOUR_ALERT_RCODE: site.rcode,
    YOUR_USERNAME: merchant.username,
    YOUR_PASSWORD: merchant.password,
  };
  return text.replaceAll(/YOUR_[A-Z_]+/g, (name) => values[name] ?? name);
};
