import { beforeEach, describe, expect, it } from 'vitest';
import { adyenDisputes } from '#payments/processors/adyen/adyen-disputes-client.ts';
import { adyenMemory } from '#payments/processors/adyen/adyen-store.ts';
import { type AdyenMemory, readNotices } from '#payments/processors/adyen/adyen-webhook.ts';
import type { DisputeDone, DisputeEvidence, DisputePort } from '#payments/processors/ports/dispute.ts';
import { startFakeAdyen } from '#test/support/fake-adyen.ts';
import { type FakeAdyenDispute, openFakeDispute } from '#test/support/fake-adyen-disputes.ts';
import { useTable } from '#test/support/table.ts';
import { useServer } from '#test/support/use-server.ts';
import { evidenceWith, parcel, receipt } from './dispute-evidence.ts';

/** The defense of disputes at Adyen. */

useTable();

const adyen = await useServer(startFakeAdyen());

let count = 0;
let reference: string;
let dispute: FakeAdyenDispute;
const memory = adyenMemory('adyen-disputes');
/** Adyen reports something about the dispute. */
const tell = async (eventCode: string, more: Record<string, string> = {}): Promise<void> => {
  const notice = { eventCode, success: true, pspReference: reference, originalReference: 'PAYMENT0000000001', more };
  const { rawBody } = adyen.sign([{ ...notice, merchantReference: 'of the shop' }]);
  const notices = readNotices(rawBody, { hmacKey: adyen.hmacKey, merchantAccount: adyen.merchantAccount });
  await memory.remember(notices ?? expect.fail('it is not signed'));
};
const open = (made: FakeAdyenDispute): void => {
  count += 1;
  reference = `DISPUTE${String(count).padStart(9, '0')}`;
  dispute = made;
  adyen.disputes.set(reference, dispute);
};
beforeEach(async () => {
  adyen.mend();
  open(openFakeDispute());
  await tell('CHARGEBACK');
  adyen.requests.splice(0);
});

const portAs = (api_key: string, notices: AdyenMemory = memory): DisputePort => {
  const { merchantAccount: merchant_account, url: base_url } = adyen;
  return adyenDisputes({ api_key, merchant_account, base_url, environment: 'test' }, notices);
};
const evidence = evidenceWith({
  renderLetter: async (files) => ({
    bytes: Buffer.from(['the letter', ...files.map(({ bytes }) => String(bytes))].join(', ')),
  }),
});
const submit = (told: DisputeEvidence = evidence, key = adyen.apiKey): Promise<DisputeDone> | undefined =>
  portAs(key).submit?.(reference, told);
const accept = (): Promise<DisputeDone> | undefined => portAs(adyen.apiKey).accept?.(reference, 'accept-1');
const statusNow = async (): Promise<unknown> => {
  const answer = await portAs(adyen.apiKey).look(reference);
  return 'found' in answer ? answer.found?.status : answer;
};
const documents = () => Object.fromEntries([...dispute.documents].map(([type, { bytes }]) => [type, String(bytes)]));
const documentsNow = (): string[] => [...dispute.documents.keys()];
const whole = {
  TIDorInvoice: 'the letter, %PDF-1.7 a receipt',
  DefenseMaterial: 'the letter, a parcel',
};

describe('evidence at Adyen', () => {
  it('is supplied as documents of the reason, and the dispute is defended', async () => {
    expect(await submit()).toBe('done');
    expect(documents()).toEqual(whole);
    expect(dispute.defenses).toEqual(['SupplyDefenseMaterial']);
    expect([...dispute.documents.values()].map(({ contentType }) => contentType)).toEqual([
      'application/pdf',
      'application/pdf',
    ]);
  });

  it('makes the dispute one under review, before Adyen reports anything', async () => {
    expect(await statusNow()).toBe('open');
    await submit();
    expect(await statusNow()).toBe('under_review');
    await tell('CHARGEBACK_REVERSED');
    expect(await statusNow()).toBe('under_review');
    await tell('SECOND_CHARGEBACK');
    expect(await statusNow()).toBe('lost');
  });

  it('is submitted once', async () => {
    await submit();
    adyen.requests.splice(0);
    expect(await submit()).toBe('done');
    expect(adyen.requests).toEqual([]);
  });

  it.each([
    ['the documents', /supplyDefenseDocument/],
    ['their removal', /deleteDisputeDefenseDocument/],
  ])('is submitted whole by the next call when the answer to %s was lost', async (_, request) => {
    dispute.documents.set('DefenseMaterial', {
      contentType: 'application/pdf',
      bytes: Buffer.from('an earlier letter'),
    });
    adyen.fail('lost', request, 1);
    expect(await submit()).toEqual({ unknown: 'adyen did not answer' });
    expect(dispute.defenses).toEqual([]);
    expect(await submit()).toBe('done');
    expect(documents()).toEqual(whole);
    expect(dispute.defenses).toHaveLength(1);
  });

  it('has the present files when some were replaced after a try that did not defend the dispute', async () => {
    adyen.fail('never', /defendDispute/, 1);
    expect(await submit()).toEqual({ unknown: 'adyen did not answer' });
    expect(await submit({ ...evidence, files: [] })).toBe('done');
    expect(documents()).toEqual({ DefenseMaterial: 'the letter' });
  });

  it('counts as submitted once Adyen reports it when the answer to the defense was lost, and is submitted once', async () => {
    adyen.fail('lost', /defendDispute/, 1);
    expect(await submit()).toEqual({ unknown: 'adyen did not answer' });
    expect(await submit()).toEqual({
      refused: 'adyen accepts no defense of this dispute now. If it was defended, Adyen reports that by a webhook',
    });
    await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Pending' });
    expect([await submit(), await statusNow()]).toEqual(['done', 'under_review']);
    expect(dispute.defenses).toHaveLength(1);
    expect(documents()).toEqual(whole);
  });

  it('counts as submitted once Adyen reports it when the process ended before it recorded the defense', async () => {
    const killed: AdyenMemory = { ...memory, remember: () => Promise.reject(new Error('killed')) };
    await expect(portAs(adyen.apiKey, killed).submit?.(reference, evidence)).rejects.toThrow('killed');
    await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Pending' });
    expect(await submit()).toBe('done');
    expect(dispute.defenses).toHaveLength(1);
  });

  it('is still recorded as submitted when an earlier report of documents arrives late', async () => {
    await submit();
    await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Undefended' });
    expect([await submit(), await statusNow()]).toEqual(['done', 'under_review']);
  });

  it.each([
    ['documents were uploaded without a defense', { disputeStatus: 'Undefended' }],
    ['Adyen defended it by itself', { disputeStatus: 'Pending', autoDefended: 'true' }],
  ])('is submitted although %s', async (_, more) => {
    await tell('INFORMATION_SUPPLIED', more);
    expect(await statusNow()).toBe('open');
    expect(await submit()).toBe('done');
    expect(dispute.defenses).toHaveLength(1);
  });

  it('counts as submitted if the report of the documents arrives after that of the defense', async () => {
    adyen.fail('lost', /defendDispute/, 1);
    expect(await submit()).toEqual({ unknown: 'adyen did not answer' });
    await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Pending' });
    await tell('INFORMATION_SUPPLIED', { disputeStatus: 'Undefended' });
    expect([await submit(), await statusNow()]).toEqual(['done', 'under_review']);
  });

  it('is not counted as submitted if Adyen reports information without a status', async () => {
    adyen.fail(500, /defendDispute/, 1);
    expect(await submit()).toEqual({ unknown: 'adyen 500' });
    await tell('INFORMATION_SUPPLIED');
    expect(await submit()).toBe('done');
    expect(dispute.defenses).toHaveLength(1);
  });

  it.each([
    ['CHARGEBACK_REVERSED', ' now'],
    ['SECOND_CHARGEBACK', ': it is over'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', ': it is over'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', ': it is over'],
  ])('is refused after %s without evidence', async (event, words) => {
    await tell(event);
    expect(await submit()).toEqual({ refused: `adyen accepts no defense of this dispute${words}` });
    expect(adyen.requests).toEqual([]);
  });

  it.each(['expired', 'accepted'] as const)(
    'is refused for a dispute that is %s, as Adyen offers no reason',
    async (state) => {
      dispute.state = state;
      expect(await submit()).toHaveProperty('refused');
      expect([dispute.defenses, await statusNow()]).toEqual([[], 'open']);
    },
  );

  it('needs only a generic document where Adyen says that one is enough', async () => {
    const documents = { GenericDocument: 'AlternativeRequired', ProofOfSomething: 'Required' };
    open(openFakeDispute([{ code: 'Alternative', documents }]));
    expect(await submit({ ...evidence, files: [] })).toBe('done');
    expect([dispute.defenses, documentsNow()]).toEqual([['Alternative'], ['GenericDocument']]);
  });

  it('is refused with the kinds of files that are missing, and nothing is supplied', async () => {
    open(openFakeDispute([{ code: 'ServicesProvided', documents: { ProofOfGoodsOrServicesProvided: 'Required' } }]));
    expect(await submit({ ...evidence, files: [receipt] })).toEqual({
      refused: 'adyen needs other files: of the kind signature or shipping or service for ServicesProvided',
    });
    expect(dispute.documents.size).toBe(0);
    expect(await submit()).toBe('done');
  });

  it('is refused for documents of more than 2 MB and for files that cannot be read, and nothing is supplied', async () => {
    const large = { ...parcel, bytes: Buffer.alloc(2_000_001) };
    expect(await submit({ ...evidence, files: [large] })).toEqual({
      refused: 'adyen accepts documents of up to 2 MB, and the response with its files is larger: use smaller files',
    });
    const refusal = { refused: 'parcel.png cannot be made part of a PDF.', isOurs: true } as const;
    const renderLetter = async () => refusal;
    expect(await submit({ ...evidence, renderLetter })).toEqual(refusal);
    expect(dispute.documents.size).toBe(0);
  });

  it('is refused for a key without the role, and for a dispute that Adyen does not know', async () => {
    expect(await submit(evidence, adyen.paymentsKey)).toEqual({ refused: 'adyen 403' });
    const port = portAs(adyen.apiKey);
    expect(await port.submit?.('DISPUTEUNKNOWN', evidence)).toEqual({ refused: 'adyen: Dispute not found' });
    expect(await port.submit?.('no reference', evidence)).toEqual({ refused: 'adyen: no such dispute' });
  });

  it.each([429, 500])('is in doubt while Adyen answers %s, and is submitted later', async (status) => {
    for (const request of [/retrieve/, /supply/, /defend/]) {
      adyen.fail(status, request);
      expect(await submit()).toEqual({ unknown: `adyen ${status}` });
    }
    expect(await submit()).toBe('done');
    expect([documents(), dispute.defenses.length]).toEqual([whole, 1]);
  });
});

describe('a dispute at Adyen', () => {
  it('is accepted', async () => {
    expect(await accept()).toBe('done');
    expect(dispute.state).toBe('accepted');
  });

  it.each([
    ['CHARGEBACK', { stage: 'chargeback', status: 'lost', isTaken: true }],
    ['NOTIFICATION_OF_CHARGEBACK', { stage: 'chargeback', status: 'lost', isTaken: true }],
    ['PREARBITRATION_OPEN', { stage: 'arbitration', status: 'lost', isTaken: true }],
    ['REQUEST_FOR_INFORMATION', { stage: 'inquiry', status: 'lost', isTaken: false }],
  ])('is over once it was accepted here after %s, also when the webhook comes again', async (eventCode, standing) => {
    open(openFakeDispute());
    await tell(eventCode);
    expect(await accept()).toBe('done');
    expect(await portAs(adyen.apiKey).look(reference)).toMatchObject({ found: standing });
    await tell(eventCode);
    expect(await portAs(adyen.apiKey).look(reference)).toMatchObject({ found: standing });
  });

  it('is in doubt when the answer was lost, and refused afterwards, which changes nothing', async () => {
    adyen.fail('lost', /acceptDispute/, 1);
    expect(await accept()).toEqual({ unknown: 'adyen did not answer' });
    expect(await accept()).toEqual({ refused: 'adyen: The dispute cannot be defended or accepted' });
    expect(dispute.state).toBe('accepted');
  });
});
