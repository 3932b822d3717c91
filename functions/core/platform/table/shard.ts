/** A shard from the sum of an identifier's characters: the last ones vary most, and a sum is enough to spread those. */
export const pickShard = (id: string, shards: number): number =>
  [...id].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards;
