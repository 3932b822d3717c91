import type { TestModule, TestSpecification } from 'vitest/node';
import { DefaultReporter } from 'vitest/node';

/** A run of at most this many files names each of them. */
const maxNamedFiles = 20;

/** The default reporter; a run of many files names only those that fail. */
export default class BriefReporter extends DefaultReporter {
  private files = 0;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = specifications.length;
    super.onTestRunStart(specifications);
  }

  override printTestModule(module: TestModule): void {
    if (this.files <= maxNamedFiles || module.state() === 'failed') super.printTestModule(module);
  }
}
