import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseNotes, releaseUnreleased, whyNotNext } from '#lib/build/release-notes.ts';

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('a release', () => {
  it('has notes in the changelog for the current version', () => {
    expect(releaseNotes(changelog, version)).toMatch(/^### (?:Added|Changed|Fixed|Security)$/m);
  });

  it('takes what is unreleased, once there is something', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- It\n\n## 1.0.0 - 2026-11-26\n\nOld\n';
    const released = releaseUnreleased(text, '1.1.0', '2026-11-28');
    expect(releaseNotes(released, '1.1.0')).toBe('### Fixed\n\n- It\n');
    expect(() => releaseUnreleased(released, '1.2.0', '2026-11-29')).toThrow('nothing under "Unreleased"');
  });

  it.each([
    ['1.1.0', undefined],
    ['2.0.0', undefined],
    ['1.0.1', undefined],
    ['1.0.0', '1.0.0 is released already, as commit abc.'],
    ['0.9.9', '0.9.9 comes before 1.0.0.'],
    ['v1.1.0', 'v1.1.0 is no version, such as 1.2.0.'],
  ])('may be %s after 1.0.0: %s', (next, problem) => {
    expect(whyNotNext(next, '1.0.0', { '1.0.0': 'abc' })).toBe(problem);
  });

  it('takes the notes of its own version only', () => {
    const text = '# Changelog\n\n## 1.1.0 - 2027-01-02\n\nNew\n\n## 1.0.0 - 2026-11-26\n\nOld\n';
    expect(releaseNotes(text, '1.1.0')).toBe('New\n');
    expect(releaseNotes(text, '1.0.0')).toBe('Old\n');
    expect(() => releaseNotes(text, '1.2.0')).toThrow('no dated section for 1.2.0');
    expect(() => releaseNotes('## 1x0.0 - 2026-11-26\n', '1.0.0')).toThrow('no dated section');
  });

  it('is refused if its tag is not the current version', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/release.ts', '--tag', 'v0.0.1'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, `The tag is v0.0.1, but package.json has version ${version}.\n`]);
  });
});
