import { afterAll, afterEach, expect } from 'vitest';
import { takeBreaches } from '#test/contracts/breaches.ts';

/** Fails each test in which an adapter sent, or a stand-in answered, what the vendor's contract does not have. */
const expectNoBreaches = (): void => expect(takeBreaches(), 'calls that differ from the contract').toEqual([]);

afterEach(expectNoBreaches);
afterAll(expectNoBreaches);
