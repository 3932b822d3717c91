import { readdirSync, readFileSync } from 'node:fs';
import { milliseconds } from '#core/kernel/clock.ts';
import { networkLimits } from '#disputes/chargebacks/files/network-limits.ts';
import { programmes } from '#disputes/reports/programme.ts';
import { contracts } from './contracts.ts';

/** Facts of others that code relies on, with the day on which each was last compared with its source. */
export type Fact = { name: string; source: string; checked: string };

/** A source in a comment is followed by the day on which it was read: `https://… (2026-11-28)`. */
const cited = /(https?:\/\/[^\s,()'`]+)[^\n]{0,120}?\((20\d\d-\d\d-\d\d)\)/g;

const factsInComments = (folder: string): Fact[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(cited)].map(([, source = '', checked = '']) => ({
        ...{ name: `${folder}/${name}`, source, checked },
      })),
    );

export const collectFacts = (): Fact[] => [
  ...factsInComments('functions'),
  ...programmes.map(({ name, title, source, checked, since }) => ({
    name: `${name} since ${since}: ${title}`,
    source,
    checked,
  })),
  ...Object.entries(networkLimits).map(([name, { source, checked }]) => ({
    name: `files at ${name}`,
    source,
    checked,
  })),
  ...Object.entries(contracts).map(([name, { source, checked }]) => ({ name: `calls of ${name}`, source, checked })),
];

/** The facts that were not compared with their source for 180 days. `today`: `2026-11-28`. */
export const listStaleFacts = (facts: readonly Fact[], today: string): Fact[] =>
  facts.filter(({ checked }) => Date.parse(today) - Date.parse(checked) > 180 * milliseconds.day);
