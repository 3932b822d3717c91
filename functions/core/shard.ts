/** The characters of an identifier added up: the last ones vary most, and even a sum spreads those. */
export const shardOf = (id: string, shards: number): number =>
  [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards;
