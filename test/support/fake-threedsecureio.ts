import { randomUUID } from 'node:crypto';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { areqProblem } from '#test/contracts/threedsecureio/areq.ts';
import { type FakeReply, type FakeRequest, startFakeServer } from './fake-processor.ts';

/**
 * A strict stand-in of 3dsecure.io's sandbox, written from its public documentation (clearhaus/3DSv2-api-documentation): it takes
 * only what the tables of 2.2.0 and 2.3.1 know, forgets after 80 and 300 seconds, and repeats wrong values in its errors, as real
 * servers do.
 */

type Json = Record<string, unknown>;
type Transaction = {
  transId: string;
  number: string;
  versions: readonly string[];
  at: number;
  acsTransId: string;
  dsTransId: string;
  version: string;
  state: 'checked' | 'asked' | 'challenged';
  rreq: { body: Json; at: number } | null;
};

const erro = (errorCode: string, errorDescription: string, errorDetail: string, status = 400): FakeReply => ({
  status,
  body: { messageType: 'Erro', errorCode, errorComponent: 'S', errorDescription, errorDetail, messageVersion: '2.2.0' },
});

const versionsOf = [['2.1.0', '2.2.0', '2.3.1'], ['2.1.0'], ['2.2.0'], ['2.3.1']];
const statuses = ['Y', 'N', 'A', 'R', 'I', 'U', 'timeout', 'C'];
const isMastercard = (number: string) => number.startsWith('5');
const makeEci = (number: string, status: string): string =>
  isMastercard(number) ? ({ Y: '02', A: '01', I: '06' }[status] ?? '00') : ({ Y: '05', A: '06' }[status] ?? '07');

class Server {
  readonly apiKey = randomUUID();
  readonly transactions = new Map<string, Transaction>();
  readonly taken: { path: string; body: Json }[] = [];
  url = '';

  answer(request: FakeRequest): FakeReply {
    if (request.headers['apikey'] !== this.apiKey) return { status: 401, body: 'Invalid API Key' };
    if (request.method !== 'POST') return { status: 405, body: 'Only POST' };
    if (request.headers['content-type'] !== 'application/json; charset=utf-8')
      return { status: 415, body: 'Only JSON' };
    const body = JSON.parse(request.body) as Json;
    const reply = this.#answer(request.path, body);
    if (reply.status === 200) this.taken.push({ path: request.path, body });
    return reply;
  }

  #answer(path: string, body: Json): FakeReply {
    if (path === '/preauth') return this.#preauth(body);
    if (path === '/auth') return this.#auth(body);
    return path === '/postauth' ? this.#postauth(body) : { status: 404, body: 'Not found' };
  }

  #preauth({ acctNumber, ...rest }: Json): FakeReply {
    const number = String(acctNumber);
    if (!/^\d{13,19}$/.test(number) || Object.keys(rest).length > 0)
      return erro('203', 'Format', `acctNumber ${number}`);
    if (number.endsWith('1111'))
      return erro('305', 'Unknown BIN', `card with BIN ${number.slice(0, 6)} is not enrolled`);
    const [first = '', second = ''] = number.slice(-4);
    const versions = versionsOf[Number(first)];
    if (!versions || Number(second) > 2) return erro('303', 'No test case', `There is no test case of ${number}`);
    const transId = randomUUID();
    const transaction: Transaction = {
      ...{ transId, number, versions, at: nowMilliseconds(), state: 'checked', rreq: null, version: '' },
      ...{ acsTransId: randomUUID(), dsTransId: randomUUID() },
    };
    this.transactions.set(transId, transaction);
    const method = second === '1' ? {} : { threeDSMethodURL: `${this.url}/acs/method` };
    const range = { acsStartProtocolVersion: versions[0], acsEndProtocolVersion: versions.at(-1) };
    return {
      status: 200,
      body: {
        ...{ messageType: 'CRD', threeDSServerTransID: transId, scheme: 'standin', ...range, ...method },
        ...{ dsStartProtocolVersion: '2.1.0', dsEndProtocolVersion: '2.3.1', acsInfoInd: ['01', '02'] },
        // Newer servers list what they speak; older ones tell a range only.
        ...(first === '0' && {
          acsProtocolVersions: versions.map((version) => ({ version, ...method })),
          dsProtocolVersions: ['2.1.0', '2.2.0', '2.3.1'],
        }),
      },
    };
  }

  #auth(body: Json): FakeReply {
    const problem = areqProblem(body);
    if (problem) return erro('203', 'Format of one or more elements is invalid', problem);
    const transaction = this.transactions.get(String(body['threeDSServerTransID']));
    const isKnown = transaction?.state === 'checked' && nowMilliseconds() - transaction.at <= 80_000;
    if (!transaction || !isKnown) return erro('301', 'Transaction ID not recognised', 'Unknown threeDSServerTransID');
    if (transaction.number !== body['acctNumber'])
      return erro('305', 'Transaction data not valid', 'acctNumber differs');
    const version = String(body['messageVersion']);
    if (!transaction.versions.includes(version)) return erro('102', 'Message version not supported', version);
    transaction.version = version;
    return this.#ares(transaction);
  }

  #ares(transaction: Transaction): FakeReply {
    const { number, version, acsTransId, dsTransId, transId } = transaction;
    const status = statuses[Number(number.at(-2))];
    if (status === 'timeout') return erro('405', 'Unable to contact Directory Server', 'Connection timeout', 504);
    transaction.state = status === 'C' ? 'challenged' : 'asked';
    const isProven = status === 'Y' || status === 'A' || status === 'I';
    return {
      status: 200,
      body: {
        ...{ messageType: 'ARes', messageVersion: version, transStatus: status, threeDSServerTransID: transId },
        ...{
          acsTransID: acsTransId,
          dsTransID: dsTransId,
          acsReferenceNumber: 'standin',
          dsReferenceNumber: 'standin',
        },
        ...(status === 'C'
          ? { acsChallengeMandated: 'N', acsURL: `${this.url}/acs/challenge`, ...this.#authentication(version) }
          : { eci: makeEci(number, status ?? '') }),
        ...(isProven && { authenticationValue: this.#value() }),
        ...(status === 'R' && {
          transStatusReason: '11',
          cardholderInfo: version === '2.3.1' ? { text: 'Call us.' } : 'Call us.',
        }),
      },
    };
  }

  #authentication(version: string): Json {
    return version === '2.3.1' ? { authenticationMethod: ['02'] } : { authenticationType: '02' };
  }

  #value(): string {
    return Buffer.from(randomUUID().replaceAll('-', '').padEnd(40, '0'), 'hex').toString('base64');
  }

  #postauth({ threeDSServerTransID, ...rest }: Json): FakeReply {
    const transaction = this.transactions.get(String(threeDSServerTransID));
    if (Object.keys(rest).length > 0) return erro('203', 'Format', 'unknown fields');
    const isGone = transaction?.rreq && nowMilliseconds() - transaction.rreq.at > 300_000;
    if (!transaction || isGone) return erro('203', 'Unknown threeDSServerTransID', 'Unknown threeDSServerTransID');
    return transaction.rreq
      ? { status: 200, body: transaction.rreq.body }
      : erro('305', 'No RReq has been received', 'No response from directory server yet');
  }

  complete(transId: string, transStatus: 'Y' | 'N' | 'U', challengeCancel?: string): void {
    const transaction = this.transactions.get(transId);
    if (transaction?.state !== 'challenged') throw new Error('There is no such challenge');
    const { acsTransId, dsTransId, version, number } = transaction;
    const body = {
      ...{ messageType: 'RReq', messageVersion: version, messageCategory: '01', transStatus, interactionCounter: '01' },
      ...{
        threeDSServerTransID: transId,
        acsTransID: acsTransId,
        dsTransID: dsTransId,
        eci: makeEci(number, transStatus),
      },
      ...this.#authentication(version),
      ...(transStatus === 'Y' && { authenticationValue: this.#value() }),
      ...(challengeCancel !== undefined && { challengeCancel }),
    };
    transaction.rreq = { body, at: nowMilliseconds() };
  }
}

export const startFakeThreeDSecureIo = async () => {
  const server = new Server();
  const http = await startFakeServer({
    vendor: 'threedsecureio',
    answer: (request) => server.answer(request),
    failure: (status) => erro('403', 'Transient system failure', 'down', status).body,
  });
  return Object.assign(server, http);
};

export type FakeThreeDSecureIo = Awaited<ReturnType<typeof startFakeThreeDSecureIo>>;
