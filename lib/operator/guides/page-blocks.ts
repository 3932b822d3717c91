/** A fenced block of a Markdown page. `info`: the words after its language, such as `tab=Node` or `skip="needs an AWS account"`. */
export type Block = { language: string; info: string; text: string };

export const findBlocks = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language = '', info = '', inner = '']) => ({
    language,
    info: info.trim(),
    text: inner,
  }));

/** The language tab that a block belongs to; undefined for a block outside tabs. */
export const readTab = ({ info }: Block): string | undefined => /\btab=(\S+)/.exec(info)?.[1];

/** Why a block is not run; undefined if it is. */
export const readSkip = ({ info }: Block): string | undefined => /\bskip="([^"]+)"/.exec(info)?.[1];

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[\\s\\S]*?');

/** The output that a page states, in which `…` stands for anything. */
export const expectedOutput = (text: string): RegExp => new RegExp(`^${literal(text.trim())}$`);

/** Why a block cannot be run on a deployed stage; undefined if it can. */
export const localReason = ({ info }: Block): string | undefined => /\blocal="([^"]+)"/.exec(info)?.[1];
