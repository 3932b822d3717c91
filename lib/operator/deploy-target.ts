type Environment = Readonly<Record<string, string | undefined>>;

/** What a deployment is for, as `cdk deploy` would find it from the same command line and environment. */
export type DeployTarget = {
  stage: string;
  /** The profile of the shared AWS configuration; undefined: the credentials of the environment. */
  profile: string | undefined;
  /** The Region that the environment names; undefined: the profile's own. */
  region: string | undefined;
  /** The operator's arguments with the stage as the last `-c`, so that the CDK cannot read another. */
  args: readonly string[];
};

type Given = {
  args: readonly string[];
  environment: Environment;
  /** The context of `cdk.json`. */
  context: Readonly<Record<string, unknown>>;
};

/**
 * Reads which stage, profile and Region `cdk deploy` would use.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/configure-env.html
 */
export const readDeployTarget = ({ args, environment, context }: Given): DeployTarget => {
  const read = readArguments(args);
  const fileStage = context['stage'];
  const stage = read.stage ?? (typeof fileStage === 'string' ? fileStage : 'dev');
  const named = read.profile ?? environment['CDK_PROFILE'];
  // Like the CDK: keys in the environment count before a profile that only the environment names.
  const hasKeys = Boolean(environment['AWS_ACCESS_KEY_ID'] && environment['AWS_SECRET_ACCESS_KEY']);
  const usual = hasKeys ? undefined : environment['AWS_PROFILE'] || environment['AWS_DEFAULT_PROFILE'];
  const regions = ['AWS_REGION', 'AMAZON_REGION', 'AWS_DEFAULT_REGION', 'AMAZON_DEFAULT_REGION'];
  return {
    stage,
    profile: named ?? usual,
    region: regions.map((name) => environment[name]).find(Boolean),
    args: [...read.rest, '-c', `stage=${stage}`],
  };
};

/** Options of the CDK that name a value of the context, in all spellings: `-c a=b`, `-c=a=b`, `-ca=b`, `--context a=b`, `--context=a=b`. */
const contextOption = /^(?:--context|-c)(?:=(.*))?$/s;
const joinedContext = /^-c(\w+=.*)$/s;

/** Takes the stage and the profile out of the arguments; the last stage counts. */
const readArguments = (args: readonly string[]) => {
  const rest: string[] = [];
  let stage: string | undefined;
  let profile: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const option = contextOption.exec(arg);
    if (option || joinedContext.test(arg)) {
      const value = option ? (option[1] ?? args[++index] ?? '') : (joinedContext.exec(arg)?.[1] ?? '');
      if (value.startsWith('stage=')) stage = value.slice('stage='.length);
      else rest.push('-c', value);
      continue;
    }
    rest.push(arg);
    if (arg === '--profile') profile = args[index + 1];
    else if (arg.startsWith('--profile=')) profile = arg.slice('--profile='.length);
  }
  return { rest, stage, profile };
};
