/** For vi.waitFor and vi.waitUntil: as long as a test may take, since a machine that is busy is slow. */
export const patiently = { timeout: 600_000 };
