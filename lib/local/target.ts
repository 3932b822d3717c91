import { namesOf } from '../cloud/names.ts';
import { dataFolder, enterStack, readEndpoints } from './endpoints.ts';
import { PlainError } from './plain-error.ts';

/** The flags by which an operator's command is told which stack is meant, for `parseArgs`. */
export const targetOptions = {
  stage: { type: 'string' },
  region: { type: 'string' },
  table: { type: 'string' },
} as const;

type Target = { stage?: string | undefined; region?: string | undefined; table?: string | undefined };

/**
 * Points the AWS clients, which are made when the stores are first imported, at the stack that is meant: without a stage the
 * local one. `more`: what else of a deployed stack's environment the command needs, by the prefix of its names. Throws PlainError.
 */
export const enterTarget = (
  { stage, region, table }: Target,
  more: (prefix: string) => Record<string, string> = () => ({}),
): void => {
  if (stage !== undefined) {
    const { prefix } = namesOf(stage);
    const AWS_REGION = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
    if (!AWS_REGION) throw new PlainError('Say where the stack is deployed: --region, or AWS_REGION.');
    Object.assign(process.env, { AWS_REGION, TABLE_NAME: table ?? prefix, ...more(prefix) });
    return;
  }
  const endpoints = readEndpoints();
  if (!endpoints) {
    throw new PlainError(
      `No local stack runs with the data folder ${dataFolder()}; start it with npm start, or name a deployed one with --stage.`,
    );
  }
  enterStack(endpoints);
};
