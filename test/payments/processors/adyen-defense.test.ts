import { describe, expect, it } from 'vitest';
import { chooseDefense, type DefenseReason } from '#payments/processors/adyen/adyen-defense.ts';
import type { EvidenceKind, FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';

const aFile = (kind: EvidenceKind): FileOfEvidence => ({
  ...{ kind, name: `${kind}.pdf`, type: 'application/pdf', bytes: Buffer.from(kind) },
});
const aReason = (
  code: string,
  levels: Readonly<Record<string, string>>,
  supplied: readonly string[] = [],
): DefenseReason => ({
  code,
  documents: Object.entries(levels).map(([type, level]) => ({
    code: type,
    level,
    isSupplied: supplied.includes(type),
  })),
});
const general = aReason('SupplyDefenseMaterial', { TIDorInvoice: 'Optional', DefenseMaterial: 'Required' });
const notReturned = aReason('GoodsNotReturned', { TIDorInvoice: 'Optional', GoodsNotReturned: 'Required' });
const received = aReason('MerchandiseReceived', {
  DateMerchandiseShipped: 'Required',
  ProofOfGoodsOrServicesProvided: 'Required',
});
const services = aReason('ServicesProvided', { ProofOfGoodsOrServicesProvided: 'Required' });
const invalid = aReason('InvalidChargeback', { InvalidChargeback: 'Optional' });

/** The chosen reason, and by document the kinds of the files behind the letter. */
const chosen = (reasons: readonly DefenseReason[], ...kinds: readonly EvidenceKind[]) => {
  const defense = chooseDefense(reasons, kinds.map(aFile));
  if ('refused' in defense) return defense;
  const documents = defense.documents.map(({ code, files }) => [code, files.map(({ kind }) => kind)]);
  return { reason: defense.reason, documents: Object.fromEntries(documents) };
};

describe('the reason of a defense at Adyen', () => {
  it('is the general one if Adyen offers it, with the letter alone if there are no files', () => {
    expect(chosen([notReturned, general])).toEqual({
      reason: 'SupplyDefenseMaterial',
      documents: { DefenseMaterial: [] },
    });
  });

  it('has a document of its own for a file that proves an optional one, and the rest in the general document', () => {
    expect(chosen([received, general], 'receipt', 'shipping', 'signature')).toEqual({
      reason: 'SupplyDefenseMaterial',
      documents: { TIDorInvoice: ['receipt'], DefenseMaterial: ['shipping', 'signature'] },
    });
  });

  it('has the letter with all files in each general document that is asked for', () => {
    const levels = { DefenseMaterial: 'Required', AlternativeDefenseMaterial: 'AlternativeRequired' };
    expect(chosen([aReason('SupplyDefenseMaterial', levels)], 'other')).toEqual({
      reason: 'SupplyDefenseMaterial',
      documents: { DefenseMaterial: ['other'], AlternativeDefenseMaterial: ['other'] },
    });
  });

  it('is the one of whose documents the files prove most, and further files are in its first document', () => {
    expect(chosen([invalid, services, received], 'shipping', 'signature', 'other')).toEqual({
      reason: 'MerchandiseReceived',
      documents: { DateMerchandiseShipped: ['shipping', 'other'], ProofOfGoodsOrServicesProvided: ['signature'] },
    });
    expect(chosen([invalid, services, received], 'service')).toEqual({
      reason: 'ServicesProvided',
      documents: { ProofOfGoodsOrServicesProvided: ['service'] },
    });
  });

  it('uses one file for two documents that it proves', () => {
    expect(chosen([received], 'shipping')).toMatchObject({
      documents: { DateMerchandiseShipped: ['shipping'], ProofOfGoodsOrServicesProvided: ['shipping'] },
    });
  });

  it('needs one of the documents of which one is enough', () => {
    const levels = { ProofOfAbilityToProvideServices: 'OneOrMore', ProofOfGoodsOrServicesProvided: 'OneOrMore' };
    const provided = aReason('GoodsOrServicesProvided', levels);
    expect(chosen([provided], 'signature')).toEqual({
      reason: 'GoodsOrServicesProvided',
      documents: { ProofOfGoodsOrServicesProvided: ['signature'] },
    });
    expect(chosen([provided], 'receipt')).toHaveProperty('refused');
  });

  it('replaces the documents that were supplied for it before, and no others', () => {
    const before = aReason('SupplyDefenseMaterial', { TIDorInvoice: 'Optional', DefenseMaterial: 'Required' }, [
      'TIDorInvoice',
    ]);
    const other = aReason('GoodsNotReturned', { GoodsNotReturned: 'Required' }, ['GoodsNotReturned']);
    expect(chooseDefense([other, before], [])).toMatchObject({ stale: ['TIDorInvoice'] });
  });

  it('is none if files are missing, and the refusal names their kinds', () => {
    expect(chosen([services, received, notReturned], 'receipt')).toEqual({
      refused:
        'adyen needs other files: of the kind signature or shipping or service for ServicesProvided; ' +
        'of the kind shipping, and signature or shipping or service for MerchandiseReceived',
    });
  });

  it('is none if Adyen asks only for documents that Forewarn does not have', () => {
    expect(chosen([notReturned, invalid], 'shipping')).toEqual({
      refused: 'adyen needs documents for this dispute that cannot be sent from here: defend it in its Customer Area',
    });
  });

  it('is none if Adyen offers none', () => {
    expect(chosen([], 'shipping')).toEqual({
      refused: 'adyen accepts no defense of this dispute now. If it was defended, Adyen reports that by a webhook',
    });
  });
});
