import type { TestModule, TestSpecification } from 'vitest/node';
import { DefaultReporter } from 'vitest/node';

/** The names of passed files are printed up to this number of files. */
const maxNamedFiles = 20;

/** The default reporter, which prints only the failed files of a large run. */
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
