import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Named } from '#lib/build/bundle.ts';
import { createLogGroup } from './log-groups.ts';
import { pascal } from './names.ts';
import { createFunction } from './operation-function.ts';
import type { Resources } from './policy.ts';

export type AreaStackProps = {
  area: string;
  operations: readonly Operation[];
  bundleOf: (one: Named) => string;
  resources: Resources;
};

/**
 * The operations of one area in a nested stack: for each its function and its role, for all of them one log group. Nothing
 * in it holds state, and nothing outside refers to it but by its functions' names.
 */
export class AreaStack extends NestedStack {
  constructor(scope: Construct, { area, operations, bundleOf, resources }: AreaStackProps) {
    super(scope, `${pascal(area)}Area`, { description: `${resources.names.prefix}: the operations of ${area}` });
    const logGroup = createLogGroup(this, 'Logs', `/aws/lambda/${resources.names.of(area)}`, resources.key);
    for (const declared of operations) {
      createFunction(this, { declared, dir: bundleOf(declared), resources, logGroup });
    }
  }
}
