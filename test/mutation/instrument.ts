import { parseAst } from 'vitest/node';
import { isFields } from '#core/kernel/is-object.ts';

/**
 * Rewrites a source file so that one build has all of its mutants. Every place that can be mutated calls a switch (switches.ts) with the
 * number of its mutant; the switch does what the source says unless that mutant is on. Line numbers stay as they are.
 *
 * | kind | what a mutant changes |
 * |---|---|
 * | comparison | `<` to `<=`, `===` to `!==`, and so on |
 * | condition | what `if`, `?:`, `while` and `for` test: always true, always false |
 * | operand | an operand of `&&`, `||` or `??` is left out |
 * | boolean | `true` to `false` |
 * | negation | `!x` to `x` |
 * | arithmetic | `+` to `-`, `*` to `/` |
 * | returned | a number or text that a function returns |
 * | call | a call whose result is not used is left out |
 * | table condition | a DynamoDB condition, or one of its parts, always holds |
 */
export type Mutant = {
  id: number;
  line: number;
  kind: MutantKind;
  was: string;
  becomes: string;
  /** Leaves out an empty value after `??`, which the type checker demands where it cannot know that there is a value. Not counted. */
  isIdle?: true;
};
export type MutantKind =
  | 'comparison'
  | 'condition'
  | 'operand'
  | 'boolean'
  | 'negation'
  | 'arithmetic'
  | 'returned'
  | 'call'
  | 'table condition';
export type Instrumented = { code: string; mutants: Mutant[] };

type SourceNode = { type: string; start: number; end: number } & Record<string, unknown>;

/** Counterparts of operators; the first of a comparison moves its boundary. */
const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const opposites: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
};
const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };

const isNode = (value: unknown): value is SourceNode =>
  isFields(value) && typeof value['type'] === 'string' && typeof value['start'] === 'number';
const child = (node: SourceNode, key: string): SourceNode | undefined => {
  const value = node[key];
  return isNode(value) ? value : undefined;
};
const childNodes = (node: SourceNode): [key: string, child: SourceNode][] =>
  Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, SourceNode][] =>
      isNode(one) ? [[key, one]] : [],
    ),
  );

const isEmpty = ({ type, value, bigint, elements, properties }: SourceNode): boolean =>
  (type === 'Literal' && (value === '' || value === 0 || bigint === '0')) ||
  (type === 'ArrayExpression' && Array.isArray(elements) && elements.length === 0) ||
  (type === 'ObjectExpression' && Array.isArray(properties) && properties.length === 0);

/** The use of an expression's value: only tested, an operand, or returned. */
type Use = 'test' | 'operand' | 'returned' | undefined;

const holdsCondition = new Set([
  'IfStatement',
  'ConditionalExpression',
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement',
]);
const isText = ({ type, value }: SourceNode): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
/** Leaving out `?? null` gives undefined instead, which callers seldom tell from null. */
const isNothing = ({ type, value, name, raw }: SourceNode): boolean =>
  (type === 'Literal' && value === null && raw === 'null') || (type === 'Identifier' && name === 'undefined');

class Instrumenter {
  readonly mutants: Mutant[] = [];
  readonly #source: string;
  /** Insertions at their positions; at one position those of outer expressions come first before, and last after them. */
  readonly #before = new Map<number, string>();
  readonly #after = new Map<number, string>();
  /** Operators that a comma replaces. */
  readonly #replaced: { start: number; end: number }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  #text({ start, end }: { start: number; end: number }): string {
    const text = this.#source.slice(start, end).replace(/\s+/g, ' ');
    return text.length > 70 ? `${text.slice(0, 67)}...` : text;
  }

  #add(node: SourceNode, kind: MutantKind, was: string, becomes: string): number {
    const id = this.mutants.length;
    const line = this.#source.slice(0, node.start).split('\n').length;
    this.mutants.push({ id, line, kind, was, becomes });
    return id;
  }

  #wrap({ start, end }: SourceNode, before: string, after = ')'): void {
    this.#before.set(start, (this.#before.get(start) ?? '') + before);
    this.#after.set(end, after + (this.#after.get(end) ?? ''));
  }

  /** Replaces the operator between two operands by a comma, whatever parentheses and comments are between them. */
  #replaceOperator(left: SourceNode, right: SourceNode, operator: string): void {
    const between = this.#source
      .slice(left.end, right.start)
      .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, (comment) => ' '.repeat(comment.length));
    const start = left.end + between.indexOf(operator);
    this.#replaced.push({ start, end: start + operator.length });
  }

  visit(node: SourceNode, use: Use, parent: SourceNode): void {
    if (node.type.startsWith('TS')) {
      // Types leave no trace; `x as T` and `x satisfies T` have the use of x.
      const expression = child(node, 'expression');
      if (expression) this.visit(expression, use, parent);
      return;
    }
    if (use === 'test') this.#mutateCondition(node, parent);
    this.#mutate(node, use);
    for (const [key, one] of childNodes(node)) {
      if (/type(?:Annotation|Parameters|Arguments)|returnType|superTypeArguments/i.test(key)) continue;
      if (node.type === 'Property' && key === 'key' && node['computed'] !== true) continue;
      if (node.type === 'Property' && node['shorthand'] === true && key === 'value') continue;
      if (/^(?:Import|ExportAll)/.test(node.type) && node.type !== 'ImportExpression') continue;
      this.visit(one, this.#useOf(node, key, use), node);
    }
  }

  #useOf(parent: SourceNode, key: string, use: Use): Use {
    if (key === 'test' && holdsCondition.has(parent.type)) return 'test';
    if (parent.type === 'LogicalExpression') return 'operand';
    if (parent.type === 'UnaryExpression' && parent['operator'] === '!' && (use === 'test' || use === 'operand'))
      return use;
    if (parent.type === 'ReturnStatement') return 'returned';
    if (parent.type === 'ArrowFunctionExpression' && key === 'body') return 'returned';
    if (parent.type === 'ConditionalExpression' && key !== 'test' && use === 'returned') return 'returned';
    return undefined;
  }

  #mutate(node: SourceNode, use: Use): void {
    switch (node.type) {
      case 'BinaryExpression':
        this.#mutateBinary(node, use);
        break;
      case 'LogicalExpression':
        this.#mutateLogical(node);
        break;
      case 'UnaryExpression':
        this.#mutateNegation(node, use);
        break;
      case 'Literal':
        this.#mutateLiteral(node, use);
        break;
      case 'ExpressionStatement':
        this.#mutateCall(node);
        break;
      case 'Property':
        this.#mutateTableCondition(node);
        break;
    }
  }

  /**
   * A test that finds `a && b` without `a` also finds what is always true, and one that finds `a || b` without `a` what is always false:
   * those have no mutants of their own. A loop whose condition always holds does not end.
   */
  #mutateCondition(node: SourceNode, parent: SourceNode): void {
    const operator = node.type === 'LogicalExpression' ? node['operator'] : undefined;
    const isLoop = /^(?:While|DoWhile|For)/.test(parent.type);
    const text = this.#text(node);
    const always = operator === '&&' || isLoop ? -1 : this.#add(node, 'condition', text, 'true');
    const never = operator === '||' ? -1 : this.#add(node, 'condition', text, 'false');
    this.#wrap(node, `$m.test(${always}, ${never}, `);
  }

  #mutateBinary(node: SourceNode, use: Use): void {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    const operator = String(node['operator']);
    if (!left || !right) return;
    const swap = (kind: MutantKind, other: string) =>
      this.#add(node, kind, this.#text(node), `${this.#text(left)} ${other} ${this.#text(right)}`);
    const [boundary, opposite, calculated] = [boundaries[operator], opposites[operator], arithmetic[operator]];
    if (calculated) {
      if (operator === '+' && (isText(left) || isText(right) || this.#joinsText(left))) return;
      this.#replaceOperator(left, right, operator);
      this.#wrap(node, `$m.calculate(${swap('arithmetic', calculated)}, '${operator}', `);
      return;
    }
    if (boundary) {
      const first = swap('comparison', boundary);
      // Where only the truth is used, the mutants of the condition or of the operand say more.
      const second = use === 'test' || use === 'operand' || !opposite ? -1 : swap('comparison', opposite);
      this.#replaceOperator(left, right, operator);
      this.#wrap(node, `$m.compare(${first}, ${second}, '${operator}', `);
      return;
    }
    if (opposite && use !== 'test' && use !== 'operand')
      this.#wrap(node, `$m.negate(${swap('comparison', opposite)}, `);
  }

  #joinsText(node: SourceNode): boolean {
    if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return false;
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    return (left && (isText(left) || this.#joinsText(left))) || (right && isText(right)) || false;
  }

  #mutateLogical(node: SourceNode): void {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    const operator = String(node['operator']);
    if (!left || !right) return;
    const neutral = { '&&': 'true', '||': 'false' }[operator] ?? 'undefined';
    // An operand that is itself such an expression has mutants of its own.
    const ends = (one: SourceNode) => one.type !== 'LogicalExpression' || one['operator'] !== operator;
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (!ends(one) || isNothing(one)) continue;
      const id = this.#add(one, 'operand', this.#text(node), this.#text(other));
      const mutant = this.mutants[id];
      if (mutant && one === right && operator === '??' && isEmpty(one)) mutant.isIdle = true;
      this.#wrap(one, `($m.on(${id}) ? ${neutral} : (`, '))');
    }
  }

  #mutateNegation(node: SourceNode, use: Use): void {
    const argument = child(node, 'argument');
    if (node['operator'] !== '!' || !argument || use === 'test' || use === 'operand') return;
    const inner = child(argument, 'argument');
    if (argument.type === 'UnaryExpression' && argument['operator'] === '!' && inner) return;
    this.#wrap(node, `$m.negate(${this.#add(node, 'negation', this.#text(node), this.#text(argument))}, `);
  }

  #mutateLiteral(node: SourceNode, use: Use): void {
    const { value } = node;
    if (typeof value === 'boolean') {
      this.#wrap(node, `$m.negate(${this.#add(node, 'boolean', String(value), String(!value))}, `);
    } else if (use === 'returned' && (typeof value === 'number' || typeof value === 'string')) {
      const other = typeof value === 'number' ? String(value + 1) : value === '' ? "'mutant'" : "''";
      this.#wrap(node, `$m.replace(${this.#add(node, 'returned', this.#text(node), other)}, ${other}, `);
    }
  }

  #mutateCall(node: SourceNode): void {
    const expression = child(node, 'expression');
    const call = expression?.type === 'AwaitExpression' ? child(expression, 'argument') : expression;
    if (!expression || call?.type !== 'CallExpression' || child(call, 'callee')?.type === 'Super') return;
    this.#wrap(expression, `$m.on(${this.#add(node, 'call', this.#text(expression), 'nothing')}) || (`);
  }

  #mutateTableCondition(node: SourceNode): void {
    const [key, value] = [child(node, 'key'), child(node, 'value')];
    if (
      key?.['name'] !== 'ConditionExpression' ||
      !value ||
      !/^(?:Literal|TemplateLiteral|ConditionalExpression)$/.test(value.type)
    )
      return;
    const text = this.#text(value);
    const first = this.#add(value, 'table condition', text, 'nothing');
    const parts =
      value.type === 'ConditionalExpression' ? [] : this.#source.slice(value.start + 1, value.end - 1).split(' AND ');
    if (parts.length > 1)
      for (const part of parts) this.#add(value, 'table condition', text, `${text} without ${part}`);
    this.#wrap(value, `$m.condition(${first}, ${parts.length > 1 ? parts.length : 0}, `);
  }

  print(file: string): string {
    const positions = new Set([...this.#before.keys(), ...this.#after.keys()]);
    const replaced = new Map(this.#replaced.map(({ start, end }) => [start, end]));
    for (const start of replaced.keys()) positions.add(start);
    let [code, at] = ['', 0];
    for (const position of [...positions].sort((one, other) => one - other)) {
      code += this.#source.slice(at, position) + (this.#after.get(position) ?? '') + (this.#before.get(position) ?? '');
      at = position;
      const end = replaced.get(position);
      if (end !== undefined) {
        code += ',';
        at = end;
      }
    }
    const opening = `const $m = globalThis[Symbol.for('mutation switches')].of(${JSON.stringify(file)}, ${this.mutants.length}); `;
    return opening + code + this.#source.slice(at);
  }
}

/** `file`: the name by which the switches know it. */
export const instrument = (source: string, file: string): Instrumented => {
  const program: unknown = parseAst(source, { lang: 'ts' });
  if (!isNode(program)) throw new Error(`${file} cannot be parsed`);
  const instrumenter = new Instrumenter(source);
  instrumenter.visit(program, undefined, program);
  const { mutants } = instrumenter;
  return { code: mutants.length === 0 ? source : instrumenter.print(file), mutants };
};
