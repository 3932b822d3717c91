import { callUntilKnown } from '../gateway.ts';
import type { Observed } from '../outside-events.ts';
import { getObjects, keyOfAddress } from '../world/bucket.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** People of a merchant who handle a chargeback: they accept it, or collect evidence and submit that, several at once sometimes. */

type Means = { world: World; observed: Observed; plan: (time: number, act: () => void) => void };

const hour = 3_600_000;
const admin = { scope: 'admin', subject: 'operator', freshUntil: '2999-01-01T00:00:00.000Z' };

/** The expected statuses: it was done, the chargeback is over, or another change was first. */
const expected = new Set([200, 400, 404, 409, 422]);

const surprise = ({ observed }: Means, what: string, status: number, body: unknown): void => {
  if (!expected.has(status)) observed.surprises.push(`${what} was answered ${status} ${JSON.stringify(body)}`);
};

/** The chargeback's number, as lists show it once it is known. */
const findId = ({ table }: World, reference: string): string | undefined => {
  const row = [...table.items.values()].find(
    (one) => one['entity'] === 'CHARGEBACK' && (one['chargeback'] as { reference: string }).reference === reference,
  );
  return row && (row['chargeback'] as { id: string }).id;
};

const accept = (means: Means, id: string): void =>
  callUntilKnown(
    means.world,
    'chargebacks/accept-chargeback',
    () => ({ params: { id }, caller: admin }),
    ({ status, body }) => {
      surprise(means, 'An acceptance', status, body);
      if (status === 200) means.observed.acceptedChargebacks.set(id, means.world.timeline.now);
    },
  );

const respond = (means: Means, id: string, text: string | null): void =>
  callUntilKnown(
    means.world,
    'chargebacks/save-response',
    () => ({ body: { text }, params: { id }, caller: admin }),
    ({ status, body }) => surprise(means, 'A response', status, body),
  );

const submit = (means: Means, id: string): void =>
  callUntilKnown(
    means.world,
    'chargebacks/chargeback-evidence',
    () => ({ body: { submit: true }, params: { id }, caller: admin }),
    ({ status, body }) => surprise(means, 'Evidence', status, body),
    // Its processor may refuse it for long.
    40,
  );

/** Uploads a file and adds it, perhaps twice at once. */
const addFile = (means: Means, id: string, random: Random): void => {
  const { world, observed } = means;
  const content = `%PDF-1.4 page ${random.int(1000)} %%EOF`;
  const kind = random.pick(['receipt', 'shipping'] as const);
  const begin = { type: 'application/pdf', bytes: content.length };
  callUntilKnown(
    world,
    'chargebacks/begin-upload',
    () => ({ body: begin, params: { id }, caller: admin }),
    ({ status, body }) => {
      surprise(means, 'An upload', status, body);
      if (status !== 200) return;
      const fileId = String(body['file_id']);
      observed.files.set(fileId, content);
      world.timeline.after(random.next() * 500, () => {
        getObjects(world).set(keyOfAddress(String(body['url'])), content);
        const twins = random.chance(0.3) ? 2 : 1;
        for (let twin = 0; twin < twins; twin += 1) {
          callUntilKnown(
            world,
            'chargebacks/add-file',
            () => ({ body: { file_id: fileId, kind, name: `${kind}.pdf` }, params: { id }, caller: admin }),
            ({ status: added, body: reply }) => surprise(means, 'A file', added, reply),
          );
        }
      });
    },
  );
};

const removeFiles = (means: Means, id: string): void => {
  for (const fileId of means.observed.files.keys()) {
    callUntilKnown(
      means.world,
      'chargebacks/remove-file',
      () => ({ body: { file_id: fileId }, params: { id }, caller: admin }),
      ({ status, body }) => surprise(means, 'A removal', status, body),
    );
  }
};

/**
 * In some histories a rule of the store submits evidence by itself, when a dispute comes up or hours later. The release before refuses it.
 * Stripe refuses evidence that is submitted twice, and `evidence` compares what it has.
 */
export const setRule = (means: Means, sid: number, random: Random): void => {
  if (!random.chance(0.5)) return;
  const hours = random.pick([168, 167, 160]);
  const conditions = { all: [{ fact: 'hours_to_due', operator: 'lessThanInclusive', value: hours }] };
  const action = random.chance(0.8) ? { type: 'submit', floor: 'none' } : { type: 'accept' };
  const body = { sid, about: 'chargebacks', name: 'By itself', conditions, action };
  callUntilKnown(
    means.world,
    'rules/create-rule',
    () => ({ body, caller: admin }),
    ({ status, body: reply }) => surprise(means, 'A rule about chargebacks', status, reply),
  );
};

/** Handles a dispute of the store in some histories. */
export const handleDispute = (means: Means, reference: string, random: Random): void => {
  const { world, plan } = means;
  const acts = random.pick([1, 2, 4, 6]);
  const begin = world.timeline.now + random.next() * (random.chance(0.6) ? 60_000 : 20 * hour);
  for (let act = 0; act < acts; act += 1) {
    const what = random.pick(['accept', 'respond', 'restore', 'file', 'file', 'file', 'remove', 'submit', 'submit']);
    plan(begin + random.next() * (random.chance(0.5) ? 200 : 10 * hour), () => {
      const id = findId(world, reference);
      if (id === undefined) return;
      if (what === 'accept') accept(means, id);
      else if (what === 'respond') respond(means, id, `Response ${act}`);
      else if (what === 'restore') respond(means, id, null);
      else if (what === 'file') addFile(means, id, random);
      else if (what === 'remove') removeFiles(means, id);
      else submit(means, id);
    });
  }
};
