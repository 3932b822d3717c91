/** The call of an operation, in the languages that shops are written in. */
export type SampleCall = {
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

export const codeSamples = (call: SampleCall): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: curl(call) },
  { lang: 'JavaScript', label: 'Node', source: node(call) },
  { lang: 'PHP', label: 'PHP', source: php(call) },
  { lang: 'Python', label: 'Python', source: python(call) },
];
