import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leanSdk } from '#lib/build/lean-sdk.ts';
import { shortErrors } from '#lib/build/sdk-errors.ts';

/** Replacements of parts of the SDK must do what those do, wherever a stage may be. */

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

/** Returns how a client finds its service, bundled with or without the plugin. */
const makeResolver = async (client: string, plugins: (typeof leanSdk)[]): Promise<Resolve> => {
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

describe.each(clients)('the endpoint of %s', (client) => {
  it('equals that of the whole SDK in every region, and can be configured', async () => {
    const [lean, whole] = await Promise.all([makeResolver(client, [leanSdk]), makeResolver(client, [])]);
    for (const Region of regions) {
      expect(lean({ Region }).url.href, Region).toBe(whole({ Region }).url.href);
    }
    const told = { Region: 'eu-west-1', Endpoint: 'http://127.0.0.1:8000/base' };
    expect(lean(told).url.href).toBe(whole(told).url.href);
  });

  it('is refused for FIPS and dual-stack addresses', async () => {
    const lean = await makeResolver(client, [leanSdk]);
    for (const kind of ['UseFIPS', 'UseDualStack']) {
      expect(() => lean({ Region: 'eu-west-1', [kind]: true })).toThrow('not part of this build');
    }
  });
});

/** A part of a package, bundled with or without the plugin as one of the package's own files, `asker`, asks for it. */
const findModule = async (resolveDir: string, contents: string, plugins: (typeof leanSdk)[], asker = 'index.js') => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, sourcefile: `${resolveDir}/${asker}` },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', mainFields: ['module', 'main'], plugins },
  });
  const text = outputFiles[0]?.text ?? '';
  return (await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)) as Record<
    string,
    unknown
  >;
};
const both = (resolveDir: string, contents: string) =>
  Promise.all([findModule(resolveDir, contents, [leanSdk]), findModule(resolveDir, contents, [])]);

type ErrorClass = new (options: object) => Error;

describe.each([...clients, 'client-scheduler', 'client-sesv2'])('the errors of %s', (client) => {
  it('are the same classes, with the same fields', async () => {
    const [lean, whole] = await both(`node_modules/@aws-sdk/${client}/dist-es/models`, `export * from './errors';`);
    expect(Object.keys(lean)).toEqual(Object.keys(whole));
    const options = {
      ...{ message: 'It is so', $metadata: { requestId: 'r-1' }, Message: 'So it is', throttlingReasons: [1] },
      ...{ Item: { pk: 1 }, CancellationReasons: [{ Code: 'None' }], ThrottlingReasons: [2], ResourceId: 'r' },
    };
    const shown = (One: unknown) => {
      const error = new (One as ErrorClass)(options);
      return [error.name, error instanceof (One as ErrorClass), String(error), { ...error }];
    };
    for (const name of Object.keys(whole)) expect(shown(lean[name])).toEqual(shown(whole[name]));
  });
});

it('errors that are written in another way are not taken for fewer', () => {
  const head = 'import { AException as __BaseException } from "./AException";\n';
  expect(() => shortErrors(`${head}export function NewError() {}\n`)).toThrow('in another way');
  expect(() => shortErrors(`${head}export class NewError extends __BaseException {\n}\n`)).toThrow(
    'does not state its fault',
  );
});

describe('dates', () => {
  const wanted = `export { parseEpochTimestamp, parseRfc3339DateTimeWithOffset, parseRfc7231DateTime, dateToUtcString } from './date-utils';`;
  it('are read and written as by the whole SDK', async () => {
    const [lean, whole] = (await both('node_modules/@smithy/core/dist-es/submodules/serde', wanted)) as Record<
      string,
      (value: unknown) => unknown
    >[];
    const calls: [string, unknown][] = [
      ['parseEpochTimestamp', 1_777_716_000.123],
      ['parseEpochTimestamp', '1777716000'],
      ['parseEpochTimestamp', null],
      ['parseRfc3339DateTimeWithOffset', '2026-05-02T10:00:00.5+02:00'],
      ['parseRfc7231DateTime', 'Sat, 02 May 2026 10:00:00 GMT'],
      ['dateToUtcString', new Date('2026-05-02T10:00:00Z')],
    ];
    for (const [name, value] of calls) expect(lean?.[name]?.(value), name).toEqual(whole?.[name]?.(value));
    expect(() => lean?.['parseRfc7231DateTime']?.('some day')).toThrow('Not a date');
  });
});

describe('hosts of single operations', () => {
  const operations = ['client-dynamodb', 'client-sqs', 'client-secrets-manager', 'client-scheduler', 'client-sesv2'];
  const wanted = `export { getHttpOperationBindings } from './HttpBindingNormalizedSchema';`;
  const protocols = 'node_modules/@smithy/core/dist-es/submodules/protocols';
  const hostOf = async (plugins: (typeof leanSdk)[]) => {
    const { getHttpOperationBindings } = await findModule(protocols, wanted, plugins, 'HttpProtocol.js');
    return (operation: unknown) => (getHttpOperationBindings as (operation: unknown) => unknown[])(operation)[4];
  };

  it.each(operations)('are none in %s', async (client) => {
    const schemas = await findModule(
      `node_modules/@aws-sdk/${client}/dist-es/schemas`,
      `export * from './schemas_0';`,
      [],
    );
    const [lean, whole] = await Promise.all([hostOf([leanSdk]), hostOf([])]);
    // An operation is a list: 9, its namespace, its name, its traits, and what goes in and out.
    const declared = Object.values(schemas).flatMap((one) =>
      Array.isArray(one) && one[0] === 9 ? [{ name: String(one[2]), traits: one[3] }] : [],
    );
    expect(declared.length).toBeGreaterThan(0);
    for (const one of declared) expect([lean(one), whole(one)], one.name).toEqual([undefined, undefined]);
  });

  it('are refused with an error', async () => {
    const traits = { endpoint: ['data-'] };
    expect((await hostOf([]))({ traits })).toBe('data-');
    const lean = await hostOf([leanSdk]);
    expect(() => lean({ traits })).toThrow('not part of this build');
  });
});

describe('XML', () => {
  const texts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<r><id>007</id><a x="1">&lt;&#65;&amp;</a><a><![CDATA[<b>]]></a><!-- no --><c/></r>',
    '<?xml version="1.1"?><r>1</r>',
    '<r><open></r>',
    '<!DOCTYPE r [<!ENTITY e "e">]><r>&e;</r>',
    '<!doctype r><r/>',
  ];
  it('is read as by the whole parser, which is given no document types', async () => {
    const [lean, whole] = await both('functions/payments/processors', `export { parsedXml } from './xml.ts';`);
    const readBy = (module: Record<string, unknown>) => texts.map(module['parsedXml'] as (text: string) => unknown);
    expect(readBy(lean)).toEqual(readBy(whole));
    expect(readBy(lean).map((read) => read !== undefined)).toEqual([true, true, false, false, false]);
  });
});
