/** How a claim names what it claims. */
export type ClaimRule = 'EXACT' | 'PREFIX' | 'BIN_CAID' | 'ARN';

/** One thing an item claims, or an alert may be claimed by: a rule and its normalised text. */
export type Claim = { rule: ClaimRule; text: string };

/** No enrolled descriptor is longer, so no longer prefix need be looked up. In characters (code points). */
export const longestDescriptor = 64;

/** One spelling for each descriptor: trimmed, single spaces, upper case. */
export const normaliseDescriptor = (text: string): string =>
  // Composed last: upper case may leave a letter and its accents apart.
  text.toUpperCase().normalize('NFC').replace(/\s+/gu, ' ').trim();

const prefixesOf = (characters: readonly string[]): string[] =>
  characters
    .slice(0, longestDescriptor)
    .map((_, index) => characters.slice(0, index + 1).join(''))
    // Enrolled texts are trimmed: none ends in a space.
    .filter((prefix) => !prefix.endsWith(' '));

/** Everything by which a descriptor as a provider sends it may have been enrolled: at most 65 claims, none twice. */
export const claimsOfDescriptor = (descriptor: string): Claim[] => {
  const characters = [...normaliseDescriptor(descriptor)];
  if (characters.length === 0) return [];
  const exact: Claim[] = characters.length > longestDescriptor ? [] : [{ rule: 'EXACT', text: characters.join('') }];
  return [...exact, ...prefixesOf(characters).map((text): Claim => ({ rule: 'PREFIX', text }))];
};

/** An acquirer's BIN with the acceptor's id, as one text. */
export const binCaidText = (bin: string, caid: string): string => `${bin.trim()}/${caid.trim().toUpperCase()}`;

/** What a network's case tells of whose it is; what it lacks is empty, null or absent. */
export type NetworkTraits = {
  bin?: string | null | undefined;
  caid?: string | null | undefined;
  arn?: string | null | undefined;
  descriptor?: string | null | undefined;
};

/** Everything by which a network's case may have been enrolled: at most 67 claims, none twice. */
export const claimsOfNetworkCase = ({ bin, caid, arn, descriptor }: NetworkTraits): Claim[] => [
  ...(bin && caid ? [{ rule: 'BIN_CAID', text: binCaidText(bin, caid) } as const] : []),
  ...(arn ? [{ rule: 'ARN', text: arn.trim() } as const] : []),
  ...claimsOfDescriptor(descriptor ?? ''),
];

/** Whether one descriptor could be claimed by both: the rule that says when two enrollments overlap. */
export const claimsOverlap = (one: Claim, other: Claim): boolean => {
  const isText = ({ rule }: Claim) => rule === 'EXACT' || rule === 'PREFIX';
  if (!isText(one) || !isText(other)) return one.rule === other.rule && one.text === other.text;
  return (
    one.text === other.text ||
    (one.rule === 'PREFIX' && other.text.startsWith(one.text)) ||
    (other.rule === 'PREFIX' && one.text.startsWith(other.text))
  );
};
