import { ServiceError } from '../app/transport.ts';
import { compose, translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';

type Labels = Readonly<Record<string, string>>;

/** Names the wrong field only to the person who filled it in; elsewhere its name means nothing to a user. */
const showDetails = ({ status, details }: ServiceError, labels: Labels): string => {
  if (status === 400) return details.replace(/(?<=^|; )[\w.]+(?=: )/g, (name) => labels[name] ?? name);
  const plain = details.replace(/^[\w.]+: /, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
};

type TroubleProps = {
  error: unknown;
  /** The page's labels of the fields that the service names. */
  labels?: Labels;
  onRetry?: (() => void) | undefined;
};

/** An error: the service's message, the advice, and the number by which its operators find it. */
export const Trouble = ({ error, labels = {}, onRetry }: TroubleProps) => {
  if (error === undefined || error === null) return null;
  const [title, details, requestId] =
    error instanceof ServiceError
      ? [error.message, showDetails(error, labels), error.requestId]
      : [translate('Something went wrong on this page'), error instanceof Error ? error.message : String(error), ''];
  // The service answers in English.
  const language = requestId === '' ? undefined : 'en';
  return (
    <div class="trouble" role="alert">
      <p class="title" lang={language}>
        {title}
      </p>
      {details !== '' && <p lang={language}>{details}</p>}
      {requestId !== '' && (
        <p class="quiet small">
          {compose('Request {requestId} {copy}', {
            requestId,
            copy: <Copy text={requestId} label={translate("Copy the request's id")} />,
          })}
        </p>
      )}
      {onRetry && error instanceof ServiceError && error.status === 0 && (
        <p>{translate('It is tried again every few seconds.')}</p>
      )}
      {onRetry && <Button onPress={onRetry}>{translate('Try again')}</Button>}
    </div>
  );
};
