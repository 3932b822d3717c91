/** The rule by which a claim matches. */
export type ClaimRule = 'EXACT' | 'PREFIX' | 'BIN_CAID' | 'ARN';

/** One thing an item claims, or an alert may be claimed by: a rule and its normalised text. */
export type DescriptorClaim = { rule: ClaimRule; text: string };

/** The greatest length of an enrolled descriptor, and so of the prefixes to look up, in characters (code points). */
export const longestDescriptor = 64;

/** One spelling for each descriptor: trimmed, single spaces, upper case. */
export const normaliseDescriptor = (text: string): string =>
  // Composed last: converting to upper case may separate a letter from its accents.
  text.toUpperCase().normalize('NFC').replace(/\s+/gu, ' ').trim();

const listPrefixes = (characters: readonly string[]): string[] =>
  characters
    .slice(0, longestDescriptor)
    .map((_, index) => characters.slice(0, index + 1).join(''))
    // Enrolled texts are trimmed: none ends in a space.
    .filter((prefix) => !prefix.endsWith(' '));

/** All claims that match a descriptor as a provider sends it: at most 65, none twice. */
export const claimsOfDescriptor = (descriptor: string): DescriptorClaim[] => {
  const characters = [...normaliseDescriptor(descriptor)];
  if (characters.length === 0) return [];
  const exact: DescriptorClaim[] =
    characters.length > longestDescriptor ? [] : [{ rule: 'EXACT', text: characters.join('') }];
  return [...exact, ...listPrefixes(characters).map((text): DescriptorClaim => ({ rule: 'PREFIX', text }))];
};

/** An acquirer's BIN with the acceptor's id, as one text. */
export const binCaidText = (bin: string, caid: string): string => `${bin.trim()}/${caid.trim().toUpperCase()}`;

/** The fields of a network's case that identify its merchant; missing ones are empty, null or absent. */
export type NetworkTraits = {
  bin?: string | null | undefined;
  caid?: string | null | undefined;
  arn?: string | null | undefined;
  descriptor?: string | null | undefined;
};

/** All claims that match a network's case: at most 67, none twice. */
export const claimsOfNetworkCase = ({ bin, caid, arn, descriptor }: NetworkTraits): DescriptorClaim[] => [
  ...(bin && caid ? [{ rule: 'BIN_CAID', text: binCaidText(bin, caid) } as const] : []),
  ...(arn ? [{ rule: 'ARN', text: arn.trim() } as const] : []),
  ...claimsOfDescriptor(descriptor ?? ''),
];

/** Checks whether one descriptor could be claimed by both: the rule that says when two enrollments overlap. */
export const claimsOverlap = (one: DescriptorClaim, other: DescriptorClaim): boolean => {
  const isText = ({ rule }: DescriptorClaim) => rule === 'EXACT' || rule === 'PREFIX';
  if (!isText(one) || !isText(other)) return one.rule === other.rule && one.text === other.text;
  return (
    one.text === other.text ||
    (one.rule === 'PREFIX' && other.text.startsWith(one.text)) ||
    (other.rule === 'PREFIX' && one.text.startsWith(other.text))
  );
};
