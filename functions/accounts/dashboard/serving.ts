const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** The ending of the file that holds a coding of another. */
export const endingOf: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/**
 * Returns the best coding that an `accept-encoding` header accepts; of equal ones, the server's preference.
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.accept-encoding
 */
export const codingFor = (header: string | undefined): Coding => {
  const taken = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const weightOf = (coding: Coding) => taken.get(coding) ?? taken.get('*') ?? 0;
  return codings.find((coding) => coding !== 'identity' && weightOf(coding) > 0) ?? 'identity';
};

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Files whose names do not change with their content, because browsers ask for them by these. */
const lastingFiles: Readonly<Record<string, string>> = {
  'push-worker.js': 'text/javascript; charset=utf-8',
  'forewarn.webmanifest': 'application/manifest+json',
};

/** The media type of a file of the app by its name; undefined for what can be none of its files. */
export const typeOfFile = (name: string): string | undefined => {
  if (Object.hasOwn(lastingFiles, name)) return lastingFiles[name];
  const [, ending = ''] = /^[\w-]+-[A-Z0-9]{8}\.(\w+)$/.exec(name) ?? [];
  return types[ending];
};

/** The page runs its own scripts only, makes no markup of text, calls its own origin and the one to which it uploads files, and cannot be framed. */
const contentPolicy = (uploadOrigin: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    `connect-src 'self'${uploadOrigin === undefined ? '' : ` ${uploadOrigin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Of the address of the worker that shows notifications.
    'trusted-types push-worker',
  ].join('; ');

const everywhere = {
  'cross-origin-resource-policy': 'same-origin',
} as const;

export const appHeaders = (uploadOrigin: string | undefined): Readonly<Record<string, string>> => ({
  ...everywhere,
  'content-security-policy': contentPolicy(uploadOrigin),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
});

/** Files whose name changes with their content are kept for good; of others browsers ask each time. */
export const fileHeaders = (name: string): Readonly<Record<string, string>> => ({
  ...everywhere,
  'cache-control': Object.hasOwn(lastingFiles, name) ? 'no-cache' : 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
});
