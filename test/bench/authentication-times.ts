import { visaNumbers } from '#test/payments/threeds/contract.ts';
import { askFields, asPage, type Begun, cardFields, create, newThreeDsSite } from '#test/payments/threeds/shop.ts';
import { median, percentile } from './measure.ts';
import { milliseconds, progress, step } from './report.ts';
import type { Finding } from './table.ts';

/** The limit for the service's part of a payer's time where the issuer asks nothing: at the sandbox, whose issuer takes none. */

const maxMilliseconds = 400;
const maxRequests = 3;
/** Authentications before anything is measured, by which the code is compiled and connections stand. */
const warmUp = 20;

type Request = Parameters<typeof asPage>;

/** The requests of the SDK, in its order: for a card whose issuer has a method, and for one whose has none. */
const listPaths = (begun: Begun): Readonly<Record<string, readonly Request[]>> => {
  const [withMethod, without] = [visaNumbers[2003], visaNumbers[2103]];
  return {
    'with a 3DS method': [
      [begun, 'start', cardFields(withMethod)],
      [begun, 'frame', { kind: 'method' }],
      [begun, 'authenticate', askFields(withMethod, { method: 'Y' })],
    ],
    'without a 3DS method': [
      [begun, 'start', cardFields(without)],
      [begun, 'authenticate', askFields(without)],
    ],
  };
};

/** Returns the time of one request; its last answer must be the result. */
const timeAll = async (requests: readonly Request[]): Promise<number> => {
  let took = 0;
  let last: unknown;
  for (const request of requests) {
    const begun = performance.now();
    const { status, body } = await asPage(...request);
    took += performance.now() - begun;
    if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
    last = body;
  }
  const { step: end, outcome } = last as { step: string; outcome?: string };
  if (end !== 'done' || outcome !== 'authenticated') throw new Error(`It ended as ${end}, ${outcome}`);
  return took;
};

export const measureAuthentications = async (times: number): Promise<Finding[]> => {
  Object.assign(process.env, { ALLOW_SANDBOX: 'true', ALLOW_LOOPBACK_HTTP: 'true' });
  step(`Authentications, ${times} of each`);
  const site = await newThreeDsSite();
  const findings: Finding[] = [];
  for (const name of Object.keys(listPaths(await create(site)))) {
    const taken: number[] = [];
    let requests = 0;
    for (let n = -warmUp; n < times; n += 1) {
      const asked = listPaths(await create(site))[name] ?? [];
      const took = await timeAll(asked);
      requests = asked.length;
      if (n >= 0) taken.push(took);
      progress(`Authentications ${name}: ${n}`);
    }
    findings.push({
      what: `time of ours in an authentication ${name}, warm, ${requests} requests`,
      measured: `${milliseconds(median(taken))}  (p99 ${milliseconds(percentile(taken, 99))})`,
      goal: `at most ${maxMilliseconds} ms, ${maxRequests} requests`,
      isMet: median(taken) <= maxMilliseconds && requests <= maxRequests,
    });
  }
  return findings;
};
