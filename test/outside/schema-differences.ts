import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

/** Compares the part of a GraphQL schema that a stand-in has with the vendor's whole one. */

const names = (values: readonly { name: string }[]): string =>
  values
    .map(({ name }) => name)
    .toSorted()
    .join(' ');

/** Checks whether a stand-in has only those values of an enum that are sent. */
const isPart = ({ description }: GraphQLNamedType): boolean => description === 'in part';

const fieldDifferences = (at: string, ours: GraphQLField, theirs: GraphQLField | undefined): string[] => {
  if (!theirs) return [`${at} does not exist`];
  const types = String(ours.type) === String(theirs.type) ? [] : [`${at} is ${theirs.type}, not ${ours.type}`];
  const known = new Map(theirs.args.map((one) => [one.name, one]));
  const args = ours.args.flatMap(({ name, type }) => {
    const their = known.get(name);
    if (!their) return [`${at}(${name}) does not exist`];
    return String(type) === String(their.type) ? [] : [`${at}(${name}) is ${their.type}, not ${type}`];
  });
  const has = new Set(ours.args.map(({ name }) => name));
  const missing = theirs.args.filter((one) => isRequiredArgument(one) && !has.has(one.name));
  return [...types, ...args, ...missing.map(({ name }) => `${at}(${name}) is required`)];
};

const inputDifferences = (at: string, ours: GraphQLInputField, theirs: GraphQLInputField | undefined): string[] => {
  if (!theirs) return [`${at} does not exist`];
  return String(ours.type) === String(theirs.type) ? [] : [`${at} is ${theirs.type}, not ${ours.type}`];
};

const typeDifferences = (ours: GraphQLNamedType, theirs: GraphQLNamedType | null | undefined): string[] => {
  const { name } = ours;
  if (!theirs) return [`${name} does not exist`];
  if (isEnumType(ours) && isEnumType(theirs)) {
    const [mine, their] = [names(ours.getValues()), names(theirs.getValues())];
    const stray = ours.getValues().filter((one) => !theirs.getValue(one.name));
    if (isPart(ours)) return stray.map((one) => `${name} has no ${one.name}`);
    return mine === their ? [] : [`${name} has ${their}, not ${mine}`];
  }
  if (isUnionType(ours) && isUnionType(theirs)) {
    const [mine, their] = [names(ours.getTypes()), names(theirs.getTypes())];
    return mine === their ? [] : [`${name} has ${their}, not ${mine}`];
  }
  if (isInputObjectType(ours) && isInputObjectType(theirs)) {
    const [mine, their] = [ours.getFields(), theirs.getFields()];
    const missing = Object.values(their).filter((one) => isRequiredInputField(one) && !(one.name in mine));
    return [
      ...Object.values(mine).flatMap((one) => inputDifferences(`${name}.${one.name}`, one, their[one.name])),
      ...missing.map((one) => `${name}.${one.name} is required`),
    ];
  }
  const isFielded = (isObjectType(ours) || isInterfaceType(ours)) && (isObjectType(theirs) || isInterfaceType(theirs));
  if (isFielded) {
    const their = theirs.getFields();
    return Object.values(ours.getFields()).flatMap((one) =>
      fieldDifferences(`${name}.${one.name}`, one, their[one.name]),
    );
  }
  return ours.constructor === theirs.constructor ? [] : [`${name} is another kind of type`];
};

/** Returns what a stand-in's schema has otherwise than the vendor's; all values of each enum and union must be there. */
export const schemaDifferences = (ours: GraphQLSchema, theirs: GraphQLSchema): string[] =>
  Object.values(ours.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      typeDifferences(type, type === ours.getQueryType() ? theirs.getQueryType() : theirs.getType(type.name)),
    );
