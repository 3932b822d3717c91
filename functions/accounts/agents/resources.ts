/** The pages about work with alerts and chargebacks, by their names: title, and place in the repository. */
const pages: Readonly<Record<string, readonly [title: string, file: string]>> = {
  concepts: ['Concepts', 'docs/concepts.md'],
  'answer-alerts': ['Answer alerts', 'docs/guides/answer-alerts.md'],
  'reason-codes': ['Reason codes', 'docs/guides/reason-codes.md'],
  'error-codes': ['Error codes', 'docs/guides/error-codes.md'],
  matching: ['Matching', 'docs/matching.md'],
  rules: ['Automate answers with rules', 'docs/guides/rules.md'],
  chargebacks: ['Handle chargebacks', 'docs/chargebacks.md'],
  credits: ['Claim credits', 'docs/credits.md'],
  agents: ['Let agents work with alerts', 'docs/guides/agents.md'],
  glossary: ['Glossary', 'docs/glossary.md'],
};

const place = 'forewarn://docs/';

/** The pages by the names under which they are deployed with the function. */
export const pageAssets: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pages).map(([name, [, file]]) => [`${name}.md`, file]),
);

/** @see https://modelcontextprotocol.io/specification/2025-06-18/server/resources */
export const listResources = () =>
  Object.entries(pages).map(([name, [title]]) => ({ uri: `${place}${name}`, name, title, mimeType: 'text/markdown' }));

/** The asset of the page at an address; undefined if there is none. */
export const assetAt = (uri: string): string | undefined => {
  const name = `${uri.slice(place.length)}.md`;
  return uri.startsWith(place) && Object.hasOwn(pageAssets, name) ? name : undefined;
};
