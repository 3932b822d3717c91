/** The files of the SDK, as they are served and where they lie. */

/** Every version that merchants may have pinned, the newest first; each is served permanently. */
export const sdkVersions = ['1.1.0', '1.0.1', '1.0.0'] as const;

/** The same of the device snippet. */
export const deviceVersions = ['1.0.0'] as const;

const released = 'lib/sdk/three-ds/released';
const deviceReleased = 'lib/sdk/device/released';

/** The files under `/sdk/3ds/`, by their names in the function's code, and their sources. */
export const sdkAssets: Readonly<Record<string, string>> = {
  'v1.mjs': `${released}/${sdkVersions[0]}.mjs`,
  'v1.js': `${released}/${sdkVersions[0]}.js`,
  'v1.d.ts': 'lib/sdk/three-ds/v1.d.ts',
  'integrity.json': `${released}/integrity.json`,
  'device.js': `${deviceReleased}/${deviceVersions[0]}.device.js`,
  ...Object.fromEntries(deviceVersions.map((one) => [`${one}.device.js`, `${deviceReleased}/${one}.device.js`])),
  ...Object.fromEntries(
    sdkVersions.flatMap((version) =>
      ['mjs', 'js'].map((ending) => [`${version}.${ending}`, `${released}/${version}.${ending}`]),
    ),
  ),
};

const types: Readonly<Record<string, string>> = {
  mjs: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Returns the headers of a file; undefined if there is no such file. Any page may load it, and check its hash. */
export const sdkHeaders = (name: string): Record<string, string> | undefined => {
  if (!Object.hasOwn(sdkAssets, name)) return undefined;
  const isForGood = /^\d/.test(name);
  return {
    'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8',
    'cache-control': isForGood ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
};
