import { processors } from '../registered/registered.ts';

type Known = (typeof processors)[number];
type Connecting = Exclude<Known, { connection: null }>;
type Sending = Extract<Known, { sendsWebhooks: true; takesPayments: true }>;
type Paying = Extract<Known, { takesPayments: true }>;

/** A processor through which sites take payments. */
export type ProcessorName = Paying['name'];
/** Any processor, also one that merchants can only connect. */
export type AnyProcessorName = Known['name'];
export type WebhookSender = Sending['name'];
/** A processor that merchants can connect: see functions/disputes/connections. */
export type ConnectionKind = Connecting['name'];

const connecting = processors
  .filter((one): one is Connecting => one.connection !== null)
  .sort((one, other) => one.connection.place - other.connection.place);

export const processorNames = processors.filter((one): one is Paying => one.takesPayments).map(({ name }) => name);
export const allProcessorNames = processors.map(({ name }) => name);
/** Those that send webhooks to a site. */
export const webhookSenders = processors
  .filter((one): one is Sending => one.sendsWebhooks && one.takesPayments)
  .map(({ name }) => name);
export const isWebhookSender = (name: AnyProcessorName): name is WebhookSender =>
  webhookSenders.some((one) => one === name);
export const connectionKinds = connecting.map(({ name }) => name);
/** Kinds of connections whose processors can list new disputes. */
export const disputeListers: readonly ConnectionKind[] = connecting
  .filter(({ connection: { listsDisputes } }) => listsDisputes)
  .map(({ name }) => name);

/** Kinds that are the merchant's own service. */
export const isAtMerchant = (kind: ConnectionKind): boolean =>
  connecting.some(({ name, connection }) => name === kind && connection.isAtMerchant);

const nameSet = (has: (one: Known) => boolean): ReadonlySet<string> =>
  new Set(processors.filter(has).map(({ name }) => name));
const silent = nameSet(({ tellsOfLapses }) => !tellsOfLapses);
const capturing = nameSet(({ capturesLater }) => capturesLater);
const paying = nameSet(({ paysOut }) => paysOut);
const naming = nameSet(({ namesAccount }) => namesAccount);

/** Checks whether we must check if an authorisation there still stands. */
export const lapsesSilently = (processor: ProcessorName): boolean => silent.has(processor);
/** Checks whether a payment that it has said yes to may still fail, as it is captured afterwards. */
export const capturesLater = (processor: ProcessorName): boolean => capturing.has(processor);
/** Checks whether money can be paid out to a card through it. */
export const canPayOut = (processor: ProcessorName): boolean => paying.has(processor);
/** Checks whether credentials name their account. */
export const namesAccount = (processor: ProcessorName): boolean => naming.has(processor);
