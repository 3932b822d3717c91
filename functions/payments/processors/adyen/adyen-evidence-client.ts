import * as v from 'valibot';
import { nowIso } from '#core/kernel/clock.ts';
import { type DisputeDone, type DisputeEvidence, unreadableDispute } from '../ports/dispute.ts';
import { exchangeJson, failureOfDispute, type JsonAnswer } from '../ports/json-exchange-client.ts';
import { readWithKnownCurrency } from '../unknown-currency-client.ts';
import { chooseDefense, type DefenseReason } from './adyen-defense.ts';
import { disputeOfNotices, isDefended } from './adyen-disputes.ts';
import type { AdyenAccess } from './adyen-exchange-client.ts';
import { type AdyenMemory, type AdyenNotice, noticeOfAcceptance, noticeOfDefense } from './adyen-webhook.ts';

/** Defends and accepts disputes at Adyen. @see https://docs.adyen.com/risk-management/disputes-api */

type Place = { access: AdyenAccess; memory: AdyenMemory; reference: string };
type Failure = Exclude<DisputeDone, 'done'>;

/** The Disputes API has no prefix in its live host. @see https://docs.adyen.com/api-explorer/Disputes/30/overview */
const disputeServiceOf = ({ environment, base_url }: AdyenAccess): string =>
  `${base_url ?? `https://ca-${environment}.adyen.com`}/ca/services/DisputeService/v30`;

/** Asks the Disputes API about a dispute. Its requests have no idempotency key, by which a refusal might be repeated for days. */
const ask = (
  credentials: AdyenAccess,
  name: string,
  { reference, ...more }: { reference: string; [field: string]: unknown },
): Promise<JsonAnswer> => {
  const body = { disputePspReference: reference, merchantAccountCode: credentials.merchant_account, ...more };
  return exchangeJson(
    `${disputeServiceOf(credentials)}/${name}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': credentials.api_key },
      body: JSON.stringify(body),
    },
    name.startsWith('retrieve'),
  );
};

const Result = v.object({
  disputeServiceResult: v.object({ success: v.boolean(), errorMessage: v.nullish(v.string()) }),
});

const code = v.pipe(v.string(), v.regex(/^\w{1,100}$/));
const Reasons = v.object({
  defenseReasons: v.nullish(
    v.array(
      v.object({
        defenseReasonCode: code,
        defenseDocumentTypes: v.nullish(
          v.array(v.object({ defenseDocumentTypeCode: code, requirementLevel: v.string(), available: v.boolean() })),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** Adyen's own words, which are in English and about the dispute. */
const safeWords = (message: string | null | undefined): string =>
  message && /^[\w .,:;'()/-]{1,200}$/.test(message) ? message : 'refused';

/** Undefined: Adyen answered that it is done. */
const failureIn = (answer: JsonAnswer): Failure | undefined => {
  const { success, output } = v.safeParse(Result, 'body' in answer && answer.status === 200 ? answer.body : undefined);
  if (!success) return failureOfDispute('adyen', answer);
  const { success: isDone, errorMessage } = output.disputeServiceResult;
  return isDone ? undefined : { refused: `adyen: ${safeWords(errorMessage)}` };
};

const readReasons = async ({ access, reference }: Place): Promise<{ reasons: readonly DefenseReason[] } | Failure> => {
  const answer = await ask(access, 'retrieveApplicableDefenseReasons', { reference });
  const failure = failureIn(answer);
  if (failure) return failure;
  const { success, output } = v.safeParse(Reasons, 'body' in answer ? answer.body : undefined);
  if (!success) return unreadableDispute('adyen');
  return {
    reasons: (output.defenseReasons ?? []).map(({ defenseReasonCode, defenseDocumentTypes }) => ({
      code: defenseReasonCode,
      documents: (defenseDocumentTypes ?? []).map((type) => ({
        code: type.defenseDocumentTypeCode,
        level: type.requirementLevel,
        isSupplied: type.available,
      })),
    })),
  };
};

/** The most bytes of a PDF. @see https://docs.adyen.com/risk-management/understanding-disputes/defense-requirements */
const maxPdfBytes = 2_000_000;

type Rendered = { defenseDocumentTypeCode: string; contentType: string; content: string };

const render = async (
  evidence: DisputeEvidence,
  documents: readonly { code: string; files: DisputeEvidence['files'] }[],
): Promise<{ rendered: readonly Rendered[] } | Failure> => {
  const rendered: Rendered[] = [];
  for (const { code: defenseDocumentTypeCode, files } of documents) {
    const letter = await evidence.renderLetter(files);
    if ('refused' in letter) return letter;
    const { bytes } = letter;
    if (bytes.length > maxPdfBytes)
      return {
        refused: 'adyen accepts documents of up to 2 MB, and the response with its files is larger: use smaller files',
      };
    const content = Buffer.from(bytes).toString('base64');
    rendered.push({ defenseDocumentTypeCode, contentType: 'application/pdf', content });
  }
  return { rendered };
};

/** Removes what an earlier try, or a person, uploaded for the reason, and uploads the documents, all in one request. */
const supply = async (
  { access, reference }: Place,
  stale: readonly string[],
  defenseDocuments: readonly Rendered[],
): Promise<Failure | undefined> => {
  for (const defenseDocumentType of stale) {
    const failure = failureIn(await ask(access, 'deleteDisputeDefenseDocument', { reference, defenseDocumentType }));
    if (failure) return failure;
  }
  return failureIn(await ask(access, 'supplyDefenseDocument', { reference, defenseDocuments }));
};

/** The result of an earlier defense; undefined if the dispute can be defended now. */
const earlierResult = (reference: string, notices: readonly AdyenNotice[]): DisputeDone | undefined => {
  const own = notices.filter(({ pspReference }) => pspReference === reference);
  if (isDefended(own)) return 'done';
  const status = readWithKnownCurrency('adyen', () => disputeOfNotices(reference, own)?.status) ?? 'open';
  if (status === 'open') return undefined;
  const isOver = status === 'won' || status === 'lost';
  return { refused: `adyen accepts no defense of this dispute${isOver ? ': it is over' : ' now'}` };
};

/**
 * Uploads the letter and the files as the documents of a reason, and defends the dispute. If the answer to the defense is lost, Adyen's
 * webhook about it shows the result to the next call.
 */
export const submitToAdyen = async (place: Place, evidence: DisputeEvidence): Promise<DisputeDone> => {
  const { access, memory, reference } = place;
  if (!/^\w{8,64}$/.test(reference)) return { refused: 'adyen: no such dispute' };
  const earlier = earlierResult(reference, (await memory.recall(reference)).notices);
  if (earlier !== undefined) return earlier;
  const offered = await readReasons(place);
  if (!('reasons' in offered)) return offered;
  const defense = chooseDefense(offered.reasons, evidence.files);
  if ('refused' in defense) return defense;
  const documents = await render(evidence, defense.documents);
  if (!('rendered' in documents)) return documents;
  const unsupplied = await supply(place, defense.stale, documents.rendered);
  if (unsupplied) return unsupplied;
  const { reason: defenseReasonCode } = defense;
  const failure = failureIn(await ask(access, 'defendDispute', { reference, defenseReasonCode }));
  if (failure) return failure;
  await memory.remember([noticeOfDefense(reference, nowIso())]);
  return 'done';
};

export const acceptAtAdyen = async ({ access, memory, reference }: Place): Promise<DisputeDone> => {
  const failure = failureIn(await ask(access, 'acceptDispute', { reference }));
  if (failure) return failure;
  await memory.remember([noticeOfAcceptance(reference, nowIso())]);
  return 'done';
};
