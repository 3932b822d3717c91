/** A user of the merchant whose alert it is, as the lists of users show them. */
export type Colleague = { username: string; name: string; email: string; role: string | null };

/** The spellings that name a user: the username, the same without the merchant's suffix, and the part before the first `@`. */
const listSpellings = ({ username }: Colleague): [exact: readonly string[], short: string] => {
  const plain = username.toLowerCase();
  return [[plain, plain.replace(/@m\d+$/, '')], plain.split('@', 1)[0] ?? ''];
};

/**
 * The user whom a name means: by the username, with or without the merchant's suffix, or by the part before the `@` if only one user has
 * it. Undefined if it means none, or more than one.
 */
export const colleagueNamed = (name: string, people: readonly Colleague[]): Colleague | undefined => {
  const wanted = name.trim().toLowerCase();
  const exact = people.find((one) => listSpellings(one)[0].includes(wanted));
  if (exact) return exact;
  const short = people.filter((one) => listSpellings(one)[1] === wanted);
  return short.length === 1 ? short[0] : undefined;
};

/** Checks whether a user may answer alerts: alerts are assigned to them alone. */
export const mayAnswer = ({ role }: Colleague): boolean => role === 'analyst' || role === 'manager';

/** A note's `@name`: not within a word or an e-mail address. Punctuation at the end belongs to the sentence. */
const mention = /(?<![\w@.+-])@([a-z0-9][a-z0-9._@+-]{0,99})/gi;
const maxMentions = 20;

/** The names that a note mentions, each once, as they are spelled in it. */
export const mentionsIn = (note: string): string[] => {
  const names = [...note.matchAll(mention)].map(([, name = '']) => name.replace(/[._@+-]+$/, '').toLowerCase());
  return [...new Set(names)].slice(0, maxMentions);
};

/** The users whom a note mentions, each once; names that mean none are left out. */
export const mentionedIn = (note: string, people: readonly Colleague[]): Colleague[] => [
  ...new Set(mentionsIn(note).flatMap((name) => colleagueNamed(name, people) ?? [])),
];

/** The name by which colleagues know an author. */
export const showName = (username: string, people: readonly Colleague[]): string =>
  people.find((one) => one.username === username)?.name || username;
