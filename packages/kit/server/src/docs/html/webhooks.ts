import { examplesHtml } from './examples.ts';
import { escaped } from './links.ts';
import { code, markdown } from './text.ts';
import { titleOf, webhookId, type Operation } from '../openapi.ts';
import { bodyExamplesOf } from '../markdown/operation-text.ts';
import type { Reference } from '../reference.ts';
import { webhookText } from '../markdown/webhook-text.ts';

/** The entries of the webhooks in the contents. */
export const webhookLinks = (webhooks: readonly Operation[]): string[] =>
  webhooks.map(
    (webhook) =>
      `<li><a href="#${webhookId(webhook)}">${methodOf(webhook)} ${escaped(titleOf(webhook))}</a></li>`,
  );

const methodOf = ({ method }: Operation) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

export function renderWebhook(reference: Reference, webhook: Operation, level: number): string {
  const id = webhookId(webhook);
  const examples = examplesHtml(bodyExamplesOf(reference, webhook));
  return `<article id="${id}" aria-labelledby="title-${id}">
<div>
<h${level} id="title-${id}"><a href="#${id}">${escaped(titleOf(webhook))}</a></h${level}>
<p>${methodOf(webhook)} ${code(webhook.path)}</p>
${markdown(webhookText(reference, webhook))}
</div>
<div class="code">${examples && `<p><small>Request</small></p>${examples}`}</div>
</article>`;
}
