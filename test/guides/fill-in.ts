import type { TestStack } from '#test/support/stack.ts';

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
