import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { declaredProviders, registeredFile, registeredText, toEndpoint } from '#lib/build/providers.ts';

const declared = await declaredProviders('.');
const signing = declared.filter(({ provider }) => provider.secret !== null);

it('registers providers by their files, and how the messages are read of those that sign them', () => {
  const text = registeredText(declared);
  expect(text).toBe(readFileSync(registeredFile, 'utf8'));
  for (const { constant, reader } of signing)
    expect(text).toMatch(new RegExp(`import \\{ ${constant}, ${constant}Body, ${reader} \\} from`));
});

/** Summaries are said better by hand. */
const withoutSummary = (text: string): string => text.replace(/^ {2}summary: .*\n/m, '');

/** The endpoint of provider_a was extended by hand: it also accepts the format of Ethoca's public API. */
const unchanged = signing.filter(({ provider }) => provider.name !== 'provider_a');

it.each(unchanged)('writes the endpoint of $provider.name as it is', (one) => {
  const { folder, files } = toEndpoint(one);
  for (const [name, text] of Object.entries(files)) {
    expect(withoutSummary(text)).toBe(withoutSummary(readFileSync(join(folder, name), 'utf8')));
  }
});
