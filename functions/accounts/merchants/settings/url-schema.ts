import * as v from 'valibot';
import { Text } from '#core/kernel/schema/text.ts';
import { checkWebhookUrl } from '#core/kernel/webhook-url.ts';
import { webhookUrlRules } from './url-rules.ts';

/** A URL that this deployment calls or sends people to. Where it is used, the operation needs the variables of url-rules.ts. */
export const Callable = v.rawCheck<string>(({ dataset, addIssue }) => {
  const checked = dataset.typed && !dataset.issues ? checkWebhookUrl(dataset.value, webhookUrlRules()) : undefined;
  if (checked && !checked.ok) addIssue({ message: checked.message });
});

/** A URL to which a merchant's notifications go. */
export const WebhookUrl = v.pipe(Text(2048), Callable);
