import { randomInt, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { recordNames } from '#core/kernel/record-of.ts';
import type { Clock } from '../clock.ts';
import type { State } from '../state.ts';
import { AwsError, type AwsService, parseInput } from './aws-server.ts';

/** A secret as the template describes it. */
export type SecretDefinition = { name: string; arn: string; generate: unknown };

/** The part of CloudFormation's GenerateSecretString that says what the value is made of. */
const Generate = v.object({
  SecretStringTemplate: v.optional(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))),
  GenerateStringKey: v.optional(v.string()),
  PasswordLength: v.optional(v.number(), 32),
  ExcludeCharacters: v.optional(v.string(), ''),
  ExcludePunctuation: v.optional(v.boolean(), false),
  ExcludeNumbers: v.optional(v.boolean(), false),
  ExcludeUppercase: v.optional(v.boolean(), false),
  ExcludeLowercase: v.optional(v.boolean(), false),
});

const Kept = v.object({ value: v.string(), versionId: v.string(), createdAt: v.number() });
const Put = v.object({ SecretId: v.string(), SecretString: v.string() });
const Create = v.object({ Name: v.string(), SecretString: v.string() });

export type Secrets = {
  service: AwsService;
  /** The text of a secret, by its name or ARN. */
  value(nameOrArn: string): string;
  /** Draws a new secret; whatever was made with the old one is void. */
  renew(nameOrArn: string): void;
};

/**
 * Opens the stack's secrets; each is drawn at random once per data folder, unless there is one for its name from elsewhere:
 * `given` is asked for that whenever it is read.
 */
export const openSecrets = (
  state: State,
  clock: Clock,
  definitions: readonly SecretDefinition[],
  given: (name: string) => string | undefined = () => undefined,
): Secrets => {
  const find = (id: string) => {
    // Those that an operator creates are in no template.
    const isThere = given(id) !== undefined || state.get(`secret:${id}`) !== undefined;
    const own = isThere ? { name: id, arn: id, generate: undefined } : undefined;
    const definition = definitions.find(({ name, arn }) => id === name || id === arn) ?? own;
    if (!definition)
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return definition;
  };
  const write = ({ name }: SecretDefinition, value: string) => {
    const kept = { value, versionId: randomUUID(), createdAt: Math.floor(clock.now() / 1000) };
    state.set(`secret:${name}`, JSON.stringify(kept));
    return kept;
  };
  const read = (definition: SecretDefinition) => {
    const kept = state.get(`secret:${definition.name}`);
    if (kept !== undefined) return v.parse(Kept, JSON.parse(kept));
    const value = given(definition.name);
    if (value !== undefined) return { value, versionId: randomUUID(), createdAt: Math.floor(clock.now() / 1000) };
    return write(definition, generateSecret(definition.generate));
  };
  const actions: Readonly<Record<string, ((body: unknown) => unknown) | undefined>> = {
    GetSecretValue: (body) => {
      const definition = find(parseInput(v.object({ SecretId: v.string() }), body).SecretId);
      const { value, versionId, createdAt } = read(definition);
      return { ...identity(definition, versionId), SecretString: value, CreatedDate: createdAt };
    },
    CreateSecret: (body) => {
      const { Name, SecretString } = parseInput(Create, body);
      const created = { name: Name, arn: Name, generate: undefined };
      return identity(created, write(created, SecretString).versionId);
    },
    PutSecretValue: (body) => {
      const { SecretId, SecretString } = parseInput(Put, body);
      const definition = find(SecretId);
      return identity(definition, write(definition, SecretString).versionId);
    },
  };
  return {
    value: (nameOrArn) => read(find(nameOrArn)).value,
    renew: (nameOrArn) => {
      const definition = find(nameOrArn);
      write(definition, generateSecret(definition.generate));
    },
    service: ({ action, body }) => {
      const run = actions[action];
      if (!run)
        throw new AwsError('UnknownOperationException', `The local stack does not support Secrets Manager ${action}.`);
      return run(body);
    },
  };
};

const identity = ({ name, arn }: SecretDefinition, VersionId: string) => ({
  ARN: arn,
  Name: name,
  VersionId,
  VersionStages: ['AWSCURRENT'],
});

const generateSecret = (definition: unknown): string => {
  const generate = v.parse(Generate, definition ?? {});
  const { SecretStringTemplate, GenerateStringKey } = generate;
  const value = randomValue(generate);
  if (SecretStringTemplate === undefined || GenerateStringKey === undefined) return value;
  return JSON.stringify({ ...SecretStringTemplate, [GenerateStringKey]: value });
};

const alphabets = {
  ExcludeLowercase: 'abcdefghijklmnopqrstuvwxyz',
  ExcludeUppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ExcludeNumbers: '0123456789',
  ExcludePunctuation: '!#$%&()*+,-./:;<=>?@[]^_{|}~',
} as const;

const randomValue = (generate: v.InferOutput<typeof Generate>): string => {
  const allowed = recordNames(alphabets).flatMap((exclusion) => (generate[exclusion] ? [] : [...alphabets[exclusion]]));
  const letters = allowed.filter((letter) => !generate.ExcludeCharacters.includes(letter));
  return Array.from({ length: generate.PasswordLength }, () => letters[randomInt(letters.length)]).join('');
};
