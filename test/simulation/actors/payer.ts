import { fromBase64Url, toBase64Url } from '#payments/threeds/server/base64url.ts';
import { browser } from '#test/payments/threeds/samples.ts';
import type { OperationName } from '../functions.ts';
import { type Call, callOnce, callUntilKnown, type Reply } from '../gateway.ts';
import type { Observed } from '../outside-events.ts';
import type { Site } from '../setup.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { md5, type Order, payUnlessRefused, type Shop } from './shop.ts';

/** A payer who must be authenticated: the page with the SDK, the issuer's page, and the shop that pays with the result. */

/** By what the sandbox's issuers make of them; see docs/sandbox.md. */
export const payersNumbers = [
  '4000100511132003',
  '4000100511122103',
  '4000100511102113',
  '4000100511182123',
  '4000100511192163',
  '4000100511112070',
  '4000100511102071',
  '4000100511192072',
] as const;

const pageOrigin = 'https://shop.example.com';
const ownOrigin = 'https://localhost';

type Means = {
  world: World;
  observed: Observed;
  /** Where payers are authenticated, and where they pay. */
  site: Site;
  shop: Shop;
  /** Schedules an action; the history does not rest before. */
  plan: (time: number, act: () => void) => void;
};
export type Wanted = { tid: string; amount: string; number: string };
type Page = Means & Wanted & { random: Random; id: number; token: string };

const minute = 60_000;
const hour = 60 * minute;

const form = (fields: Readonly<Record<string, string>>, origin?: string): Call => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...(origin !== undefined && { origin }) },
});

const cardFields = ({ number }: Wanted) => ({ card_no: number, card_exp_month: '12', card_exp_year: '2031' });

/** A call of the page; in some cases twice at once, as pages do that are impatient. `then` gets the first answer. */
const asPage = (
  { world, id, token, random }: Page,
  name: OperationName,
  fields: Readonly<Record<string, string>>,
  then: (reply: Reply) => void = () => undefined,
  origin = pageOrigin,
): void => {
  const call = { ...form({ client_token: token, ...fields }, origin), params: { id } };
  callOnce(world, name, call, then);
  if (random.chance(0.2)) {
    world.timeline.after(random.next() * 40, () => callOnce(world, name, call, () => undefined));
  }
};

/** Starts, asks, goes to the issuer; where something fails on the way, it begins again some times. */
const begin = (page: Page, tries = 1): void => {
  const { plan, world, random } = page;
  const later = (time: number, work: () => void): void => plan(world.timeline.now + time, work);
  const anew = (): void => {
    if (tries < 4) later(random.next() * 30_000, () => begin(page, tries + 1));
  };
  asPage(page, 'threeds/start', cardFields(page), ({ status, body: { step } }) => {
    if (status !== 200) return anew();
    if (step === 'done') return;
    const ask = {
      ...cardFields(page),
      ...{ browser: JSON.stringify(browser), window_size: '03', method: step === 'method' ? 'Y' : 'U' },
    };
    later(random.next() * (random.chance(0.9) ? 3000 : 2 * minute), () =>
      asPage(page, 'threeds/authenticate', ask, (answer) => {
        if (answer.status !== 200) return anew();
        if (answer.body['step'] === 'challenge') later(random.next() * 2000, () => goToIssuer(page));
      }),
    );
  });
};

/** The issuer's page, in the SDK's frame: the payer does something there, or nothing; and it returns, or does not. */
const goToIssuer = (page: Page): void => {
  const { world, random, plan } = page;
  const onShown = ({ status, body: { value } }: Reply): void => {
    if (status !== 200 || typeof value !== 'string') return;
    callOnce(world, 'threeds/sandbox-challenge', form({ creq: value }), () => undefined);
    const acts = random.int(3);
    for (let act = 0; act < acts; act += 1) {
      const action = random.pick(['confirm', 'confirm', 'confirm', 'late', 'cancel', 'never']);
      const answer = form({ creq: value, action, code: random.pick(['123456', '123456', '000000']) });
      plan(world.timeline.now + random.next() * 10 * minute, () =>
        callOnce(world, 'threeds/sandbox-answer', answer, () => undefined),
      );
    }
    const returns = random.pick([0, 1, 1, 2]);
    for (let time = 0; time < returns; time += 1) {
      plan(world.timeline.now + random.next() * (random.chance(0.8) ? 12 * minute : 2 * hour), () =>
        callOnce(world, 'threeds/challenge-return', form({ cres: makeCres(value) }), () => undefined),
      );
    }
    if (random.chance(0.6)) {
      plan(world.timeline.now + random.next() * 15 * minute, () => asPage(page, 'threeds/status', {}));
    }
    if (random.chance(0.1)) {
      plan(world.timeline.now + random.next() * minute, () =>
        asPage(page, 'threeds/cancel', { reason: random.pick(['payer', 'timeout']) }),
      );
    }
  };
  asPage(page, 'threeds/frame-data', { kind: 'challenge' }, onShown, ownOrigin);
};

/** Returns what the issuer has the browser report, whatever the result of the challenge. */
const makeCres = (creq: string): string => {
  const { threeDSServerTransID, acsTransID, messageVersion } = fromBase64Url(creq) ?? {};
  const told = { challengeCompletionInd: 'Y', messageType: 'CRes', transStatus: 'Y' };
  return toBase64Url({ threeDSServerTransID, acsTransID, messageVersion, ...told });
};

/** Begins an authentication, once or twice with the same `tid`; then the page has it, and the shop pays with it. */
export const authenticate = (means: Means, wanted: Wanted, random: Random): void => {
  const { world, site, observed } = means;
  const make = (): Call => {
    const timestamp = String(Math.floor(world.timeline.now / 1000));
    const { tid, amount } = wanted;
    const hash = md5(`${site.sid}${timestamp}${amount}USD${site.rcode}`);
    const body = {
      hash,
      timestamp,
      amount,
      currency: 'USD',
      page_origin: pageOrigin,
      tid,
      email: 'jenny@payers.example',
    };
    return { body, params: { id: site.sid } };
  };
  const ids = new Set<number>();
  observed.authentications.push(ids);
  const onCreated = ({ status, body }: Reply): void => {
    if (status !== 200) {
      return void observed.surprises.push(`An authentication was answered ${status} ${JSON.stringify(body)}`);
    }
    const isFirst = ids.size === 0;
    const [id, token] = [Number(body['authentication_id']), String(body['client_token'])];
    ids.add(id);
    if (!isFirst) return;
    begin({ ...means, ...wanted, random, id, token });
    payWith(means, wanted, id, random);
  };
  const copies = random.chance(0.25) ? 2 : 1;
  for (let copy = 0; copy < copies; copy += 1) callUntilKnown(world, 'threeds/create3ds', make, onCreated);
};

/** The shop pays with it as soon as it can; under two numbers at once where its payer pressed twice. */
const payWith = ({ shop, plan, world }: Means, { amount, number, tid }: Wanted, id: number, random: Random): void => {
  const copies = random.chance(0.5) ? 2 : 1;
  const at = world.timeline.now + random.next() * (random.chance(0.7) ? 20 * minute : 30 * hour);
  for (let copy = 0; copy < copies; copy += 1) {
    const order: Order = {
      ...{ tid: `${tid}-paid-${copy}`, action: 'PAYMENT', amount, number, txids: new Set() },
      more: { threeDSecure: JSON.stringify({ authentication_id: id }) },
    };
    const tries = 1 + random.int(2);
    for (let one = 0; one < tries; one += 1) {
      plan(at + random.next() * (one === 0 ? 20 : hour), () => payUnlessRefused(shop, order, 2 * copy + one));
    }
  }
};
