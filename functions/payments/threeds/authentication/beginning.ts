import { type ChallengeWish, challengeIndOf } from '../challenge/challenge-wish.ts';
import type { PayerDetails } from '../server/areq.ts';
import { type Authentication, abandonedFrom } from './authentication.ts';
import { endWithoutResult, unavailableConclusion } from './conclusion.ts';

type Begun = Pick<
  Authentication,
  'id' | 'sid' | 'mid' | 'rid' | 'settings' | 'pageOrigin' | 'tid' | 'money' | 'exemption'
> & {
  challenge: ChallengeWish | undefined;
  payer: PayerDetails;
  isSkipped: boolean;
  at: string;
};

/** An authentication as it begins; one that is skipped is done at once. */
export const newAuthentication = ({ challenge, isSkipped, at, ...begun }: Begun): Authentication => {
  const made: Authentication = {
    ...begun,
    status: 'created',
    outcome: null,
    reason: null,
    card: null,
    server: null,
    challenge: null,
    result: null,
    challengeInd: challengeIndOf({ challenge, exemption: begun.exemption, settings: begun.settings }),
    createdAt: at,
    doneAt: null,
    nextCheckAt: abandonedFrom(at),
    starts: 0,
    attempts: 0,
    cards: [],
    clients: [],
    askingUntil: null,
    usedByTxid: null,
    version: 1,
  };
  return isSkipped ? endWithoutResult(made, unavailableConclusion('skipped'), at) : made;
};
