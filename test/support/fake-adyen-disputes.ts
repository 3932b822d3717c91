import type { FakeReply } from './fake-processor.ts';

/**
 * The Disputes API v30 of Adyen's stand-in. Adyen does not document what it answers about a dispute that was defended before, so this one offers
 * no reason for it and refuses all else.
 * @see https://docs.adyen.com/api-explorer/Disputes/30/overview
 */

type Reason = { code: string; documents: Readonly<Record<string, string>> };

export type FakeAdyenDispute = {
  state: 'open' | 'defended' | 'accepted' | 'expired';
  reasons: readonly Reason[];
  /** Those that were supplied, by type. */
  documents: Map<string, { contentType: string; bytes: Buffer }>;
  /** The reason of each defense that was accepted. */
  defenses: string[];
};

/** The reasons that Adyen's documentation has as an example of a consumer dispute at Mastercard. */
const exampleReasons: readonly Reason[] = [
  { code: 'GoodsNotReturned', documents: { TIDorInvoice: 'Optional', GoodsNotReturned: 'Required' } },
  { code: 'GoodsWereAsDescribed', documents: { GoodsWereAsDescribed: 'Required', TIDorInvoice: 'Required' } },
  { code: 'SupplyDefenseMaterial', documents: { TIDorInvoice: 'Optional', DefenseMaterial: 'Required' } },
];

export const openFakeDispute = (reasons: readonly Reason[] = exampleReasons): FakeAdyenDispute => ({
  ...{ state: 'open', reasons, documents: new Map(), defenses: [] },
});

type Sent = {
  disputePspReference: string;
  merchantAccountCode: string;
  defenseDocuments?: { defenseDocumentTypeCode: string; contentType: string; content: string }[];
  defenseDocumentType?: string;
  defenseReasonCode?: string;
};

const reply = (errorMessage?: string, more: object = {}): FakeReply => ({
  status: 200,
  body: {
    ...more,
    disputeServiceResult: { success: errorMessage === undefined, ...(errorMessage && { errorMessage }) },
  },
});

const retrieve = ({ state, reasons, documents }: FakeAdyenDispute): FakeReply =>
  reply(undefined, {
    defenseReasons: (state === 'open' ? reasons : []).map(({ code, documents: types }) => ({
      defenseReasonCode: code,
      satisfied: Object.entries(types).every(([type, level]) => level !== 'Required' || documents.has(type)),
      defenseDocumentTypes: Object.entries(types).map(([type, requirementLevel]) => ({
        ...{ defenseDocumentTypeCode: type, requirementLevel, available: documents.has(type) },
      })),
    })),
  });

const maxBytes: Readonly<Record<string, number>> = {
  'application/pdf': 2_000_000,
  'image/jpeg': 10_000_000,
  'image/tiff': 10_000_000,
};

const supply = ({ documents }: FakeAdyenDispute, sent: Sent): FakeReply => {
  for (const { defenseDocumentTypeCode: type, contentType, content } of sent.defenseDocuments ?? []) {
    if (Buffer.from(content, 'base64').length > (maxBytes[contentType] ?? 0)) return reply('Invalid document');
    if (documents.has(type)) return reply('A document of this type was supplied before');
    documents.set(type, { contentType, bytes: Buffer.from(content, 'base64') });
  }
  return reply();
};

const defend = (dispute: FakeAdyenDispute, code = ''): FakeReply => {
  const reason = dispute.reasons.find((one) => one.code === code);
  const isThere =
    (wanted: string) =>
    ([type, level]: [string, string]) =>
      level === wanted && dispute.documents.has(type);
  const all = Object.entries(reason?.documents ?? {});
  const required = all.filter(([, level]) => level === 'Required');
  const isGeneric = all.some(isThere('AlternativeRequired'));
  if (!reason || (!isGeneric && required.some(([type]) => !dispute.documents.has(type))))
    return reply('Missing defense documents');
  dispute.state = 'defended';
  dispute.defenses.push(code);
  return reply();
};

/** `name`: of the operation. */
export const answerFakeDisputes = (
  disputes: ReadonlyMap<string, FakeAdyenDispute>,
  name: string,
  sent: Sent,
): FakeReply => {
  const dispute = disputes.get(sent.disputePspReference);
  if (!dispute) return reply('Dispute not found');
  if (name === 'retrieveApplicableDefenseReasons') return retrieve(dispute);
  if (dispute.state !== 'open') return reply('The dispute cannot be defended or accepted');
  if (name === 'supplyDefenseDocument') return supply(dispute, sent);
  if (name === 'defendDispute') return defend(dispute, sent.defenseReasonCode);
  if (name === 'deleteDisputeDefenseDocument')
    return dispute.documents.delete(sent.defenseDocumentType ?? '') ? reply() : reply('No such document');
  if (name !== 'acceptDispute') return { status: 404, body: '' };
  dispute.state = 'accepted';
  return reply();
};
