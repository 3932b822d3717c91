/** Options of vi.waitFor and vi.waitUntil: wait as long as a test may take. */
export const patiently = { timeout: 600_000 };
