type Replacement = {
  /** The module that the SDK imports; a relative one only from `importer`. */
  module: RegExp;
  importer?: RegExp;
  /** The imports that stay; esbuild's own expressions cannot express "but not". */
  except?: RegExp;
  contents: string;
};

/**
 * A module that has whatever names it is asked for, each a class whose objects can do nothing. The names come from its prototype, as that
 * is what esbuild passes on of a CommonJS module in addition to the names it has itself.
 */
const absentClasses = `
  module.exports = Object.create(new Proxy({}, { get: (_, name) => (name === '__esModule' ? true : class {}) }));`;

/**
 * Returns the address of a service, in any partition. Each client brings its rules as a compiled table and an interpreter for that, 6 KB
 * zipped of a function with three clients; here they lead to one host. Addresses of other kinds are refused with an error.
 */
const fixEndpoint = (client: string, host: string): Replacement => ({
  module: /^\.\.?\/(?:endpoint\/)?endpointResolver$/,
  importer: new RegExp(`[\\\\/]@aws-sdk[\\\\/]${client}[\\\\/]`),
  contents: `
    import { partition } from '@aws-sdk/core/client';
    const known = new Map();
    const urlOf = ({ Endpoint, Region, UseFIPS, UseDualStack }) => {
      if (UseFIPS || UseDualStack) throw new Error('FIPS and dual-stack endpoints are not part of this build');
      return new URL(Endpoint ?? 'https://${host}.' + Region + '.' + partition(Region).dnsSuffix);
    };
    export const defaultEndpointResolver = (parameters) => {
      const name = parameters.Endpoint ?? parameters.Region;
      if (!known.has(name) || parameters.UseFIPS || parameters.UseDualStack) {
        known.set(name, { url: urlOf(parameters), properties: {}, headers: {} });
      }
      return known.get(name);
    };`,
});

/** Parts of the packages that a function on Lambda with our clients can never use, and what replaces them. */
export const replacements: readonly Replacement[] = [
  {
    // Lambda puts a function's credentials into the environment and nowhere else. The whole chain brings readers of
    // files, of instance metadata, of web identities and of single sign-on: 135 KB and 14 ms of a cold start.
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
    module: /^@aws-sdk\/credential-provider-node$/,
    contents: `
      export const defaultProvider = () => async () => {
        const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
        if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new Error('No AWS credentials in the environment');
        return {
          accessKeyId: AWS_ACCESS_KEY_ID,
          secretAccessKey: AWS_SECRET_ACCESS_KEY,
          ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
        };
      };`,
  },
  {
    // DynamoDB has this switched off unless a client asks for it, and Forewarn's do not.
    module: /^@aws-sdk\/middleware-endpoint-discovery$/,
    contents: `
      const none = () => undefined;
      export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
        environmentVariableSelector: none,
        configFileSelector: none,
        default: false,
      };
      export const resolveEndpointDiscoveryConfig = (config) => config;`,
  },
  {
    // None of our services streams events.
    module: /^@smithy\/core\/event-streams$/,
    contents: `
      const absent = () => { throw new Error('Event streams are not part of this build'); };
      export const eventStreamSerdeProvider = absent;
      export class EventStreamSerde { constructor() { absent(); } }`,
  },
  {
    // The same: what signs their headers.
    module: /^\.\/HeaderFormatter$/,
    importer: /[\\/]signature-v4[\\/]/,
    contents: `
      export class HeaderFormatter {
        format() { throw new Error('Event streams are not part of this build'); }
      }`,
  },
  {
    // Dates that are written out come in the header Retry-After, if at all: our services tell times in seconds. Node reads and
    // writes them as well as the SDK, which has its own rules for each of three spellings.
    module: /^\.\/date-utils$/,
    importer: /[\\/]submodules[\\/]serde[\\/]/,
    contents: `
      const dateOf = (value) => {
        if (value === null || value === undefined) return undefined;
        const date = new Date(value);
        if (Number.isNaN(date.getTime())) throw new TypeError('Not a date: ' + value);
        return date;
      };
      export const dateToUtcString = (date) => date.toUTCString();
      export const parseRfc3339DateTime = dateOf;
      export const parseRfc3339DateTimeWithOffset = dateOf;
      export const parseRfc7231DateTime = dateOf;
      export const parseEpochTimestamp = (value) =>
        value === null || value === undefined ? undefined : dateOf(Math.round(Number(value.value ?? value) * 1000));`,
  },
  {
    // Keeps the trace apart where one process works on several calls at once. These functions work on one, whose trace is in the
    // environment.
    module: /^@aws\/lambda-invoke-store$/,
    contents: `export const InvokeStore = { getInstanceAsync: async () => undefined };`,
  },
  {
    // For Nodes without randomUUID.
    module: /^\.\/uuid\/v4$/,
    importer: /[\\/]submodules[\\/]serde[\\/]/,
    contents: `export const bindV4 = () => () => crypto.randomUUID();`,
  },
  {
    // The fallback of the SDK where Node was built without cryptography.
    module: /^\.\/Sha256Js$/,
    importer: /[\\/]sha256[\\/]Sha256Node\.js$/,
    contents: `export class Sha256Js { constructor() { throw new Error('This Node has no SHA-256'); } }`,
  },
  {
    module: /^\.\/Md5Js$/,
    importer: /[\\/]md5[\\/]\w+\.js$/,
    contents: `export class Md5Js { constructor() { throw new Error('This Node has no MD5'); } }`,
  },
  {
    // Lambda says in which region a function runs; its clients ask no machine for it.
    module: /\/getInstanceMetadataRegion$/,
    contents: `export const getInstanceMetadataRegion = async () => undefined;`,
  },
  {
    // A function is configured by its environment and by our code. Shared configuration files do not exist there, yet
    // for every setting that is absent the SDK would look for them, and report two errors to itself on the way.
    module: /^\.\.?\/node-config-provider\/configLoader$/,
    contents: `
      const fromEnvironment = (select, options) => {
        try {
          return select(process.env, options);
        } catch {
          return undefined;
        }
      };
      export const loadConfig = ({ environmentVariableSelector, default: fallback }, { signingName, logger } = {}) => {
        let value;
        return () => {
          value ??= (async () => {
            const found = fromEnvironment(environmentVariableSelector, { signingName, logger });
            return found === undefined && typeof fallback === 'function' ? fallback() : (found ?? fallback);
          })();
          return value;
        };
      };`,
  },
  fixEndpoint('client-dynamodb', 'dynamodb'),
  fixEndpoint('client-sqs', 'sqs'),
  fixEndpoint('client-secrets-manager', 'secretsmanager'),
  {
    // Only buckets have names that an address must be made of.
    module: /^\.\.\/service-customizations(?:\/s3|\/index)?$/,
    importer: /[\\/]middleware-endpoint[\\/]/,
    contents: `
      export const resolveParamsForS3 = async (parameters) => parameters;`,
  },
  {
    // Forewarn's clients retry by the standard mode; see core/platform/table/aws.ts.
    module: /^\.\.?\/(?:util-retry\/)?AdaptiveRetryStrategy$/,
    contents: `
      export class AdaptiveRetryStrategy { constructor() { throw new Error('Adaptive retries are not part of this build'); } }`,
  },
  {
    // By what a request is laid out over path, headers and body where an address is made for each operation. DynamoDB, SQS and
    // Secrets Manager put it all into the body, but ask whether the operation has a host of its own. What speaks REST (the mail
    // service) imports the whole from elsewhere.
    module: /^\.\/HttpBindingNormalizedSchema$/,
    importer: /[\\/]submodules[\\/]protocols[\\/]HttpProtocol\.js$/,
    contents: `
      const absent = () => { throw new Error('Hosts of single operations are not part of this build'); };
      export const HttpBindingNormalizedSchema = { of: absent };
      export const getHttpOperationBindings = ({ traits }) => (traits?.endpoint ? absent() : []);`,
  },
  {
    // Asking whether a reply is a web stream loads all of Node's web streams. Over node:https none is one.
    module: /^\.(?:\/util-stream)?\/stream-type-check$/,
    contents: `
      export const isReadableStream = () => false;
      export const isBlob = () => false;`,
  },
  {
    // Most of undici is about fetch, caches and mocks, and loads with it; webhooks need the agent only.
    module: /^undici$/,
    contents: `
      import api from 'undici/lib/api/index.js';
      import buildConnector from 'undici/lib/core/connect.js';
      import Agent from 'undici/lib/dispatcher/agent.js';
      import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
      Object.assign(Dispatcher.prototype, api);
      export { Agent, buildConnector };`,
  },
  {
    // Stripe's package has a class for each of its two hundred resources; we take and give back payments, and contest disputes, with files, by seven of them.
    module: /^\.\/(?:resources|StripeEventNotificationHandler)\b.*\.js$/,
    except: /\/(?:PaymentIntents|PaymentMethods|Charges|Refunds|Balance|Disputes|Files)\.js$/,
    importer: /[\\/]stripe[\\/]\w+[\\/]stripe\.\w+\.node\.js$/,
    contents: absentClasses,
  },
  {
    // Signatures of webhooks are checked without the package: functions/payments/processors/stripe/stripe-webhook.ts.
    module: /^\.\/Webhooks\.js$/,
    importer: /[\\/]stripe[\\/]\w+[\\/]stripe\.\w+\.node\.js$/,
    contents: `export const createWebhooks = () => undefined;`,
  },
  {
    // The old parser of URLs, whose use Node warns about outside of node_modules. Default ports are left out of both.
    module: /^url$/,
    importer: /[\\/]mastercard-oauth1-signer[\\/]/,
    contents: `
      export const parse = (text) => {
        const { protocol, hostname, pathname, port, search } = new URL(text);
        return { protocol, hostname, pathname, port: port || null, query: search.slice(1) || null };
      };`,
  },
  {
    // Document types are refused before XML is parsed (functions/payments/processors/xml.ts), so no entity of one is ever weighed.
    module: /^is-unsafe$/,
    importer: /[\\/]fast-xml-parser[\\/]/,
    contents: `
      export const isUnsafe = () => true;
      export const HTML = {};
      export const XML = {};`,
  },
  {
    // For the same reason none is ever read.
    module: /^\.\/DocTypeReader\.js$/,
    importer: /[\\/]fast-xml-parser[\\/]/,
    contents: `
      export default class DocTypeReader {
        setXmlVersion() {}
        readDocType() { throw new Error('Document types are not part of this build'); }
      }`,
  },
  {
    // Webhooks are sent over HTTP/1.1.
    module: /^\.\/client-h2\.js$/,
    importer: /[\\/]undici[\\/]/,
    contents: `module.exports = () => { throw new Error('HTTP/2 is not part of this build'); };`,
  },
  {
    // Reads the bodies that fetch knows; the bodies here are text.
    module: /^\.\.\/web\/fetch\/body\.js$/,
    importer: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]/,
    contents: `export const extractBody = () => { throw new Error('Only text and bytes can be sent'); };`,
  },
];
