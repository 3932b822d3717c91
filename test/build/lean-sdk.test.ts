import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leanSdk } from '../../lib/build/lean-sdk.ts';

/** What stands in for parts of the SDK has to do what those do, wherever a stage may be. */

const clients = ['client-dynamodb', 'client-sqs', 'client-secrets-manager'] as const;
const regions = [
  ...['us-east-1', 'eu-west-1', 'eu-central-2', 'ap-southeast-5', 'il-central-1', 'mx-central-1'],
  ...[
    'cn-north-1',
    'cn-northwest-1',
    'us-gov-west-1',
    'us-gov-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'eusc-de-east-1',
  ],
];

type Resolve = (parameters: Record<string, unknown>) => { url: URL; headers?: unknown; properties?: unknown };

/** How a client finds its service, as it is bundled with or without the plugin. */
const resolverOf = async (client: string, plugins: (typeof leanSdk)[]): Promise<Resolve> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { defaultEndpointResolver } from './endpoint/endpointResolver';`,
      resolveDir: `node_modules/@aws-sdk/${client}/dist-es`,
      sourcefile: `node_modules/@aws-sdk/${client}/dist-es/runtimeConfig.shared.js`,
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', mainFields: ['module', 'main'], plugins },
  });
  const text = outputFiles[0]?.text ?? '';
  const module = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  return module.defaultEndpointResolver as Resolve;
};

describe.each(clients)('%s finds its service', (client) => {
  it('in every region as the whole SDK does, and where it is told to', async () => {
    const [lean, whole] = await Promise.all([resolverOf(client, [leanSdk]), resolverOf(client, [])]);
    for (const Region of regions) {
      expect(lean({ Region }).url.href, Region).toBe(whole({ Region }).url.href);
    }
    const told = { Region: 'eu-west-1', Endpoint: 'http://127.0.0.1:8000/base' };
    expect(lean(told).url.href).toBe(whole(told).url.href);
  });

  it('says that it knows no other kind of address', async () => {
    const lean = await resolverOf(client, [leanSdk]);
    for (const kind of ['UseFIPS', 'UseDualStack']) {
      expect(() => lean({ Region: 'eu-west-1', [kind]: true })).toThrow('not part of this build');
    }
  });
});
