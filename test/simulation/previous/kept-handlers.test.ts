import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keptModule, readRecord } from './kept-handlers.ts';

/** The releases of the changelog, the newest first, and whether it lists changes after the newest. */
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const releases = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
const hasUnreleased = /^## Unreleased\n+(?!\n|## )/m.test(changelog);

describe('the kept handlers of the previous release', () => {
  it('have the checksum that their record names', () => {
    expect(keptModule().length).toBeGreaterThan(100_000);
  });

  it('are those of the newest release that others can have deployed', () => {
    const { version } = readRecord();
    // The commit that makes a release cannot have its handlers yet.
    expect(hasUnreleased ? releases.slice(0, 1) : releases.slice(0, 2)).toContain(version);
  });
});
