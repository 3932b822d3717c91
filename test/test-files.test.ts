import { describe, expect, it } from 'vitest';
import { affectedBy, listTested, listTestFiles, testsFunction, toPattern } from '#bin/commands/test-files.ts';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';

const tested = listTested();
const keysAffectedBy = (...changed: string[]) => affectedBy(changed, tested).map(({ key }) => key);
const folderOf = (key: string) => tested.find((one) => one.key === key)?.folder;

it('finds the test files of a function by its name and by its folder', () => {
  const paths = (key: string) => {
    const one = tested.find((known) => known.key === key) ?? expect.fail(`There is no ${key}`);
    return listTestFiles().flatMap((file) => (testsFunction(file, one) ? [file.path] : []));
  };
  expect(paths('alerts/note-alert')).toContain('test/disputes/alerts/note.test.ts');
  expect(paths('jobs/sweep')).toContain('test/messaging/sweep.test.ts');
});

describe('the functions that a change affects', () => {
  it('are known by area and name', () => {
    const declared = [...operations, ...workers].map(({ area, name }) => `${area}/${name}`);
    expect(tested.map(({ key }) => key).sort()).toEqual(declared.sort());
  });

  it('are one for its handler, its declaration or its sample event', () => {
    const folder = folderOf('alerts/update-alert');
    for (const changed of [`${folder}/handler.ts`, `${folder}/operation.ts`, 'events/alerts/update-alert.json']) {
      expect(keysAffectedBy(changed)).toContain('alerts/update-alert');
    }
    expect(keysAffectedBy(`${folder}/handler.ts`)).toEqual(['alerts/update-alert']);
  });

  it('are all that import the changed file, directly or not', () => {
    const imports = [...operations].filter(({ formats }) => formats?.includes('multipart'));
    const changed = keysAffectedBy('functions/core/platform/http/multipart.ts');
    expect(changed.sort()).toEqual(imports.map(({ area, name }) => `${area}/${name}`).sort());
    expect(keysAffectedBy('functions/core/platform/operation/errors.ts').length).toBeGreaterThan(operations.length / 2);
    expect(keysAffectedBy('docs/alerts.md')).toEqual([]);
  });
});

it('the pattern for operation names does not match operations that only share a prefix', () => {
  const pattern = new RegExp(toPattern(['alerts/update', 'alerts/inform']));
  expect(
    ['alerts/update', 'alerts/inform it', 'alerts/update-alert', 'auth/update'].map((one) => pattern.test(one)),
  ).toEqual([true, true, false, false]);
});
