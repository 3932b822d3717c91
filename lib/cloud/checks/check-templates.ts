import { checkApiImport } from './api-import.ts';
import { creationOrder, rehearseFailedCreation } from './create-rehearsal.ts';
import { checkPolicies } from './iam-grammar.ts';
import { checkQuotas, quotaBudget } from './quota-budget.ts';
import type { StackTemplates } from './stack-templates.ts';

/** One check of a stack's templates. */
export type TemplateCheck = { name: string; run: (stack: StackTemplates) => string[] };

/** The offline versions of AWS's checks when a stack is created. */
export const templateChecks: readonly TemplateCheck[] = [
  {
    name: 'API import',
    run: ({ resources }) =>
      resources
        .filter(({ type }) => type === 'AWS::ApiGateway::RestApi')
        .flatMap(({ properties }) => checkApiImport(properties['Body'])),
  },
  { name: 'IAM grammar', run: ({ resources }) => checkPolicies(resources) },
  { name: 'quotas', run: (stack) => checkQuotas(quotaBudget(stack)) },
];

/** True if a first deployment that fails at any resource can be repeated. */
export const firstDeploymentCheck: TemplateCheck = {
  name: 'failed first deployment',
  run: ({ resources }) => {
    const order = creationOrder(resources);
    return [...new Set(order.flatMap((failing) => rehearseFailedCreation(order, failing).slice(0, 1)))];
  },
};
