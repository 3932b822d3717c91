import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openState, type State } from '#lib/local/state.ts';

let folder = '';
let state: State | undefined;
afterEach(() => {
  state?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a state whose disk is full names the cause, keeps what it has, and goes on once there is room', () => {
  folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
  const opened = openState(folder);
  state = opened;
  opened.set('before', 'kept');
  opened.database.exec('PRAGMA max_page_count = 8');
  const fill = () =>
    opened.together(() => {
      opened.set('first', 'lost');
      opened.set('large', 'x'.repeat(1_000_000));
    });
  expect(fill).toThrow(/database or disk is full/);
  expect(fill).toThrow(/database or disk is full/);
  expect([opened.get('before'), opened.get('first')]).toEqual(['kept', undefined]);
  expect(opened.writeProblem()).toBeUndefined();
  opened.database.exec('PRAGMA max_page_count = 100000');
  fill();
  expect(opened.get('first')).toBe('lost');
});
