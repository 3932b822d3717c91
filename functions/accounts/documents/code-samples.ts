import { asFields, isFields } from '#core/kernel/is-object.ts';

type Json = Record<string, unknown>;

/** The call of an operation, in the languages that shops are written in. */
type SampleCall = {
  method: string;
  /** With its variables filled in. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** As it is sent. */
  body: string | null;
};

type CodeSample = { lang: string; label: string; source: string };

const server = 'http://127.0.0.1:3000';
const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const escapeQuotes = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const curl = ({ method, path, headers, body }: SampleCall): string =>
  [
    `curl -sS -X ${method} ${server}${path}`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === null ? [] : [`--data-binary ${single(body)}`]),
  ].join(' \\\n  ');

/** `$TOKEN` of the shell, in another language's words. */
const value = (text: string, variable: (name: string) => string, quote: (text: string) => string, plus: string) => {
  const [before = '', name] = text.split('$');
  if (name === undefined) return quote(text);
  return before === '' ? variable(name) : `${quote(before)} ${plus} ${variable(name)}`;
};

const node = ({ method, path, headers, body }: SampleCall): string => {
  const lines = Object.entries(headers).map(
    ([name, text]) => `    '${name}': ${value(text, (one) => `process.env.${one}`, escapeQuotes, '+')},`,
  );
  return [
    `const response = await fetch('${server}${path}', {`,
    `  method: '${method}',`,
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body === null ? [] : [`  body: ${escapeQuotes(body)},`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
};

/** Without extensions, which a plain PHP lacks. */
const php = ({ method, path, headers, body }: SampleCall): string => {
  const lines = Object.entries(headers).map(
    ([name, text]) => `    ${value(`${name}: ${text}`, (one) => `getenv('${one}')`, escapeQuotes, '.')},`,
  );
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    `  'method' => '${method}',`,
    "  'ignore_errors' => true,",
    ...(lines.length > 0 ? ["  'header' => [", ...lines, '  ],'] : []),
    ...(body === null ? [] : [`  'content' => ${escapeQuotes(body)},`]),
    ']]);',
    `print_r(json_decode(file_get_contents('${server}${path}', false, $context), true));`,
  ].join('\n');
};

const python = ({ method, path, headers, body }: SampleCall): string => {
  const lines = Object.entries(headers).map(
    ([name, text]) => `        '${name}': ${value(text, (one) => `os.environ['${one}']`, escapeQuotes, '+')},`,
  );
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    '${server}${path}',`,
    `    method='${method}',`,
    ...(lines.length > 0 ? ['    headers={', ...lines, '    },'] : []),
    ...(body === null ? [] : [`    data=${escapeQuotes(body)}.encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
};

/** The headers that prove who calls, as variables of a shell. */
const proofOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bearer: { authorization: 'Bearer $TOKEN' },
  site: { rcode: '$RCODE' },
};

/** The call that an entry of the API document describes, from the examples of its parameters and of its body. */
const toSampleCall = (path: string, method: string, entry: Json): SampleCall => {
  const given = (Array.isArray(entry['parameters']) ? entry['parameters'] : []).map(asFields);
  const shown = given.filter(({ example }) => example !== undefined);
  const filled = shown.reduce<string>((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const inQuery = shown.filter(({ in: place }) => place === 'query');
  const query = new URLSearchParams(inQuery.map(({ name, example }) => [String(name), String(example)])).toString();
  const [scheme] = Array.isArray(entry['security']) ? entry['security'] : [];
  const content = Object.entries(asFields(asFields(entry['requestBody'])['content']));
  const [type, media] = content.find(([, one]) => isFields(one) && 'example' in one) ?? [];
  const example = asFields(media)['example'];
  return {
    method: method.toUpperCase(),
    path: `${filled}${query && `?${query}`}`,
    headers: {
      ...proofOf[Object.keys(asFields(scheme))[0] ?? ''],
      ...(type !== undefined && { 'content-type': type }),
    },
    body: type === undefined ? null : bodyText(type, example),
  };
};

const bodyText = (type: string, example: unknown): string => {
  if (type === 'application/json') return JSON.stringify(example);
  const fields = Object.entries(asFields(example)).map(([name, one]) => [name, String(one)]);
  return new URLSearchParams(fields).toString();
};

/** Adds the samples of each call to the API document; an entry that has a list of its own keeps it. */
export const withCodeSamples = (text: string): string => {
  const document = asFields(JSON.parse(text));
  for (const [path, methods] of Object.entries(asFields(document['paths'])))
    for (const [method, entry] of Object.entries(asFields(methods)))
      if (isFields(entry)) entry['x-codeSamples'] ??= codeSamples(toSampleCall(path, method, entry));
  return JSON.stringify(document);
};

export const codeSamples = (call: SampleCall): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: curl(call) },
  { lang: 'JavaScript', label: 'Node', source: node(call) },
  { lang: 'PHP', label: 'PHP', source: php(call) },
  { lang: 'Python', label: 'Python', source: python(call) },
];
