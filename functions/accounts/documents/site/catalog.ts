/** A page of the documentation site. `file`: the path of its Markdown in the repository. */
export type SitePage = { slug: string; title: string; file: string };
type SiteSection = { title: string; pages: readonly SitePage[] };

const page = (slug: string, title: string, file: string): SitePage => ({ slug, title, file });
const guide = (name: string, title: string): SitePage => page(name, title, `docs/guides/${name}.md`);
const top = (name: string, title: string): SitePage => page(name, title, `docs/${name}.md`);

/** The sections of the site and their pages, in the order of the navigation. */
export const siteSections: readonly SiteSection[] = [
  {
    title: 'Start',
    pages: [
      top('quickstart', 'Quickstart'),
      top('concepts', 'Concepts'),
      guide('onboarding', 'Set up a merchant'),
      top('sandbox', 'The sandbox'),
      top('faq', 'Questions'),
      top('compare', 'Forewarn or a vendor'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('api-keys', 'Use API keys'),
      guide('receive-alerts', 'Receive alerts'),
      guide('answer-alerts', 'Answer alerts'),
      guide('test-alerts', 'Make test alerts'),
      guide('getting-access', 'Get access to the networks'),
      guide('enrollment', 'Enroll descriptors'),
      guide('payments', 'Take payments'),
      guide('refunds', 'Refund'),
      guide('postbacks', 'Receive postbacks'),
      top('three-ds', '3-D Secure'),
      top('orders', 'Share orders with banks'),
      top('connections', 'Connect a processor'),
      guide('connect-your-service', 'Connect your own service'),
      guide('connect-authorize-net', 'Connect Authorize.Net'),
      guide('connect-checkout-com', 'Connect Checkout.com'),
      guide('connect-paypal', 'Connect PayPal'),
      guide('connect-shopify', 'Connect Shopify'),
      guide('import-history', 'Import your history'),
      guide('rules', 'Automate answers with rules'),
      guide('agents', 'Let agents work with alerts'),
      top('chargebacks', 'Handle chargebacks'),
      top('credits', 'Claim credits'),
      top('dashboard', 'Use the dashboard'),
      guide('going-live', 'Go live'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      guide('webhooks', 'Webhooks'),
      guide('errors', 'Errors and idempotency'),
      guide('error-codes', 'Error codes'),
      guide('reason-codes', 'Reason codes'),
      guide('pages', 'Lists and pages'),
      top('cli', 'Commands'),
      top('glossary', 'Glossary'),
      page('client-typescript', 'TypeScript client', 'lib/client/README.md'),
      page('client-python', 'Python client', 'lib/python-client/README.md'),
      page('client-php', 'PHP client', 'lib/php-client/README.md'),
    ],
  },
  {
    title: 'How it works',
    pages: [
      top('alerts', 'The life of an alert'),
      top('architecture', 'Architecture'),
      top('data-model', 'Data model'),
      top('retries', 'Retries'),
      top('matching', 'Matching'),
      top('ledger', 'The ledger'),
      page('security', 'Security', 'SECURITY.md'),
      top('threat-model', 'Threat model'),
      top('pci', 'Card data and PCI DSS'),
      top('privacy', 'Personal data and retention'),
      top('simulation', 'Simulation'),
      top('performance', 'Performance'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      top('runbook', 'Deploy and run'),
      top('upgrade', 'Upgrade'),
      top('versions', 'Versions and support'),
      page('changelog', 'Changelog', 'CHANGELOG.md'),
      top('ethoca', 'Connect Ethoca'),
      top('provider-mappings', 'Map a reseller’s messages'),
      top('settings', 'Settings'),
      top('operations', 'Costs and operations'),
      top('local-stack', 'The local stack'),
      top('debugging', 'Debug'),
      top('back-test', 'Back-tests'),
    ],
  },
];

export const sitePages: readonly SitePage[] = siteSections.flatMap(({ pages }) => pages);

/** Files that pages link to and that are served as they are: their name on the site, and their path in the repository. */
export const siteDownloads: Readonly<Record<string, string>> = {
  'llms.txt': 'docs/llms.txt',
  'receiver.mjs': 'docs/guides/receivers/receiver.mjs',
  'receiver.py': 'docs/guides/receivers/receiver.py',
  'receiver.php': 'docs/guides/receivers/receiver.php',
  'prelude.sh': 'docs/guides/prelude.sh',
};

/** The site's own scripts and styles, and where they come from. */
const siteScripts: Readonly<Record<string, string>> = {
  'docs.js': 'functions/accounts/documents/site/browser/docs.js',
  'docs.css': 'functions/accounts/documents/site/browser/docs.css',
  'search.js': 'functions/accounts/documents/site/browser/search.js',
  'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
  'text.css': 'functions/accounts/documents/site/browser/text.css',
  'reference.css': 'functions/accounts/documents/site/browser/reference.css',
  'reference.js': 'functions/accounts/documents/site/browser/reference.js',
  'swagger-ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
};

/** Every file that the site is made from, by its name, and its path in the repository. */
export const siteSources: Readonly<Record<string, string>> = {
  ...siteScripts,
  ...siteDownloads,
  'openapi.json': 'docs/openapi.json',
  ...Object.fromEntries(sitePages.map(({ slug, file }) => [`${slug}.md`, file])),
};
