import { visaNumbers } from '#test/payments/threeds/contract.ts';
import { askFields, asPage, type Begun, cardFields, create, newThreeDsSite } from '#test/payments/threeds/shop.ts';
import { median, percentile } from './measure.ts';
import { milliseconds, progress, step } from './report.ts';
import type { Finding } from './table.ts';

/** How much of a payer's time is ours where the issuer asks nothing: at the sandbox, whose issuer takes none. */

const maxMilliseconds = 400;
const maxRequests = 3;
/** Authentications before anything is measured, by which the code is compiled and connections stand. */
const warmUp = 20;

type Request = Parameters<typeof asPage>;

/** What the SDK asks, in its order: of a card whose issuer has a method, and of one whose has none. */
const pathsOf = (begun: Begun): Readonly<Record<string, readonly Request[]>> => {
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

/** What one request takes; its last answer has to be the result. */
const timeOf = async (requests: readonly Request[]): Promise<number> => {
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
  for (const name of Object.keys(pathsOf(await create(site)))) {
    const taken: number[] = [];
    let requests = 0;
    for (let n = -warmUp; n < times; n += 1) {
      const asked = pathsOf(await create(site))[name] ?? [];
      const took = await timeOf(asked);
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
