import { describe, expect, it } from 'vitest';
import { explainCode, explainedCodes } from '#accounts/documents/error-help.ts';

describe('the help for error codes', () => {
  it('gives each code a next step of its own', () => {
    const steps = explainedCodes.map((code) => explainCode(code)?.help);
    expect(new Set(steps).size).toBe(explainedCodes.length);
  });

  it('explains nothing that is not a code', () => {
    for (const text of ['no_such_code', 'toString', '__proto__']) expect(explainCode(text)).toBeUndefined();
  });
});
