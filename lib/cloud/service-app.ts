import { readFileSync } from 'node:fs';
import { App, CloudFormationValidatePlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, PCIDSS321Checks } from 'cdk-nag';
import { acceptFindings } from './accepted-findings.ts';
import { stageNames } from './names.ts';
import { type Service, ServiceStack } from './service-stack.ts';
import { isProtected, readSettings, readStageFile, type Settings } from './settings.ts';

export type ServiceAppProps = Service & {
  /** Where the cloud assembly goes; the CLI says so itself. */
  outdir?: string;
  /** Settings in addition to those of `cdk.json` and the command line. */
  context?: Readonly<Record<string, unknown>>;
  /** Where the stages' files are. */
  stagesFolder?: string;
};

/**
 * The CDK app: one stack, checked while it is synthesized by two rule packs and against CloudFormation's schemas.
 * Throws an Error for wrong settings; `synth()` throws when a check finds something.
 */
export const createServiceApp = ({ outdir, context, stagesFolder, ...service }: ServiceAppProps): App => {
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    // Resources are known by their paths: recording where in the code each was made takes a sixth of the time, and is never used.
    context: { 'aws:cdk:disable-creation-stack-traces': true, ...fileContext(), ...context },
    analyticsReporting: false,
    // The tree of constructs is never used, and takes a tenth of the time.
    treeMetadata: false,
    // Registered below, where what it finds is an error and not a warning.
    builtinCloudFormationValidation: false,
  });
  const settings = stageSettings(app, stagesFolder);
  const { prefix } = stageNames(settings.stage);
  const stack = new ServiceStack(app, prefix, {
    ...service,
    settings,
    env: { region: process.env['CDK_DEFAULT_REGION'] ?? 'eu-west-1' },
    description: 'Forewarn: dispute alerts, carried to merchants and back',
    terminationProtection: isProtected(settings) && !settings.firstDeployment,
  });
  if (app.node.tryGetContext('checks') !== 'off') addChecks(app, stack);
  return app;
};

/** The settings of the command line, completed by the file of the stage. */
const stageSettings = (app: App, folder = 'stages'): Settings => {
  const context = (name: string): unknown => app.node.tryGetContext(name);
  const file = readStageFile(context('stage') ?? 'dev', folder);
  return readSettings((name) => context(name) ?? file[name]);
};

/**
 * Refuses wrong settings before anything is built. Throws an Error that names all of them. Under the CDK's CLI a second app that synthesizes
 * itself as the process ends would overwrite the manifest of the first.
 */
export const checkSettings = (): void => {
  stageSettings(new App({ context: fileContext(), autoSynth: false }));
};

/** All apps of a process share it, because reading CloudFormation's schemas takes as long as checking the templates. */
let schemas: CloudFormationValidatePlugin | undefined;

/** `-c checks=off` leaves them out: the local stack does, to start sooner. */
const addChecks = (app: App, stack: ServiceStack): void => {
  schemas ??= new CloudFormationValidatePlugin();
  const plugin = schemas;
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new PCIDSS321Checks(app), {
    name: plugin.name,
    validate: (context) => plugin.validate(context),
  });
  acceptFindings(stack);
};

/** The CLI passes the context of `cdk.json`; without the CLI we read it, so that both make the same template. */
const fileContext = (): Record<string, unknown> => JSON.parse(readFileSync('cdk.json', 'utf8')).context;
