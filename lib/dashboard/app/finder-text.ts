/** Reads what is typed into the search before it leaves the browser. Pure. */

/** The lengths of card numbers in digits, the longest first. */
const lengths = [19, 16, 15, 14, 13] as const;
const between = '[\\s.\u00a0–-]{0,2}';
const runs = lengths.map((length) => new RegExp(`(?<!\\d)\\d(?:${between}\\d){${length - 1}}(?!\\d)`, 'g'));
/** The first digits of the schemes, and how long their numbers are. Numbers of this service begin with 1. */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18})$/;

const passesCheck = (number: string): boolean => {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

/** A text in which card numbers have only their first six and last four digits left, as a search takes them. */
export const cutCards = (text: string): { text: string; isCut: boolean } => {
  const cutRun = (run: string): string => {
    const number = run.replace(/\D/g, '');
    return issued.test(number) && passesCheck(number) ? `${number.slice(0, 6)} ${number.slice(-4)}` : run;
  };
  const cut = runs.reduce((left, run) => left.replace(run, cutRun), text);
  return { text: cut, isCut: cut !== text };
};

/** Checks whether a text may be a card number that is still being typed: it is only sent when the reader says so. */
export const mayBecomeCard = (text: string): boolean => {
  const [run = ''] = /(?:\d[ -]?){9,18}\d$/.exec(text.trim()) ?? [];
  const number = run.replace(/\D/g, '');
  return /^[2-6]/.test(number) && number.length < 17;
};

/** A text in parts, those that have one of the words marked. */
export const markWords = (text: string, query: string): { text: string; isHit: boolean }[] => {
  const words = query
    .replace(/(?<!\S)\w+:/g, ' ')
    .split(/[\s"*•,]+/)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, isHit: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`, 'i'))
    .map((part, at) => ({ text: part, isHit: at % 2 === 1 }))
    .filter((part) => part.text !== '');
};
