import * as v from 'valibot';
import { isSameUuid, isUuid } from '../server/base64url.ts';
import type { Ares, Rreq, Unavailable, Versions } from '../server/three-ds-server.ts';
import { knownVersions, pickVersion } from '../server/versions.ts';

/** The answers of 3dsecure.io: https://docs.3dsecure.io, reference of 2.2.0 and 2.3.1. */

export type AddressRules = { allowLoopbackHttp: boolean };

/** Where a browser may be sent: https; http only on this machine, where tests have their issuers. */
const safeUrl = (text: string | undefined, { allowLoopbackHttp }: AddressRules): string | null => {
  const url = text === undefined ? null : URL.parse(text);
  if (url?.username !== '') return null;
  const isLocal = allowLoopbackHttp && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || (isLocal && url.protocol === 'http:') ? url.href : null;
};

/** Text, or absent: a value of another type is ignored, and does not make the rest invalid. */
const Text = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? value : undefined)),
  ),
);
const Uuid = v.pipe(
  v.string(),
  v.check((text) => isUuid(text)),
);

const Erro = v.object({
  messageType: v.literal('Erro'),
  errorCode: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  errorComponent: Text,
});
type Erro = v.InferOutput<typeof Erro>;

const Crd = v.object({
  messageType: v.literal('CRD'),
  threeDSServerTransID: Uuid,
  acsStartProtocolVersion: v.string(),
  acsEndProtocolVersion: v.string(),
  dsStartProtocolVersion: v.string(),
  dsEndProtocolVersion: v.string(),
  acsProtocolVersions: v.optional(v.array(v.object({ version: v.string(), threeDSMethodURL: Text })), []),
  dsProtocolVersions: v.optional(v.array(v.string()), []),
  threeDSMethodURL: Text,
});
type Crd = v.InferOutput<typeof Crd>;

const answerFields = {
  transStatus: v.pipe(v.string(), v.regex(/^[A-Z]$/)),
  transStatusReason: Text,
  eci: Text,
  authenticationValue: Text,
  threeDSServerTransID: Text,
  dsTransID: Text,
  acsTransID: Text,
  messageVersion: Text,
  authenticationType: Text,
  /** Of 2.3.1, in the place of the type; several. */
  authenticationMethod: v.optional(v.array(v.string()), []),
  /** Text; of 2.3.1 an object that has it. */
  cardholderInfo: v.optional(v.unknown()),
};
const AresMessage = v.object({
  messageType: v.literal('ARes'),
  ...answerFields,
  acsURL: Text,
  transChallengeExemption: Text,
});
const RreqMessage = v.object({ messageType: v.literal('RReq'), ...answerFields, challengeCancel: Text });
type AnswerMessage = v.InferOutput<typeof AresMessage> | v.InferOutput<typeof RreqMessage>;

/** Codes of EMVCo: 1xx to 3xx, the message is wrong; 402 and 405, there is no answer in time; all others are faults elsewhere. */
const failureKind = (code: string): Unavailable['why'] => {
  if (code === '402' || code === '405') return 'timeout';
  return /^[1-3]\d\d$/.test(code) ? 'refused' : 'broken';
};

/** The sentences of an error may repeat what was sent; its code and who found it do not. */
const toUnavailable = ({ errorCode, errorComponent = '' }: Erro): Unavailable => {
  const [code, component] = [
    /^\d{3}$/.test(errorCode) ? errorCode : '?',
    /^[A-Z]$/.test(errorComponent) ? errorComponent : '?',
  ];
  return { kind: 'unavailable', why: failureKind(errorCode), detail: `3dsecureio: error ${code} of ${component}` };
};

const strange: Unavailable = { kind: 'unavailable', why: 'broken', detail: '3dsecureio: no message that is known' };
const otherTransaction: Unavailable = {
  kind: 'unavailable',
  why: 'broken',
  detail: '3dsecureio: the answer is about another transaction',
};

/** Checks whether an answer names another transaction than the one that was asked about: its result must not count for this payer. */
const isOfOther = ({ threeDSServerTransID: named }: AnswerMessage, asked: unknown): boolean =>
  named !== undefined && asked !== undefined && !isSameUuid(named, asked);

/** Reads a body: a message of the schema, an error, or neither. */
const readAs = <S extends v.GenericSchema, T>(
  schema: S,
  body: unknown,
  read: { message: (message: v.InferOutput<S>) => T; erro: (erro: Erro) => T },
): T | Unavailable => {
  const erro = v.safeParse(Erro, body);
  if (erro.success) return read.erro(erro.output);
  const message = v.safeParse(schema, body);
  return message.success ? read.message(message.output) : strange;
};

/** The versions that issuer and directory server both speak: those that they list, else all of their ranges. */
const commonVersions = (crd: Crd): string[] => {
  const speaks = (listed: readonly string[], start: string, end: string) => (version: string) =>
    listed.length > 0 ? listed.includes(version) : start <= version && version <= end;
  const acsListed = crd.acsProtocolVersions.map(({ version }) => version);
  const acs = speaks(acsListed, crd.acsStartProtocolVersion, crd.acsEndProtocolVersion);
  const ds = speaks(crd.dsProtocolVersions, crd.dsStartProtocolVersion, crd.dsEndProtocolVersion);
  return knownVersions.filter((version) => acs(version) && ds(version));
};

/** Reads an answer of /preauth about a card. 305: "Unknown BIN". */
export const readVersions = (body: unknown, highest: string, rules: AddressRules): Versions =>
  readAs<typeof Crd, Versions>(Crd, body, {
    erro: (erro) => (erro.errorCode === '305' ? { kind: 'not_enrolled' } : toUnavailable(erro)),
    message: (crd) => {
      const version = pickVersion(commonVersions(crd), highest);
      const own = crd.acsProtocolVersions.find((one) => one.version === version);
      const methodUrl = safeUrl(own ? own.threeDSMethodURL : crd.threeDSMethodURL, rules);
      return { kind: 'enrolled', serverTransId: crd.threeDSServerTransID, version, methodUrl };
    },
  });

const longestInfo = 128;
/** Returns the text that an issuer wants the payer to read. */
const readInfo = (info: unknown): string | null => {
  const text = typeof info === 'object' && info !== null && 'text' in info ? info.text : info;
  if (typeof text !== 'string') return null;
  return (
    text
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, longestInfo) || null
  );
};

const twoDigits = (text: string | undefined): string | null =>
  text !== undefined && /^\d\d$/.test(text) ? text : null;
const asUuid = (text: string | undefined): string | null => (isUuid(text) ? text : null);
/** Twenty bytes in base64; of 2.3.1 up to 4,000 characters. */
const valueOfText = (text: string | undefined): string | null =>
  text !== undefined && /^[\w+/=-]{1,4000}$/.test(text) ? text : null;

const toCommon = (message: AnswerMessage) => ({
  transStatus: message.transStatus,
  transStatusReason: twoDigits(message.transStatusReason),
  eci: twoDigits(message.eci),
  authenticationValue: valueOfText(message.authenticationValue),
  dsTransId: asUuid(message.dsTransID),
  acsTransId: asUuid(message.acsTransID),
  authenticationType: twoDigits(message.authenticationType ?? message.authenticationMethod[0]),
  cardholderInfo: readInfo(message.cardholderInfo),
  messageVersion: knownVersions.find((known) => known === message.messageVersion) ?? null,
});

type Answered<K, T> = T & { kind: K };

/** The answer to /auth. `asked`: the transaction of the request. */
export const readAres = (
  body: unknown,
  rules: AddressRules,
  asked?: unknown,
): Answered<'ares', { ares: Ares }> | Unavailable =>
  readAs<typeof AresMessage, Answered<'ares', { ares: Ares }> | Unavailable>(AresMessage, body, {
    erro: toUnavailable,
    message: (message) => {
      if (isOfOther(message, asked)) return otherTransaction;
      const challengeExemption = twoDigits(message.transChallengeExemption);
      return {
        kind: 'ares',
        ares: { ...toCommon(message), acsUrl: safeUrl(message.acsURL, rules), challengeExemption },
      };
    },
  });

type ResultAnswer = Answered<'rreq', { rreq: Rreq }> | { kind: 'pending' } | { kind: 'unknown' } | Unavailable;

/** Reads an answer of /postauth about the transaction `asked`. 305: "No RReq has been received"; 203: "Unknown threeDSServerTransID". */
export const readRreq = (body: unknown, asked?: string): ResultAnswer =>
  readAs<typeof RreqMessage, ResultAnswer>(RreqMessage, body, {
    erro: (erro) => {
      if (erro.errorCode === '305') return { kind: 'pending' };
      return erro.errorCode === '203' ? { kind: 'unknown' } : toUnavailable(erro);
    },
    message: (message) =>
      isOfOther(message, asked)
        ? otherTransaction
        : { kind: 'rreq', rreq: { ...toCommon(message), challengeCancel: twoDigits(message.challengeCancel) } },
  });
