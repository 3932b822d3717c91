/** The section of a version in the changelog, without its heading. Throws if the changelog has no dated section for it. */
export const releaseNotes = (changelog: string, version: string): string => {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d\\n`, 'm');
  const found = heading.exec(changelog);
  if (!found) throw new Error(`CHANGELOG.md has no dated section for ${version}.`);
  const rest = changelog.slice(found.index + found[0].length);
  const [own = ''] = rest.split(/^## /m);
  return `${own.trim()}\n`;
};

/** The changelog with what is unreleased as a version of a day (`2026-11-28`). Throws if nothing is unreleased. */
export const releaseUnreleased = (changelog: string, version: string, day: string): string => {
  const [head, unreleased, rest] = changelog.split(/^## Unreleased\n|(?=^## \d)/m, 3);
  if (head === undefined || unreleased === undefined || rest === undefined || unreleased.trim() === '') {
    throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  }
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${day}\n`);
};

/** Why a version cannot be the next one; undefined if it can. `released`: versions with their commits. */
export const whyNotNext = (
  version: string,
  current: string,
  released: Readonly<Record<string, string>>,
): string | undefined => {
  const partsOf = (text: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  const [next, last] = [partsOf(version), partsOf(current)];
  if (!next || !last) return `${version} is no version, such as 1.2.0.`;
  if (version in released) return `${version} is released already, as commit ${released[version]}.`;
  const differing = next.findIndex((part, index) => part !== last[index]);
  if (differing >= 0 && (next[differing] ?? 0) < (last[differing] ?? 0)) return `${version} comes before ${current}.`;
  return undefined;
};
