/** The section of a version in the changelog, without its heading. Throws if the changelog has no dated section for it. */
export const releaseNotes = (changelog: string, version: string): string => {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d\\n`, 'm');
  const found = heading.exec(changelog);
  if (!found) throw new Error(`CHANGELOG.md has no dated section for ${version}.`);
  const rest = changelog.slice(found.index + found[0].length);
  const [own = ''] = rest.split(/^## /m);
  return `${own.trim()}\n`;
};
