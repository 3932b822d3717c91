import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler } from '#disputes/alerts/api/receive-provider-a/handler.ts';
import { receiveProviderAOperation } from '#disputes/alerts/api/receive-provider-a/operation.ts';
import { ingestMessage } from '#disputes/alerts/intake/ingest-store.ts';
import { alertAt, seedEnrolledSite, signBody, take } from '#test/disputes/alerts/seed.ts';
import { callerAt } from '#test/support/gateway-caller.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { ethocaAlert, ethocaId } from './ethoca.ts';

useOperations();

const subject = 'CN=alerts.ethoca.example,O=Network,C=US';
beforeAll(() => Object.assign(process.env, { PROVIDER_A_FORMAT: 'ethoca', PROVIDER_A_SUBJECT: subject }));
afterAll(() => {
  delete process.env['PROVIDER_A_FORMAT'];
  delete process.env['PROVIDER_A_SUBJECT'];
});

const certificate = (subjectDN: string) => ({
  subjectDN,
  issuerDN: 'CN=Authority',
  serialNumber: '1',
  clientCertPem: '',
  validity: { notBefore: '', notAfter: '' },
});

/** Sends a message over mutual TLS, as a client with this subject; null: over TLS without a client certificate. */
const push = (body: unknown, from: string | null = subject, headers: Record<string, string> = {}) => {
  const event = gatewayEvent({
    path: receiveProviderAOperation.path,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const identity = { ...callerAt('192.0.2.7'), clientCert: from === null ? null : certificate(from) };
  return call(handler, { ...event, requestContext: { ...event.requestContext, identity } });
};

/** Returns the stored alert of a case, by sending the case again. */
const storedAlert = async (sent: unknown) =>
  alertAt(((await ingestMessage('provider_a', sent)) as { alert_id: number }).alert_id);

describe('alerts of provider_a in the format ethoca', () => {
  it.each([
    ['CONFIRMEDFRAUD', 'FRAUD'],
    ['CUSTOMERDISPUTE', 'DISPUTE'],
    ['Confirmed_Fraud', 'FRAUD'],
    ['customerdispute_alert', 'DISPUTE'],
    [' issuer_alert', 'FRAUD'],
  ])('stores %s as %s and acknowledges it', async (alertType, type) => {
    const site = await seedEnrolledSite(71);
    const sent = ethocaAlert({ alertType, merchantDescriptor: `SHOP ${site.sid}` });
    expect(await push(sent)).toMatchObject({ status: 200, body: { alertId: sent.alertId, status: 'SUCCESS' } });
    expect(await storedAlert(sent)).toMatchObject({
      owner: { sid: site.sid },
      providerAlert: {
        ...{ provider: 'provider_a', caseId: sent.alertId, type, card: '411111xxxxxx1111' },
        ...{ amount: '150.00', currency: 'USD', issuerName: 'First Bank', providerDate: '2026-05-02T00:00:00.000Z' },
      },
    });
  });

  it('reads the names of the older SOAP service, and of a whole card number only the first six and last four digits', async () => {
    const sent = {
      ...{
        EthocaID: ethocaId(),
        alertType: 'CUSTOMERDISPUTE',
        CardNumber: '4111 1111 1111 1111',
        ARN: `7${'4'.repeat(22)}`,
      },
      ...{ TransactionTimestamp: '2026-04-30T08:15:00.123', MerchantDescriptor: 'SHOP', Amount: 12.5, Currency: 'USD' },
      ...{ AuthCode: '387373', ChargebackReasonCode: '4837' },
    };
    expect(await push(sent)).toMatchObject({ status: 200, body: { alertId: sent.EthocaID, status: 'SUCCESS' } });
    const { providerAlert } = await storedAlert(sent);
    expect(providerAlert).toMatchObject({
      ...{ caseId: sent.EthocaID, card: '411111xxxxxx1111', arn: sent.ARN, amount: '12.50' },
      ...{ transactionAt: '2026-04-30T08:15:00.123Z', authCode: '387373', conditionCode: '4837' },
    });
    expect(JSON.stringify(providerAlert)).not.toContain('4111 1111');
  });

  it('reads names with underscores, as resellers write them', async () => {
    const { alertId, ...sent } = ethocaAlert({ alertType: 'issuer_alert', cardBin: null, cardLast4: null });
    const named = Object.entries({ ...sent, ethocaId: alertId, cardNumber: '411111******1111' }).map(
      ([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
    );
    expect((await storedAlert(Object.fromEntries(named))).providerAlert).toMatchObject({
      ...{ caseId: alertId, type: 'FRAUD', card: '411111xxxxxx1111', amount: '150.00', descriptor: 'SHOP*ONLINE 123' },
      transactionAt: '2026-04-30T08:15:00.000Z',
    });
  });

  it('takes the network’s name of the alert where the sender adds an own one', async () => {
    const sent = ethocaAlert();
    expect((await storedAlert({ ...sent, alert_id: '17' })).providerAlert).toMatchObject({ caseId: sent.alertId });
  });

  it('stores a case once that came in the neutral format before', async () => {
    delete process.env['PROVIDER_A_FORMAT'];
    const alertId = ethocaId();
    const { alert_id } = await take('provider_a', { alertId });
    process.env['PROVIDER_A_FORMAT'] = 'ethoca';
    const sent = ethocaAlert({ alertId });
    expect(await push(sent)).toMatchObject({ status: 200 });
    expect(await ingestMessage('provider_a', sent)).toMatchObject({ alert_id });
  });

  it.each([
    ['without a client certificate', null, {}],
    ['with the certificate of another subject', 'CN=alerts.ethoca.example,O=Somebody Else,C=US', {}],
    [
      'with headers that name the subject',
      null,
      { 'x-local-client-subject': subject, 'x-amzn-mtls-clientcert-subject': subject },
    ],
  ])('refuses a message %s', async (_, from, headers) => {
    const sent = ethocaAlert();
    expect(await push(sent, from, { ...headers, 'x-signature': signBody('provider-a', sent) })).toMatchObject({
      status: 401,
      body: { Errors: { Error: [{ Source: 'Forewarn', ReasonCode: 'SIGNATURE_INVALID', Recoverable: false }] } },
    });
  });

  it('keeps what it cannot read in the quarantine, and a correction of it becomes the alert', async () => {
    const sent = ethocaAlert({ alertType: 'UNHEARDOF' });
    expect(await push(sent)).toMatchObject({
      status: 400,
      body: {
        Errors: {
          Error: [{ ReasonCode: 'REQUEST_INVALID', Recoverable: false, Details: expect.stringContaining('type: ') }],
        },
      },
    });
    const { list } = (await ask('alerts/list-quarantine', { body: { state: 'OPEN' } })).body as {
      list: { id: string }[];
    };
    const corrected = { ...sent, alertType: 'CUSTOMERDISPUTE' };
    const answer = await ask('alerts/resubmit-quarantined', {
      params: { id: list[0]?.id ?? '' },
      body: { message: corrected },
    });
    expect(answer).toMatchObject({ status: 200, body: { state: 'RESUBMITTED' } });
    expect(await storedAlert(corrected)).toMatchObject({ providerAlert: { type: 'DISPUTE', caseId: sent.alertId } });
  });

  it('says that an alert which could not be stored may be sent again', async () => {
    const broken = mockClient(DynamoDBDocumentClient).rejects(new Error('The table is away'));
    try {
      expect(await push(ethocaAlert())).toMatchObject({
        status: 500,
        body: { Errors: { Error: [{ ReasonCode: 'INTERNAL', Recoverable: true }] } },
      });
    } finally {
      broken.restore();
    }
  });
});
