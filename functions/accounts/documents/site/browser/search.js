/* Finds sections of the documentation and operations by their words: https://lucaong.github.io/minisearch/ */

/** Identifiers are found as a whole and by their parts: `alert_closed`, `alert` and `closed`. */
const tokenize = (text) =>
  text.match(/[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)*/gu)?.flatMap((word) => {
    const parts = word.split(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  }) ?? [];

/** A word and, without its ending, the others of its family: `retrying` and `retries` are both `retr`. */
const processTerm = (word) => {
  const term = word.toLowerCase();
  const stem = term.length > 5 ? term.replace(/(?:ying|ies|y|ing|ed|es|s|ment)$/, '') : term;
  return stem === term || stem.length < 4 ? term : [term, stem];
};

const lookedUp = ['API reference', 'Error codes', 'Changelog', 'Commands'];

/** `entries`: those of search.json. Returns a function from what is asked to the best entries. */
export const createSearch = (MiniSearch, entries) => {
  const index = new MiniSearch({
    idField: 'id',
    fields: ['heading', 'page', 'text', 'code'],
    tokenize,
    processTerm,
    searchOptions: {
      boost: { heading: 4, page: 2, code: 0.5 },
      prefix: (term) => term.length > 2,
      // Two letters of five may differ: letters that changed places count as two.
      fuzzy: (term) => (term.length > 4 && !term.includes('_') ? 0.34 : false),
      weights: { fuzzy: 0.1, prefix: 0.4 },
      // What is looked up comes after what is read, where both have the words.
      boostDocument: (id) => (lookedUp.includes(entries[id].page) ? 0.6 : 1),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (asked, most = 12) => {
    const all = index.search(asked, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(asked);
    return found.slice(0, most).map(({ id, terms }) => ({ entry: entries[id], terms }));
  };
};
