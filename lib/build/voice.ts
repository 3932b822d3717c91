/** Phrases that make text hard to read, and what to write instead. A hit is a place to look at, not a verdict. */
const phrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:is|are|was|were|be|being) told\b|\btold of\b|\btells? (?:of|its)\b/i, 'is notified, reports'],
  [/\b(?:stands?|stood|lies|lay) (?:in|on|beside|behind|there|by|where|under)\b/i, 'is stored, appears'],
  [
    /\b(?:anew|aloud|in vain|thrice|besides?|likewise|at hand|of late|hardly ever)\b/i,
    'again, clearly, without result, next to',
  ],
  [/\b(?:some|no|every)body\b/i, 'name who acts: the merchant, the operator, the caller'],
  [/\bow(?:e|ed|es|ing)\b/i, 'is pending, is due'],
  [/\b(?:is|are|was|were) to be\b/i, 'must be, will be'],
  [/\b(?:comes?|came) (?:of|to nothing|apart)\b/i, 'results from, fails'],
  [/(?:^|[.;:] )(?:Nor|Of) [^.;]{0,80}\b(?:is|are|does|do|has|was)\b/, 'subject, verb, object'],
  [/^(?:Whoever|Whatever|Whose)\b(?!.*\?)/, 'begin with the subject'],
];

/** A passage that people read, with the number of its line. */
export type Passage = { line: number; text: string };

const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length;

/** The comments of a source file and, of a test, its titles. */
export const passagesOfSource = (source: string): Passage[] => {
  const comments = [...source.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/(.*)$/gm)];
  const titles = [...source.matchAll(/^\s*(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm)];
  return [
    ...comments.map(({ 1: block, 2: line = '', index }) => ({ index, text: block ?? line })),
    ...titles.map(({ 2: title = '', index }) => ({ index, text: title })),
  ].map(({ index, text }) => ({ line: lineAt(source, index), text: text.replace(/\s*\n\s*\*?\s*/g, ' ').trim() }));
};

/** The paragraphs of a Markdown page, without its code. */
export const passagesOfPage = (page: string): Passage[] => {
  const text = page.replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ''));
  return [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ line: lineAt(text, index), text: line.trim() }));
};

/** The passages that have one of the phrases, with what to write instead. */
export const hitsIn = (passages: readonly Passage[]): (Passage & { instead: string })[] =>
  passages.flatMap((passage) => {
    const found = phrases.find(([pattern]) => pattern.test(passage.text));
    return found ? [{ ...passage, instead: found[1] }] : [];
  });

/** The hits of a file, by its name. */
export const hitsOfFile = (file: string, text: string): (Passage & { instead: string })[] =>
  hitsIn(file.endsWith('.md') ? passagesOfPage(text) : passagesOfSource(text));
