/** An error of a client, as its package writes it: a class of fifteen lines in which only the names differ. */
const errorClass = /^export class (\w+) extends __BaseException \{\n([\s\S]*?)^\}\n?/gm;
/** Where their base class comes from. */
const baseImport = /^import \{ \w+ as __BaseException \} from "[^"]+";\n/;

const namesIn = (pattern: RegExp, body: string): string[] => [...body.matchAll(pattern)].map(([, name = '']) => name);

const shortenClass = (name: string, body: string): string => {
  const [fault] = namesIn(/^ {4}\$fault = "(\w+)";$/gm, body);
  if (fault === undefined) throw new Error(`The SDK's error ${name} does not state its fault (client or server)`);
  const retryable = /^ {4}\$retryable = (.+);$/m.exec(body)?.[1];
  const given = JSON.stringify(namesIn(/^ {8}this\.(\w+) = opts\.\1;$/gm, body));
  return `export const ${name} = /*#__PURE__*/ error("${name}", "${fault}", ${given}${retryable ? `, ${retryable}` : ''});\n`;
};

const common = `const error = (name, $fault, given, $retryable) => {
  class Named extends __BaseException {
    constructor(options) {
      super({ name, $fault, ...options });
      Object.setPrototypeOf(this, Named.prototype);
      Object.assign(this, { name, $fault }, $retryable && { $retryable });
      for (const field of given) this[field] = options[field];
    }
  }
  return Named;
};
`;

/** The same classes, made by one function: 2 KB zipped less of a function with three clients. Throws for what it cannot read completely. */
export const shortErrors = (source: string): string => {
  const [base = ''] = baseImport.exec(source) ?? [];
  const rest = source.replace(baseImport, '').replaceAll(errorClass, '');
  if (base === '' || rest.trim() !== '')
    throw new Error(`The SDK writes its errors in another way now: ${rest.slice(0, 200)}`);
  const classes = [...source.matchAll(errorClass)].map(([, name = '', body = '']) => shortenClass(name, body));
  return `${base}${common}${classes.join('')}`;
};
