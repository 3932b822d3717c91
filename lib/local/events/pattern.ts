import { isFields } from '#core/kernel/is-object.ts';

type Rule = Readonly<Record<string, unknown>>;

/**
 * Checks whether a value fits an event pattern, as the filters of event source mappings spell it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html#filtering-syntax
 */
export const fits = (pattern: unknown, value: unknown): boolean => {
  if (!isFields(pattern)) throw new Error('A pattern is an object.');
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === '$or') return Array.isArray(wanted) && wanted.some((part) => fits(part, value));
    const found = isFields(value) ? value[key] : undefined;
    return Array.isArray(wanted) ? wanted.some((rule) => fitsRule(rule, found)) : fits(wanted, found);
  });
};

const fitsRule = (rule: unknown, value: unknown): boolean => {
  if (!isFields(rule)) return rule === value;
  const [[name, argument] = ['', undefined]] = Object.entries(rule satisfies Rule);
  const check = rules[name];
  if (!check) throw new Error(`The local stack does not know the filter rule ${name}.`);
  return check(argument, value);
};

const rules: Readonly<Record<string, ((argument: unknown, value: unknown) => boolean) | undefined>> = {
  exists: (argument, value) => (value !== undefined) === argument,
  prefix: (argument, value) => typeof value === 'string' && value.startsWith(String(argument)),
  suffix: (argument, value) => typeof value === 'string' && value.endsWith(String(argument)),
  'equals-ignore-case': (argument, value) => String(value).toLowerCase() === String(argument).toLowerCase(),
  'anything-but': (argument, value) =>
    value !== undefined && !(Array.isArray(argument) ? argument : [argument]).includes(value),
};
