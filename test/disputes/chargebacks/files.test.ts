import { PDFDocument } from '@cantoo/pdf-lib';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem } from '#core/platform/table/table.ts';
import { examineFile } from '#disputes/chargebacks/files/evidence-file.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { fresh } from '#test/disputes/alerts/seed.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from '#test/payments/transactions/accounts.ts';
import { newShop, pay } from '#test/payments/transactions/shop.ts';
import { paymentAt } from '#test/payments/transactions/support.ts';
import { openFakeDispute } from '#test/support/fake-adyen-disputes.ts';
import { useObjects } from '#test/support/objects.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { lookAt } from './merchant.ts';

/** Files of evidence and the response: uploaded to the bucket over HTTP, checked, and submitted. */

useOperations();
useObjects();
const accounts = useAccounts();
beforeAll(() => void Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true' }));
afterAll(() => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});

const noon = Date.parse('2026-05-02T12:00:00.000Z');
let shop: Tenant;
beforeEach(async () => {
  setClock(() => noon);
  beforeTransactions();
  shop = await newShop({}, { cbm: true, order_insights: true, oi_merchant_id: `oi-files-${fresh()}` });
});

const disputed = async (change: object = {}) => {
  await routeTo(shop, stripeRoute(accounts.stripe));
  const { txid } = await pay(shop, '10.00');
  const intent = accounts.stripe.intents.get((await paymentAt(txid)).processorReference ?? '');
  if (!intent) throw new Error('Stripe does not know the payment');
  const dispute = accounts.stripe.disputes.open(intent, { ...change });
  await accounts.send(shop, 'stripe', accounts.stripe.webhook({ ...dispute }));
  expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
  const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: {} });
  return { id: (body as { list: { chargeback_id: string }[] }).list[0]?.chargeback_id ?? '', dispute };
};

const pdf = async (text = 'A receipt'): Promise<Uint8Array> => {
  const document = await PDFDocument.create();
  document.addPage([300, 200]).drawText(text);
  document.addPage([300, 200]);
  return document.save({ useObjectStreams: false });
};
// One pixel each.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Uploaded = { file_id: string; url: string; headers: Record<string, string> };
const begin = (id: string, body: object, as: As = shop.as) =>
  ask('chargebacks/begin-upload', { as, params: { id }, body });
const put = ({ url, headers }: Uploaded, bytes: Uint8Array, more: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', headers: { ...headers, ...more }, body: Buffer.from(bytes) });
const add = (id: string, body: object, as: As = shop.as) => ask('chargebacks/add-file', { as, params: { id }, body });

/** Uploads a file and does not add it. */
const uploadOnly = async (id: string, bytes: Uint8Array, type = 'application/pdf'): Promise<Uploaded> => {
  const { status, body } = await begin(id, { type, bytes: bytes.length });
  expect(status).toBe(200);
  expect((await put(body as Uploaded, bytes)).status).toBe(200);
  return body as Uploaded;
};
/** Uploads a file and adds it; returns the answer of the second call. */
const upload = async (id: string, bytes: Uint8Array, kind = 'receipt', type = 'application/pdf', name = 'a file.pdf') =>
  add(id, { file_id: (await uploadOnly(id, bytes, type)).file_id, kind, name });
const evidence = (id: string, body: object = {}) =>
  ask('chargebacks/chargeback-evidence', { as: shop.as, params: { id }, body });
const listFiles = async (id: string) =>
  ((await evidence(id)).body as { files: { file_id: string; kind: string; url: string }[] }).files;

describe('an evidence file', () => {
  it('is uploaded to the bucket, checked, listed and downloaded as an attachment', async () => {
    const { id } = await disputed();
    const bytes = await pdf();
    expect(await upload(id, bytes)).toMatchObject({
      status: 200,
      body: {
        evidence_kinds: ['receipt'],
        files: [{ kind: 'receipt', name: 'a file.pdf', type: 'application/pdf', bytes: bytes.length }],
      },
    });
    const [file] = await listFiles(id);
    const answer = await fetch(file?.url ?? '');
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="a file.pdf"; filename*=UTF-8''a%20file.pdf`,
    );
  });

  it('is refused if its network accepts fewer pages together', async () => {
    const card = { brand: 'mastercard', case_type: 'chargeback', network_reason_code: '4853' };
    const { id } = await disputed({ payment_method_details: { type: 'card', card } });
    const long = await PDFDocument.create();
    for (let page = 0; page < 17; page += 1) long.addPage([300, 200]);
    expect(await upload(id, await long.save())).toMatchObject({ status: 200, body: { files: [{ pages: 17 }] } });
    const refused = await upload(id, await pdf(), 'shipping');
    expect(refused).toMatchObject({ status: 409, body: { code: 'file_not_accepted' } });
    expect(JSON.stringify(refused.body)).toContain('19 pages');
    // A shorter one of the same kind takes the place of the longer.
    expect(await upload(id, await pdf())).toMatchObject({ status: 200, body: { files: [{ pages: 2 }] } });
  });

  it('replaces an earlier file of the same kind', async () => {
    const { id } = await disputed();
    await upload(id, await pdf());
    const [before] = await listFiles(id);
    expect(await upload(id, png, 'receipt', 'image/png', 'b.png')).toMatchObject({
      body: { files: [{ name: 'b.png', type: 'image/png' }] },
    });
    expect((await fetch(before?.url ?? '')).status).toBe(403);
  });

  it('keeps its content when it is added twice at the same time', async () => {
    const { id } = await disputed();
    const { file_id } = await uploadOnly(id, await pdf());
    const file = { file_id, kind: 'other', name: 'x.pdf' };
    let isFirst = true;
    beforeTransactions(async () => {
      if (!isFirst) return;
      isFirst = false;
      expect(await add(id, file)).toMatchObject({ status: 200 });
    });
    expect(await add(id, file)).toMatchObject({ status: 200, body: { files: [file] } });
    const [stored] = await listFiles(id);
    expect((await fetch(stored?.url ?? '')).status).toBe(200);
  });

  it('stays replaced when a repeated call to add the earlier file arrives late', async () => {
    const { id } = await disputed();
    const { file_id } = await uploadOnly(id, await pdf());
    const file = { file_id, kind: 'receipt', name: 'x.pdf' };
    let isFirst = true;
    beforeTransactions(async () => {
      if (!isFirst) return;
      isFirst = false;
      expect(await add(id, file)).toMatchObject({ status: 200 });
      expect(await upload(id, png, 'receipt', 'image/png', 'b.png')).toMatchObject({ status: 200 });
    });
    expect(await add(id, file)).toMatchObject({ status: 404, body: { code: 'upload_not_found' } });
    const [stored, ...others] = await listFiles(id);
    expect((await fetch(stored?.url ?? '')).status).toBe(200);
    expect(others).toEqual([]);
  });

  it('is added once when the call is repeated, even after the upload was overwritten', async () => {
    const { id } = await disputed();
    const bytes = await pdf();
    const uploaded = await uploadOnly(id, bytes);
    const file = { file_id: uploaded.file_id, kind: 'other', name: 'x.pdf' };
    expect(await add(id, file)).toMatchObject({ status: 200 });
    await put(uploaded, new Uint8Array(bytes.length));
    expect(await add(id, file)).toMatchObject({ status: 200, body: { files: [file] } });
    const [stored] = await listFiles(id);
    expect(Buffer.from(await (await fetch(stored?.url ?? '')).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ['a text', Buffer.from('<script>alert(1)</script>'), /neither a PDF, a PNG nor a JPEG/],
    ['an encrypted PDF', Buffer.from('%PDF-1.4 trailer << /Encrypt 5 0 R >>'), /encrypted/],
    [
      'a picture that is too large to decode',
      Buffer.concat([png.subarray(0, 16), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), png.subarray(24)]),
      /million pixels/,
    ],
  ])('is refused if it is %s, whatever its name and declared type', async (_, bytes, words) => {
    const { id } = await disputed();
    expect(await upload(id, bytes, 'receipt', 'application/pdf', 'receipt.pdf')).toMatchObject({
      status: 409,
      body: { code: 'file_not_accepted', details: expect.stringMatching(words) },
    });
    expect(await listFiles(id)).toEqual([]);
  });

  it('cannot be uploaded too late, or with another size or type than announced', async () => {
    const { id } = await disputed();
    const { body } = await begin(id, { type: 'image/png', bytes: png.length });
    const uploaded = body as Uploaded;
    expect((await put(uploaded, Buffer.concat([png, png]))).status).toBe(403);
    expect((await put(uploaded, png, { 'content-type': 'text/html' })).status).toBe(403);
    setClock(() => noon + 16 * milliseconds.minute);
    expect((await put(uploaded, png)).status).toBe(403);
  });

  it('is refused if the files of the chargeback are too large together', async () => {
    const { id } = await disputed();
    const large = Buffer.concat([png, Buffer.alloc(4_499_000)]);
    expect(await upload(id, large, 'receipt', 'image/png')).toMatchObject({ status: 200 });
    expect(await upload(id, large, 'receipt', 'image/png', 'again.png')).toMatchObject({ status: 200 });
    expect(await upload(id, large, 'shipping', 'image/png')).toMatchObject({
      status: 409,
      body: { code: 'file_not_accepted', details: expect.stringMatching(/4500000 bytes together; \d+ are left/) },
    });
    expect(await begin(id, { type: 'image/png', bytes: 4_500_001 })).toMatchObject({ status: 400 });
  });

  it('cannot be added by another merchant or without an upload', async () => {
    const { id } = await disputed();
    const { body } = await begin(id, { type: 'image/png', bytes: png.length });
    const file = { file_id: (body as Uploaded).file_id, kind: 'other', name: 'x.png' };
    expect(await add(id, file)).toMatchObject({ status: 404, body: { code: 'upload_not_found' } });
    expect(await add(id, file, { mid: shop.mid + 5000 })).toMatchObject({ status: 404 });
    expect(await add(id, file, { mid: shop.mid, role: 'developer' })).toMatchObject({ status: 403 });
  });

  it('is removed with its content, and can be removed again without an error', async () => {
    const { id } = await disputed();
    await upload(id, await pdf());
    const [file] = await listFiles(id);
    const remove = () =>
      ask('chargebacks/remove-file', { as: shop.as, params: { id }, body: { file_id: file?.file_id ?? '' } });
    expect(await remove()).toMatchObject({ status: 200, body: { files: [] } });
    expect(await remove()).toMatchObject({ status: 200, body: { files: [] } });
    expect((await fetch(file?.url ?? '')).status).toBe(403);
  });

  it('is kept when the chargeback is refreshed from the processor', async () => {
    const { id, dispute } = await disputed();
    await upload(id, await pdf());
    dispute['amount'] = 900;
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    const { body } = await ask('chargebacks/chargeback-details', { as: shop.as, params: { id } });
    expect(body).toMatchObject({ amount: '9.00', files: [{ kind: 'receipt' }] });
  });
});

it('is no PNG if it ends within the head of one', async () => {
  const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  for (const length of [0, 10, 25]) {
    const content = Buffer.concat([head, Buffer.alloc(length)]);
    expect(await examineFile(content)).toEqual({ refused: 'It is neither a PDF, a PNG nor a JPEG.' });
  }
});

it('returns 409 while others keep changing the chargeback', async () => {
  const { id } = await disputed();
  await upload(id, await pdf());
  const [file] = await listFiles(id);
  const { body } = await begin(id, { type: 'image/png', bytes: png.length });
  await put(body as Uploaded, png);
  beforeTransactions(async () => {
    const item = await getItem(keys.chargeback(id));
    const chargeback = item?.['chargeback'] as { version: number };
    await putItem({ ...item, chargeback: { ...chargeback, version: chargeback.version + 1 } });
  });
  const conflict = { status: 409, body: { code: 'changed_meanwhile' } };
  const as = shop.as;
  expect(await add(id, { file_id: (body as Uploaded).file_id, kind: 'other', name: 'x.png' })).toMatchObject(conflict);
  const removed = { file_id: file?.file_id ?? '' };
  expect(await ask('chargebacks/remove-file', { as, params: { id }, body: removed })).toMatchObject(conflict);
  expect(await ask('chargebacks/save-response', { as, params: { id }, body: { text: 'Mine' } })).toMatchObject(
    conflict,
  );
  beforeTransactions();
  expect((await fetch(file?.url ?? '')).status).toBe(200);
});

describe('the response to the issuer', () => {
  const save = (id: string, text: unknown) =>
    ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text } });

  it('is generated from the facts unless a user has saved another text', async () => {
    const { id } = await disputed();
    const made = (await evidence(id)).body as { response: { text: string } };
    expect(made.response).toMatchObject({ is_edited: false, text: expect.stringMatching(/We ask the issuer/) });
    expect(await save(id, 'She signed for it.\n\nAda')).toMatchObject({
      status: 200,
      body: { response: { text: 'She signed for it.\n\nAda', by: `merchant-${shop.mid}` } },
    });
    expect(await evidence(id)).toMatchObject({
      body: { response: { text: 'She signed for it.\n\nAda', is_edited: true } },
    });
    await save(id, null);
    expect((await evidence(id)).body).toMatchObject({ response: made.response });
    // The text that is proposed can be saved as it is.
    expect(await save(id, made.response.text)).toMatchObject({ status: 200 });
  });

  it('is refused if it contains a card number', async () => {
    const { id } = await disputed();
    expect(await save(id, 'Card 4242 4242 4242 4242 was used.')).toMatchObject({
      status: 400,
      body: { details: expect.stringMatching(/text: must not hold a card number/) },
    });
  });
});

describe('a submission to Stripe', () => {
  it('uploads the files, names them in the evidence, and allows no more changes', async () => {
    const { id, dispute } = await disputed();
    const bytes = await pdf();
    await upload(id, bytes, 'shipping');
    await upload(id, png, 'other', 'image/png', 'chat.png');
    await ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text: 'She signed for it.' } });
    expect(await evidence(id, { submit: true })).toMatchObject({
      status: 200,
      body: { chargeback: { status: 'under_review' } },
    });
    const sent = accounts.stripe.disputes.evidence.get(dispute.id) ?? {};
    expect(sent).toMatchObject({ uncategorized_text: 'She signed for it.' });
    expect(accounts.stripe.disputes.files.get(String(sent['shipping_documentation']))).toEqual({
      ...{ purpose: 'dispute_evidence', name: 'a file.pdf', type: 'application/pdf' },
      content: Buffer.from(bytes).toString(),
    });
    expect(accounts.stripe.disputes.files.get(String(sent['uncategorized_file']))).toMatchObject({ name: 'chat.png' });
    expect(await begin(id, { type: 'image/png', bytes: 5 })).toMatchObject({
      status: 409,
      body: { code: 'chargeback_over', details: expect.stringMatching(/^Evidence was submitted at/) },
    });
    expect(
      await ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text: 'More' } }),
    ).toMatchObject({
      status: 409,
    });
  });

  it('uploads each file once even if an answer is lost', async () => {
    const { id } = await disputed();
    const before = accounts.stripe.disputes.files.size;
    await upload(id, await pdf('Lost'), 'receipt');
    accounts.stripe.fail('lost', /^POST .*files/, 2);
    expect(await evidence(id, { submit: true })).toMatchObject({ status: 409, body: { code: 'evidence_refused' } });
    expect(await evidence(id, { submit: true })).toMatchObject({ status: 200 });
    expect(accounts.stripe.disputes.files.size).toBe(before + 1);
  });
});

describe('an evidence packet', () => {
  const packet = async (id: string, format: string) => {
    const { status, body } = await ask('chargebacks/build-packet', { as: shop.as, params: { id }, body: { format } });
    expect(status).toBe(200);
    const answer = await fetch((body as { url: string }).url);
    return { ...(body as Record<string, unknown>), answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };

  it('is a PDF of the letter and its files', async () => {
    const { id } = await disputed();
    await upload(id, await pdf());
    await upload(id, png, 'other', 'image/png', 'chat.png');
    const made = await packet(id, 'pdf');
    expect(made).toMatchObject({ name: `evidence-${id}.pdf`, pages: 4, left_out: [] });
    expect(made.answer.headers.get('content-disposition')).toMatch(/^attachment; filename="evidence-cb_\w+\.pdf"/);
    const read = await PDFDocument.load(made.bytes);
    expect(read.getPages().map((page) => Math.round(page.getWidth()))).toEqual([595, 300, 300, 595]);
    expect(read.getTitle()).toMatch(/^Response to dispute dp_/);
  });

  it('names a file that the PDF cannot include, and adds it to the ZIP', async () => {
    const { id } = await disputed();
    await upload(
      id,
      Buffer.from('%PDF-1.4 that nobody can read'),
      'refund_policy',
      'application/pdf',
      '../terms 1.pdf',
    );
    expect(await packet(id, 'pdf')).toMatchObject({ pages: 1, left_out: ['../terms 1.pdf'] });
    const files = unzipSync((await packet(id, 'zip')).bytes);
    expect(Object.keys(files).sort()).toEqual([
      ...['chargeback.json', 'evidence.json', 'files/refund_policy-__terms 1.pdf', 'order.json', 'payment.json'],
      ...['response.pdf', 'statement.txt'],
    ]);
    expect(strFromU8(files['response.pdf']?.subarray(0, 5) ?? new Uint8Array())).toBe('%PDF-');
  });

  it('replaces characters that its fonts lack with unaccented ones or question marks', async () => {
    const { id } = await disputed();
    await ask('chargebacks/save-response', {
      as: shop.as,
      params: { id },
      body: { text: `Zażółć “gęślą” jaźń — 東京 ${'x'.repeat(400)}\n${'line\n'.repeat(90)}` },
    });
    expect(await packet(id, 'pdf')).toMatchObject({ pages: 3 });
  });
});

it.each(['begin-upload', 'add-file', 'remove-file', 'save-response', 'build-packet'])(
  'chargebacks/%s behaves as declared',
  (name) => expectDeclared(`chargebacks/${name}`),
);

describe('a submission to Adyen', () => {
  const disputedAtAdyen = async () => {
    const { adyen } = accounts;
    await routeTo(shop, adyenRoute(adyen));
    const { txid } = await pay(shop, '10.00');
    await accounts.tell(shop, 'adyen', ...adyen.takeWebhooks());
    const originalReference = (await paymentAt(txid)).processorReference ?? '';
    const pspReference = `FILES${txid}`;
    const dispute = openFakeDispute();
    adyen.disputes.set(pspReference, dispute);
    const notice = { eventCode: 'CHARGEBACK', success: true, pspReference, originalReference };
    await accounts.send(shop, 'adyen', adyen.sign([{ ...notice, merchantReference: 'ignored' }]));
    expect(await lookAt(...accounts.noted.splice(0))).toEqual([]);
    const { body } = await ask('chargebacks/list-chargebacks', { as: shop.as, body: {} });
    return { id: (body as { list: { chargeback_id: string }[] }).list[0]?.chargeback_id ?? '', dispute };
  };

  it('has the letter in front of the files in each document, and makes the chargeback one under review', async () => {
    const { id, dispute } = await disputedAtAdyen();
    await upload(id, await pdf(), 'receipt');
    await upload(id, png, 'shipping', 'image/png', 'parcel.png');
    await ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text: 'She signed for it.' } });
    expect(await evidence(id, { submit: true })).toMatchObject({ status: 200 });
    const pages = await Promise.all(
      [...dispute.documents].map(async ([type, { bytes }]) => [type, (await PDFDocument.load(bytes)).getPageCount()]),
    );
    expect(Object.fromEntries(pages)).toEqual({ TIDorInvoice: 3, DefenseMaterial: 2 });
    expect(await lookAt({ chargebackId: id })).toEqual([]);
    expect((await evidence(id)).body).toMatchObject({ chargeback: { status: 'under_review' } });
  });

  it.each([
    [10, 200],
    [60, 409],
  ])(
    'with 17 pages of files and a response of %s lines returns %s for Mastercard, which accepts 19',
    async (lines, status) => {
      const { id, dispute } = await disputedAtAdyen();
      const item = await getItem(keys.chargeback(id));
      await putItem({ ...item, chargeback: { ...(item?.['chargeback'] as object), network: 'mastercard' } });
      const long = await PDFDocument.create();
      for (let page = 0; page < 17; page += 1) long.addPage([300, 200]);
      await upload(id, await long.save());
      const text = 'She signed for it.\n'.repeat(lines);
      await ask('chargebacks/save-response', { as: shop.as, params: { id }, body: { text } });
      const answer = await evidence(id, { submit: true });
      expect(answer).toMatchObject({ status });
      // Adyen gets two documents, with the response in front of each.
      if (status === 200) return;
      const details = 'Mastercard accepts at most 19 pages with the response; these are 21.';
      expect(answer).toMatchObject({ body: { code: 'evidence_refused', details } });
      expect(dispute.documents.size).toBe(0);
    },
  );
});
