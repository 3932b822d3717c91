/** Sizes of the process's heap, in bytes, as `v8.getHeapStatistics()` has them. */
export type Heap = { used_heap_size: number; heap_size_limit: number };

/** The share of its limit above which a heap is short: V8 collects what is unused long before. */
const shortShare = 0.85;
const megabytes = (bytes: number): string => String(Math.round(bytes / 1_048_576));

/**
 * Returns a check to make every few seconds. If memory is short, it has the functions loaded again, as Lambda ends idle ones, and says so; if
 * that did not help by the next check, it names the setting, once.
 */
export const createMemoryWatch = (
  readHeap: () => Heap,
  { forget, onProblem }: { forget(): void; onProblem(sentence: string): void },
): (() => void) => {
  let shortChecks = 0;
  return () => {
    const { used_heap_size: used, heap_size_limit: limit } = readHeap();
    shortChecks = used < limit * shortShare ? 0 : shortChecks + 1;
    const figures = `${megabytes(used)} of ${megabytes(limit)} MB`;
    if (shortChecks === 1) {
      forget();
      onProblem(`Memory is short (${figures}): functions are loaded again at their next call.`);
    }
    if (shortChecks === 2)
      onProblem(
        `Memory is still short (${figures}): the stack may end. Start it with more: node --max-old-space-size=4096 --import ./lib/local/preflight.mjs bin/local.ts`,
      );
  };
};
