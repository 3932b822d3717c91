import { App } from 'aws-cdk-lib';
import { PipelineStack } from '#lib/cloud/pipeline-stack.ts';

/**
 * The CDK app of the role with which a workflow deploys a stage: `npx cdk deploy --app "node_modules/.bin/node bin/pipeline.ts" -c repository=<owner>/<name>
 * -c stage=<name>`. With `-c provider=existing` it uses the account's provider of GitHub.
 */
const app = new App({ analyticsReporting: false });
const readContext = (name: string, pattern: RegExp, form: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw new Error(`${name}: give ${form} with -c ${name}=…`);
};
const stage = readContext('stage', /^[a-z][a-z0-9]{0,11}$/, 'the name of the stage');
new PipelineStack(app, `forewarn-${stage}-pipeline`, {
  repository: readContext('repository', /^[\w.-]+\/[\w.-]+$/, 'the repository on GitHub as owner/name'),
  stage,
  isProviderKnown: app.node.tryGetContext('provider') === 'existing',
  env: { region: process.env['CDK_DEFAULT_REGION'] ?? 'eu-west-1' },
});
app.synth();
