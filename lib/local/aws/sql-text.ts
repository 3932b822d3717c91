/** A text and a name as SQL spells them. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const identifier = (text: string): string => `"${text.replaceAll('"', '""')}"`;
