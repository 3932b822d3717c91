import { appendFileSync } from 'node:fs';
import type { FakeReply, FakeRequest } from '#test/support/fake-processor.ts';
import { contracts } from './contracts.ts';
import { exchangeProblems } from './recorder.ts';

/** The calls of the present test that differ from a vendor's contract. */

const symbol = Symbol.for('forewarn.contract-breaches');
const held = globalThis as { [symbol]?: string[] };
const breaches = (): string[] => {
  held[symbol] ??= [];
  return held[symbol];
};

/**
 * Compares a request and its answer with the contract of the stand-in. `vendor`: the name of its file. `FOREWARN_CALLS_FILE` names a file that gets a line of
 * JSON for each, for programs that judge them.
 */
export const recordExchange = (vendor: string, request: FakeRequest, reply: FakeReply): void => {
  const file = process.env['FOREWARN_CALLS_FILE'];
  if (file !== undefined)
    appendFileSync(
      file,
      `${JSON.stringify({ vendor, ...request, query: [...request.query], status: reply.status })}\n`,
    );
  const contract = contracts[vendor];
  if (!contract) throw new Error(`There is no contract for the stand-in of ${vendor}: test/contracts/contracts.ts`);
  breaches().push(...exchangeProblems(vendor, contract, request, reply).map((problem) => `${vendor}: ${problem}`));
};

/** Returns the breaches since the last call, and forgets them. */
export const takeBreaches = (): string[] => breaches().splice(0);
