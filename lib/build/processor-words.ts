import type { ProcessorDeclaration, ProcessorWords } from '#payments/processors/ports/declaration.ts';
import { head, literal } from './generated-files.ts';

/** The parts of the API document, and of the dashboard's form, that `npm run fix` writes from the declarations of processors. */

type Described = { processor: ProcessorDeclaration; words: ProcessorWords };

/** The text of `credential-words.ts`: each part a constant of its own, so that a function has only what its description needs. */
export const describedText = (declared: readonly Described[]): string => {
  const connected = declared
    .flatMap((one) => (one.processor.connection ? [{ ...one, ...one.processor.connection }] : []))
    .toSorted((one, other) => one.place - other.place);
  const listOf = (key: 'credentials' | 'connectionKeys', among: readonly Described[]): string =>
    among.flatMap(({ processor, words }) => (words[key] ? [`of ${processor.name}: ${words[key]}`] : [])).join('; ');
  const keys = connected.flatMap(({ processor, words: { webhook } }) =>
    webhook ? [`${webhook.key} of ${processor.name}`] : [],
  );
  const paying = declared.filter(({ processor }) => processor.takesPayments);
  const headers = paying.flatMap(({ processor, words: { title, webhook } }) =>
    webhook && 'header' in webhook
      ? [[processor.name, { ...webhook.header, description: `Of ${title}: ${webhook.header.description}` }] as const]
      : [],
  );
  return `${head}
/** The credentials of a site. */
export const siteCredentials = ${literal(listOf('credentials', paying))};

/** The credentials of a connection. */
export const connectionCredentials = ${literal(listOf('connectionKeys', connected))};

/** The keys with which webhooks to a connection are signed. */
export const webhookKeys = ${literal(keys.join(', '))};

/** The bodies of webhooks to sites, by media type. */
export const webhookBodies = ${literal(listBodies(paying))} as const;

/** The processors that sign webhooks in a header, and its name. */
export const webhookHeaders = ${literal(Object.fromEntries(headers))} as const;

/** Their names alone. */
export const headerSigners = ${literal(headers.map(([name]) => name))} as const;
`;
};

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const listBodies = (declared: readonly Described[]): Readonly<Record<string, string>> => {
  const sent = declared.flatMap(({ words: { title, webhook } }) => (webhook ? [{ title, webhook }] : []));
  const types = [...new Set(sent.map(({ webhook }) => webhook.type))];
  return Object.fromEntries(
    types.map((type) => {
      const ofType = sent.filter(({ webhook }) => webhook.type === type);
      const inHeader = ofType.flatMap(({ title, webhook }) => ('header' in webhook ? [title] : []));
      const texts = [
        ...(inHeader.length > 0 ? [`an event of ${either.format(inHeader)}, signed in a header`] : []),
        ...ofType.flatMap(({ webhook }) => ('body' in webhook ? [webhook.body] : [])),
      ];
      const text = texts.join('; or ');
      return [type, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
    }),
  );
};

/** The names of the credentials that a site gives, and whether each may be absent. `base_url` is for stand-ins alone. */
export const credentialsIn = ({ credentials }: ProcessorDeclaration): ReadonlyMap<string, { isOptional: boolean }> =>
  namesIn(credentials, false);

/** The same of a connection. At the merchant's own service `base_url` is its address, and a missing secret is generated. */
const connectionKeysIn = ({ connectionKeys, connection }: ProcessorDeclaration) =>
  namesIn(connectionKeys, connection?.isAtMerchant === true);

const namesIn = (
  schema: ProcessorDeclaration['credentials'],
  isAtMerchant: boolean,
): ReadonlyMap<string, { isOptional: boolean }> => {
  const entries: Readonly<Record<string, { type: string }>> =
    schema && 'entries' in schema ? Object(schema.entries) : {};
  return new Map(
    Object.entries(entries)
      .filter(([name]) => isAtMerchant || name !== 'base_url')
      .map(([name, { type }]) => [name, { isOptional: type === 'optional' || (isAtMerchant && name === 'secret') }]),
  );
};

/** Words that a label writes in capitals. */
const initials: readonly string[] = ['id', 'api', 'hmac', 'url'];

/** `client_id` → `Client ID`, for credentials that have no words of their own. */
const fieldLabel = (name: string): string => {
  const words = name.split('_').map((word) => (initials.includes(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Credentials that are no secret, by their names. */
const openNames: readonly string[] = [
  'base_url',
  'shop',
  'environment',
  'merchant_account',
  'merchant_id',
  'live_url_prefix',
];
const ownLabels: Readonly<Record<string, string>> = {
  base_url: 'Address of your service',
  environment: 'Environment, where it is “test”',
  shop: 'Shop, such as my-shop.myshopify.com',
};

const connectionFieldsOf = ({ processor, words }: Described) =>
  [...connectionKeysIn(processor)].map(([name, { isOptional }]) => {
    const field = words.fields[name];
    return {
      ...{ name, label: field?.label ?? ownLabels[name] ?? fieldLabel(name) },
      ...(isOptional && { isOptional: true }),
      ...((field?.isOpen ?? openNames.includes(name)) && { isOpen: true }),
      ...(field?.isPairs && { isPairs: true }),
    };
  });

/** A title as it stands alone, outside of a sentence. */
const standing = (title: string): string => {
  const [first = '', ...rest] = title.replace(/^the /, '');
  return first.toUpperCase() + rest.join('');
};

/** Fields as code whose labels are in the language of the page. */
const withTranslation = (fields: readonly { label: string }[]): string =>
  literal(fields).replace(/\blabel: ('(?:[^'\\]|\\.)*')/g, 'label: translate($1)');

/** The text of the dashboard's `processor-fields.ts`. */
export const fieldsText = (declared: readonly (Described & { ports: ReadonlySet<string> })[]): string => {
  const registering = declared
    .filter(({ ports }) => ports.has('RegistrationOf'))
    .map(({ processor }) => processor.name);
  const paying = declared.filter(({ processor }) => processor.takesPayments);
  const entries = paying.map(({ processor, words }) => {
    const taken = credentialsIn(processor);
    const fields = Object.entries(words.fields).map(([name, field]) => ({
      ...{ name, label: field.label },
      ...(taken.get(name)?.isOptional && { isOptional: true }),
      ...(field.isOpen && { isOpen: true }),
      ...(field.isPairs && { isPairs: true }),
    }));
    return `  ${processor.name}: ${withTranslation(fields)},\n`;
  });
  const connected = declared
    .flatMap((one) => (one.processor.connection ? [{ ...one, place: one.processor.connection.place }] : []))
    .toSorted((one, other) => one.place - other.place)
    .map((one) => `  ${one.processor.name}: ${withTranslation(connectionFieldsOf(one))},\n`);
  // A title that begins with a small letter is no name.
  const titles = declared.map(({ processor, words: { title } }) => {
    const text = literal(standing(title));
    return `${processor.name}: ${/^[a-z]/.test(title) ? `translate(${text})` : text}`;
  });
  return `${head}import { translate } from '../language/translate.ts';
import type { ProcessorsDto } from './site-operations.ts';

const titles: Readonly<Record<string, string>> = { ${titles.join(', ')} };

/** Returns the title of a processor; its name, if this release does not know it. */
export const processorTitle = (name: string): string => titles[name] ?? name;

/** A credential that a site enters for a processor. \`isOpen\`: no secret. \`isPairs\`: written as \`USD=name, EUR=other\`. */
export type CredentialField = { name: string; label: string; isOptional?: true; isOpen?: true; isPairs?: true };

export const processorFields: Readonly<Record<ProcessorsDto['routes'][number]['processor'], readonly CredentialField[]>> = {
${entries.join('')}};

/** The fields that a merchant enters to connect each kind, in the order of the list. */
export const connectionFields: Readonly<Record<string, readonly CredentialField[]>> = {
${connected.join('')}};

/** Kinds whose processors have an API by which webhooks are registered. */
export const registeringKinds: readonly string[] = ${literal(registering)};
`;
};
