import { translate } from '../language/translate.ts';
import { PanePage } from '../parts/pane.tsx';
import { AlertPane } from './alert-pane.tsx';

/** One alert on its own page, to which e-mails and other screens link. */
export const AlertPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const title = translate('Alert {id}', { id });
  const toTitle = (words: string) =>
    words === translate('Alert') ? title : translate('{reason}, alert {id}', { reason: words, id });
  return (
    <PanePage
      path="/queue"
      label={translate('Queue')}
      title={title}
      pane={(heading) => <AlertPane id={id} heading={(words) => heading(words, toTitle(words))} />}
    />
  );
};
