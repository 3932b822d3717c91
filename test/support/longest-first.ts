import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long, the longest first: on a clean checkout a runner knows no more of a file than its size. */
const longest = [
  'test/simulation/histories.test.ts',
  'test/simulation/planted.test.ts',
  'test/simulation/simulation.test.ts',
  'test/budget.test.ts',
  'test/build/bundle.test.ts',
  'test/local/start.test.ts',
  // Makes the demo tenant's past, which other files begin with: none of those comes at the same time.
  'test/dashboard/story.test.ts',
  'test/payments/threeds/browser.test.ts',
  'test/dashboard/dialogs.test.ts',
  'test/flows/samples.test.ts',
  'test/payments/threeds/browser-abuse.test.ts',
  'test/dashboard/screens.test.ts',
  'test/accounts/documents/docs-in-browser.test.ts',
  'test/local/stack.test.ts',
  'test/dashboard/queue.test.ts',
  'test/disputes/rules/back-test.test.ts',
  'test/dashboard/keyboard.test.ts',
  'test/cloud/api-entry.test.ts',
  'test/cloud/checks.test.ts',
];

const rankFile = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? longest.length : place;
};

/**
 * Begins with what takes longest, so that no core waits for it at the end; project by project, as a process is only shared by
 * files that follow each other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((group) => group.toSorted((one, other) => rankFile(one) - rankFile(other)));
  }
}
