/** A change of one thing. `isTime`: the values are times. `from` is absent where there was nothing before. */
export type ChangeLine = { label: string; from?: string; to: string; isTime?: true };
