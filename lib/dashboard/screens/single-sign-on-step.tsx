import { useEffect, useState } from 'preact/hooks';
import { answerInAddress, finishSingleSignOn, goToIdentityProvider, merchantOfLink } from '../app/single-sign-on.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** Signs in at the merchant's identity provider, and takes its answer. */
export const SingleSignOnStep = () => {
  const [isOpen, setOpen] = useState(merchantOfLink() !== '');
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (answerInAddress()) finishSingleSignOn().catch(setError);
  }, []);
  const send = ({ mid = '' }: Record<string, string>) => goToIdentityProvider(Number(mid));
  return (
    <div class="stack">
      <Trouble error={error} />
      {isOpen ? (
        <Form onSend={send} send="Go to your identity provider">
          {(problems) => (
            <Field
              label="Merchant number"
              name="mid"
              inputMode="numeric"
              pattern="[0-9]+"
              required
              defaultValue={merchantOfLink()}
              hint="You sign in at the identity provider of this merchant."
              problem={problems['mid']}
            />
          )}
        </Form>
      ) : (
        <div class="buttons">
          <Button look="bare" onPress={() => setOpen(true)}>
            Use single sign-on
          </Button>
        </div>
      )}
    </div>
  );
};
