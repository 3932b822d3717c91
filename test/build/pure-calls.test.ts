import { describe, expect, it } from 'vitest';
import { markPure } from '../../lib/build/pure-calls.ts';

const mark = '/* @__PURE__ */ ';

describe('calls that only build a declaration or a schema', () => {
  it.each([
    ['const A = v.object({});', `const A = ${mark}v.object({});`],
    ['const A = v.pipe(v.string(), v.trim());', `const A = ${mark}v.pipe(${mark}v.string(), ${mark}v.trim());`],
    ['export const one = defineOperation({', `export const one = ${mark}defineOperation({`],
    ['const w = defineWorker({', `const w = ${mark}defineWorker({`],
    ['const T = Text(40);', `const T = ${mark}Text(40);`],
  ])('%s is marked', (source, marked) => expect(markPure(source)).toBe(marked));

  it.each(['v.parse(A, input);', 'v.safeParse(A, input);', 'new Map();', 'save(A);', 'function Text() {}'])(
    '%s is left alone',
    (source) => expect(markPure(source)).toBe(source),
  );
});
