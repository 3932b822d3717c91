/** A value of a letter: text, or a time that each reader sees in their own time zone. */
export type LetterValue = string | { at: string };

/** Something that a letter lists, with its own link. `words`: plain text below the title. `dueAt`: ISO; null: no deadline. */
export type LetterItem = { title: string; words: string; path: string; dueAt: string | null };

/**
 * The content of an e-mail, stored before its form: it is written for each reader when it is sent, with times in the reader's zone and the
 * time that is left. All texts are plain and may come from outside.
 */
export type Letter = {
  subject: string;
  /** The kind of thing it is about: `Fraud alert`. */
  kicker: string;
  /** The largest line: usually an amount. */
  heading: string;
  /** The reason in words, next to the heading; may be empty. */
  reason: string;
  /** One or two sentences. */
  lead: string;
  /** When an answer is due (ISO); null: none is awaited. */
  dueAt: string | null;
  /** A person's own words; may be empty. */
  quote: string;
  rows: readonly (readonly [name: string, value: LetterValue])[];
  /** Lists under headings; absent: none. */
  sections?: readonly { title: string; items: readonly LetterItem[] }[];
  /** The rest of the dashboard's address, such as `#/alerts/7`, and the words of the button; null: no link. */
  link: { path: string; words: string } | null;
  /** The language of its texts; absent: English. */
  language?: string;
  /** Present if it goes to a payer, who knows the merchant and not this service. */
  forPayer?: true;
  /** The part that devices show: the amount, such as `361.56 USD`, and the site's name; absent: they show nothing. */
  notice?: { amount: string; site: string; isTest: boolean };
};

/** The parts that few letters have. */
const usual = { reason: '', dueAt: null, quote: '', link: null } as const;

type Given = Omit<Letter, keyof typeof usual> & Partial<Pick<Letter, keyof typeof usual>>;

/** Makes a letter; what is left out is empty. */
export const createLetter = (given: Given): Letter => ({ ...usual, ...given });
