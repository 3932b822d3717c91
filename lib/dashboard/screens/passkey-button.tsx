import { useState } from 'preact/hooks';
import { passkeyObstacle, signInWithPasskey } from '../app/passkey.ts';
import { Button } from '../parts/button.tsx';
import { useAlive } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';

type PasskeyButtonProps = {
  /** The button's words. */
  words: string;
  /** The sign-in that waits for a second factor. */
  challenge?: string;
};

/** Signs in with a passkey; absent where the browser has none. */
export const PasskeyButton = ({ words, challenge }: PasskeyButtonProps) => {
  const [error, setError] = useState<unknown>();
  const isAlive = useAlive();
  if (passkeyObstacle() !== undefined) return null;
  const press = async () => {
    setError(undefined);
    try {
      await signInWithPasskey(challenge);
    } catch (thrown) {
      if (isAlive()) setError(thrown);
    }
  };
  return (
    <div class="stack">
      <Trouble error={error} />
      <div class="buttons">
        <Button onPress={press}>{words}</Button>
      </div>
    </div>
  );
};
