import type { ProcessorClaims } from '#payments/processors/claims/claims.ts';

/** Claims that last as long as a test: the table's are tested with their store. */
export const memoryClaims = (): ProcessorClaims => {
  const held = new Map<string, string>();
  return {
    take: async (name, holder) => {
      const standing = held.get(name);
      if (standing === undefined) held.set(name, holder);
      return { holder: standing ?? holder, isNew: standing === undefined };
    },
    release: async (name, holder) => {
      if (held.get(name) === holder) held.delete(name);
    },
  };
};
