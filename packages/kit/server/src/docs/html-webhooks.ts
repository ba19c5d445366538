import { examplesHtml } from './html-examples.ts';
import { code, escaped, markdown } from './html-text.ts';
import { titleOf, type Operation } from './openapi.ts';
import { bodyExamplesOf } from './operation-text.ts';
import type { Reference } from './reference.ts';
import { WEBHOOKS, webhookId, webhookText } from './webhook-text.ts';

/** The section of the webhooks, and its entry in the contents; undefined if there are none. */
export function webhooksPart(reference: Reference) {
  const { webhooks } = reference.model;
  if (webhooks.length === 0) return undefined;
  const entries = webhooks.map(
    (webhook) =>
      `<li><a href="#${webhookId(webhook)}">${methodOf(webhook)} ${escaped(titleOf(webhook))}</a></li>`,
  );
  return {
    home: '/docs',
    link: `<li><a href="#all-webhooks">Webhooks</a><ul>${entries.join('')}</ul></li>`,
    html: () =>
      `<section id="all-webhooks"><h2>Webhooks</h2>${markdown(WEBHOOKS)}${webhooks.map((webhook) => render(reference, webhook)).join('\n')}</section>`,
  };
}

const methodOf = ({ method }: Operation) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

function render(reference: Reference, webhook: Operation): string {
  const id = webhookId(webhook);
  const examples = examplesHtml(bodyExamplesOf(reference, webhook));
  return `<article id="${id}" aria-labelledby="title-${id}">
<div>
<h3 id="title-${id}"><a href="#${id}">${escaped(titleOf(webhook))}</a></h3>
<p>${methodOf(webhook)} ${code(webhook.path)}</p>
${markdown(webhookText(reference, webhook))}
</div>
<div class="code">${examples && `<p><small>Request</small></p>${examples}`}</div>
</article>`;
}
