import { useEffect, useState } from 'preact/hooks';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { connectionsOf } from '../app/operations.ts';
import { takeProcessorAnswer } from '../app/processor-sign-in.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { processorTitle } from './processor-fields.ts';

/**
 * Connects the account at which the person has just signed in, as soon as the present connections are known. Returns the error if that fails.
 */
export const useProcessorAnswer = (
  isReady: boolean,
  connect: (kind: string, signIn: { state: string; code: string }) => Promise<void>,
): unknown => {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const answer = isReady ? takeProcessorAnswer() : undefined;
    if (!answer) return;
    const { kind, state, code } = answer;
    if (code !== null) connect(kind, { state, code }).catch(setError);
    else {
      const label = processorTitle(kind);
      say(translate('{label} was not connected: the sign-in was not completed.', { label }));
    }
  }, [isReady]);
  return error;
};

/** Goes to the processor's sign-in. The page is fetched at the press, because it is only good for an hour. */
export const ProcessorSignIn = ({ kind }: { kind: string }) => {
  const title = processorTitle(kind);
  const go = async () => {
    const { sign_ins } = await connectionsOf({ params: { mid: presentMid() ?? 0 }, body: {} });
    const page = sign_ins.find((one) => one.kind === kind);
    if (page) location.assign(page.url);
  };
  return (
    <>
      <Button look="main" onPress={go}>
        {translate('Sign in at {title}', { title })}
      </Button>
      <p class="quiet">{translate('Or enter a key:')}</p>
    </>
  );
};
