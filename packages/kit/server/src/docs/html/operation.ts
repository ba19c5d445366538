import { examplesHtml } from './examples.ts';
import { tryPanel } from './form.ts';
import { escaped } from './links.ts';
import { code, inline, markdown, pre } from './text.ts';
import type { Operation, Response, Sample } from '../openapi.ts';
import { successOf, titleOf } from '../openapi.ts';
import {
  aboutOperation,
  everyResponseText,
  examplesOf,
  inputsOf,
  notesOf,
  responseText,
  type InputPart,
} from '../markdown/operation-text.ts';
import type { Reference } from '../reference.ts';
import { samplesOf } from '../samples.ts';
import { needsNoKey, securityText } from '../markdown/security-text.ts';
import type { Served } from '../served.ts';
import { callbacksText } from '../markdown/webhook-text.ts';

export function renderOperation(reference: Reference, operation: Operation, level: number): string {
  const { id, method, path, definition, responses } = operation;
  const [heading, lower] = [`h${Math.min(level, 5)}`, `h${Math.min(level + 1, 6)}`];
  const badges = notesOf(reference, operation).map((note) => ` <span class="badge">${escaped(note)}</span>`);
  const part = ({ title, text, examples }: InputPart) =>
    text && `<${lower}>${title}</${lower}>${markdown(text)}${examplesHtml(examples)}`;
  const callbacks = { title: 'Callbacks', text: callbacksText(reference, operation), examples: [] };
  const success = successOf(operation);
  const answers = responses.map((value) => {
    const { status } = value;
    const isSuccess = value === success;
    return `<details class="response"${isSuccess ? ' open' : ''}><summary><span class="status s${status[0]}">${status}</span> <span>${inline(value.description)}</span></summary>
${markdown(responseText(reference, value))}${isSuccess ? '' : examples(reference, value)}</details>`;
  });
  return `<article id="${id}" aria-labelledby="title-${id}">
<div>
<${heading} id="title-${id}"><a href="#${id}">${escaped(titleOf(operation))}</a></${heading}>
<p><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}${badges.join('')}</p>
${markdown(aboutOperation(reference, operation))}
<p class="quiet">Needs ${needsNoKey(operation) ? '' : '<a href="#about-authentication">authentication</a>: '}${inline(securityText(reference, operation))}.</p>
${inputsOf(reference, operation).map(part).join('\n')}
<${lower}>Responses</${lower}>
${answers.join('\n')}
${markdown(everyResponseText(reference))}
${part(callbacks)}
</div>
<div class="code">
${renderSamples(id, samplesOf(reference, operation))}
${success ? `<p><span class="status s${success.status[0]}">${success.status}</span> <small>Response</small></p>${examples(reference, success) || `<p>No ${success.content.length > 0 ? 'example' : 'body'}.</p>`}` : ''}
${definition['x-hideTryItPanel'] ? '' : tryPanel(reference, operation)}
</div>
</article>`;
}

const examples = (served: Served, response: Response) => examplesHtml(examplesOf(served, response));

/** The samples with a switch that works without a script. The script synchronizes all switches. */
export function renderSamples(id: string, samples: readonly Sample[]): string {
  const tabs = samples.map(({ label, source }, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label><input type="radio" name="samples-${id}" value="${label}"${checked}> ${label}</label>${pre(source)}`;
  });
  return `<div class="samples" role="group" aria-label="Code samples">${tabs.join('')}<button type="button" class="copy js">Copy</button></div>`;
}
