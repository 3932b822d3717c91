/** A question that is put once the gate is open. */
export const gate = <T>(put: () => Promise<T>): { ask: () => Promise<T>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { ask: () => promise.then(put), open: resolve };
};
