import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { translate } from '../language/translate.ts';
import { CloseIcon } from '../parts/icons.tsx';

type Message = { id: number; text: string; tone: 'plain' | 'good' | 'bad' };

const isOffline = signal(!navigator.onLine);
for (const event of ['online', 'offline']) addEventListener(event, () => (isOffline.value = !navigator.onLine));

const messages = signal<readonly Message[]>([]);
let given = 0;

/** The time that a message stays; errors stay until they are closed. */
const shownMilliseconds = 8000;

/** Shows a message that needs no answer, politely: screen readers announce it when they are idle. */
export const say = (text: string, tone: Message['tone'] = 'good'): void => {
  given += 1;
  const id = given;
  messages.value = [...messages.value.slice(-3), { id, text, tone }];
  if (tone !== 'bad') setTimeout(() => putAway(id), shownMilliseconds);
};

const putAway = (id: number): void => {
  messages.value = messages.value.filter((one) => one.id !== id);
};

/** Where messages appear. It is there from the start, or screen readers would miss the first. */
export const Messages = ({ children }: { children: ComponentChildren }) => (
  <div class="messages" role="status">
    {isOffline.value && (
      <p class="message offline">{translate('You are offline. Answers are not sent until you are back.')}</p>
    )}
    {children}
    {messages.value.map(({ id, text, tone }) => (
      <p class={`message ${tone}`} key={id}>
        <span>{text}</span>
        <button type="button" class="bare" aria-label={translate('Dismiss this message')} onClick={() => putAway(id)}>
          <CloseIcon />
        </button>
      </p>
    ))}
  </div>
);
