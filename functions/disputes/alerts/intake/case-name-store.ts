import { holdsCardNumber, maskCardNumbers } from '#core/kernel/card/card-numbers.ts';
import { hmacSha256, open, seal } from '#core/kernel/crypto.ts';
import { oldestPurposeKey } from '#core/kernel/key-ring.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';

/**
 * Names of cases that look like a card number: a network may well use the number itself. Such a name is stored and shown as its mask with a
 * keyed digest, by which a repeated message finds its case, and sealed for the answer to the network.
 */

type StoredCaseName = { caseId: string; sealedCaseId?: string };

const caseContext = (provider: string): string => `case:${provider}`;

/** Returns the stored form of a provider's name for a case. The digest stays the same when the `encryption` secret is rotated. */
export const toStoredCaseName = async (provider: string, caseId: string): Promise<StoredCaseName> => {
  if (!holdsCardNumber(caseId)) return { caseId };
  const ring = await keyRing('encryption');
  const digest = hmacSha256(oldestPurposeKey(ring, 'card'), `${caseContext(provider)}:${caseId}`).slice(0, 20);
  return {
    caseId: `${maskCardNumbers(caseId)}~${digest}`,
    sealedCaseId: seal(ring, caseContext(provider), caseId),
  };
};

/** The provider's own name for a case. Throws an Error if the key that sealed it is gone. */
export const fromStoredCaseName = async ({
  provider,
  caseId,
  sealedCaseId,
}: StoredCaseName & { provider: string }): Promise<string> =>
  sealedCaseId === undefined ? caseId : open(await keyRing('encryption'), caseContext(provider), sealedCaseId);
