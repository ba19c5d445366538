import type { Contract } from '@kit/contract';
import { dereferenced } from '@kit/contract/described-operation';
import { exampleOf } from '@kit/contract/shown-example';
import { credentialOf } from './openapi.ts';
import type { Document, Operation, Parameter, Response, Sample } from './openapi.ts';
import { code, escaped, inline, linkTo, markdown, pre, tableOf } from './html-text.ts';
import type { headersOf } from './reference.ts';
import { meaningOf, rowOf, rowsOf, securityOf, specialHeaders, typeOf } from './reference.ts';
import { requestOf } from './samples.ts';

type Headers = ReturnType<typeof headersOf>;

export function renderOperation(
  contract: Contract,
  document: Document,
  operation: Operation,
  known: Headers,
  level: number,
): string {
  const {
    operationId: id,
    method,
    path,
    title,
    description = '',
    parameters,
    requestBody,
    responses,
  } = operation;
  const [heading, lower] = [`h${Math.min(level, 5)}`, `h${Math.min(level + 1, 6)}`];
  const part = (name: string, html: string) => (html ? `<${lower}>${name}</${lower}>${html}` : '');
  const places = { path: 'Path parameters', query: 'Query parameters', header: 'Request headers' };
  const ofPlace = Object.entries(places).map(([place, name]) => {
    const rows = parameters.filter((each) => each.in === place).map((each) => rowOf(each.name, each));
    return part(name, tableOf('Parameter', rows));
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => {
    const needed = requestBody?.required ? 'Required' : 'Optional';
    const what = `<p>${needed}, ${inline(`\`${type}\`: ${typeOf(schema)}. ${schema.$ref ? '' : meaningOf(schema)}`)}</p>`;
    const rows = rowsOf(document, schema, 'readOnly');
    return markdown(requestBody?.description ?? '') + what + tableOf('Field', rows);
  });
  const success = Object.keys(responses).find((status) => /^[23]/.test(status)) ?? Object.keys(responses)[0];
  const response = success === undefined ? undefined : responses[success];
  return `<article id="${id}" aria-labelledby="title-${id}">
<div>
<${heading} id="title-${id}"><a href="#${id}">${escaped(title)}</a></${heading}>
<p><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}${badges(operation)}</p>
${markdown(description)}
${linkTo(operation.externalDocs)}
<p class="quiet">Needs <a href="#about-authentication">authentication</a>: ${inline(securityOf(operation))}.</p>
${ofPlace.join('')}${part('Body', bodies.join(''))}
${part(
  'Responses',
  Object.entries(responses)
    .map(([status, each]) => renderResponse(document, known, status, each, status === success))
    .join('\n'),
)}
</div>
<div class="code">
${renderSamples(id, operation['x-codeSamples'] ?? [])}
${response ? `<p><span class="status s${success?.[0]}">${success}</span> <small>Response</small></p>${examplesOf(document, response) || '<p>No body.</p>'}` : ''}
${operation['x-hideTryItPanel'] ? '' : tryPanel(contract, document, operation)}
</div>
</article>`;
}

function badges(operation: Operation): string {
  const {
    deprecated,
    'x-stability': stability,
    'x-deprecated-since': since,
    'x-deprecated-sunset': sunset,
  } = operation;
  const date = (day: string) => `<time datetime="${day}">${day}</time>`;
  const texts = [
    ...(operation['x-answers-from-example'] ? ['answers from an example'] : []),
    ...(stability ? [escaped(stability)] : []),
    ...(deprecated ? [`deprecated${since ? ` since ${date(since)}` : ''}`] : []),
    ...(sunset ? [`sunset ${date(sunset)}`] : []),
  ];
  return texts.map((text) => ` <span class="badge">${text}</span>`).join('');
}

/** What a body looks like. */
function examplesOf(document: Document, { content = {} }: Response): string {
  const examples = Object.entries(content).map(([type, media]) =>
    type.endsWith('json') ? JSON.stringify(exampleOf(document, media), undefined, 2) : media.example,
  );
  return examples.map((each) => (typeof each === 'string' ? pre(each) : '')).join('');
}

/** The first success is open, with its example under the request. */
function renderResponse(
  document: Document,
  known: Headers,
  status: string,
  response: Response,
  isOpen: boolean,
): string {
  const { description, content = {}, 'x-error-codes': codes = [] } = response;
  const special = specialHeaders(known, response).map(({ id, name }) => `<a href="#${id}">${code(name)}</a>`);
  const errors = codes.map((name) => `<a href="#error-${name}">${code(name)}</a>`);
  const bodies = Object.entries(content).map(([type, { schema = {} }]) => {
    // What an error holds is the same everywhere: its schema has the fields.
    const rows = codes.length > 0 ? [] : rowsOf(document, schema, 'writeOnly');
    return `<p>${inline(`\`${type}\`: ${typeOf(schema)}`)}</p>${tableOf('Field', rows)}`;
  });
  return `<details class="response"${isOpen ? ' open' : ''}><summary><span class="status s${status[0]}">${status}</span> <span>${inline(description)}</span></summary>
${errors.length > 0 ? `<p>Code: ${errors.join(' or ')}</p>` : ''}${bodies.join('') || '<p>No body.</p>'}${isOpen ? '' : examplesOf(document, response)}
<p class="quiet">${special.length > 0 ? `Headers: ${special.join(', ')}, and ` : 'Headers: '}<a href="#response-headers">those of every response</a>.</p></details>`;
}

/** The samples behind one switch, which needs no script; the script makes all of the page follow it. */
export function renderSamples(id: string, samples: readonly Sample[]): string {
  const tabs = samples.map(({ label, source }, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label><input type="radio" name="samples-${id}" value="${label}"${checked}> ${label}</label>${pre(source)}`;
  });
  return `<div class="samples" role="group" aria-label="Code samples">${tabs.join('')}<button type="button" class="copy js">Copy</button></div>`;
}

function tryPanel(contract: Contract, document: Document, operation: Operation): string {
  const { parameters, requestBody, alternatives } = operation;
  const { id, method, path, isFlat, answersJson, credentials } = requestOf(contract, document, operation);
  const request = { id, method, path, isFlat, answersJson, credentials };
  const media = requestBody?.content['application/json'];
  const example = media && JSON.stringify(exampleOf(document, media), undefined, 2);
  const body = `<label>Body <textarea class="field" name="body" rows="8" spellcheck="false">${escaped(example ?? '')}</textarea></label>`;
  const schemes = [...new Set(alternatives.flat())];
  const keys = schemes.map((scheme) =>
    keyField(document, scheme, alternatives.length === 1, schemes.length > 1),
  );
  return `<details class="js"><summary>Try it</summary>
<form data-request="${escaped(JSON.stringify(request))}" data-security="${escaped(JSON.stringify(alternatives))}" autocomplete="off">
${keys.join('')}${parameters.map((each) => field(document, operation, each)).join('')}${example ? body : ''}
<button class="main">Send</button></form>
<div class="answer" role="status"></div></details>`;
}

/** What is entered in one form stands in all that take the same key. */
function keyField(document: Document, id: string, isRequired: boolean, isNamed: boolean): string {
  const { header, prefix } = credentialOf(document.components?.securitySchemes?.[id] ?? { type: 'http' });
  const attributes = `data-key="${id}" data-header="${header}" data-prefix="${prefix}"${isRequired ? ' required' : ''}`;
  return `<label>Key${isNamed ? `, as ${id}` : ''} <small>sent to this server alone, stored nowhere</small> <input type="password" class="field" ${attributes} pattern="[ -~]*[!-~][ -~]*" title="Characters of ASCII alone" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`;
}

/** Filled in with the example if nothing can be changed by sending it: otherwise the reader has to say what is meant. */
function field(document: Document, { method }: Operation, parameter: Parameter): string {
  const { name, in: place, required, explode } = parameter;
  const schema = dereferenced(parameter.schema ?? {}, document);
  const examples = [exampleOf(document, parameter) ?? ''].flat() as (string | number)[];
  const example = examples.join(', ');
  const list = schema.type === 'array' ? ` data-list="${explode === false ? 'joined' : 'repeated'}"` : '';
  const type =
    [(schema.items ? dereferenced(schema.items, document) : schema).type]
      .flat()
      .find((each) => each !== 'null') ?? 'string';
  const isInteger = type === 'integer' && !list;
  const allowed = {
    // URLs take those two for steps to another path (RFC 3986 §5.2.4), even escaped.
    path: ' pattern="(?!\\.\\.?$).*" title="Neither . nor .."',
    query: '',
    header: ' pattern="[ -~]*" title="Characters of ASCII alone"',
    // Browsers let no page send a cookie of another name.
    cookie: ' disabled',
  }[place];
  const kept = isInteger ? ' inputmode="numeric" pattern="-?\\d+" title="Digits alone"' : allowed;
  const attributes = `class="field" name="${escaped(name)}" data-in="${place}" data-type="${type}" data-example="${escaped(example)}"${required ? ' required' : ''}${list}`;
  const values =
    schema.type === 'boolean' ? [true, false] : (schema['enum'] as readonly unknown[] | undefined);
  const options = values?.map((value) => `<option>${escaped(String(value))}</option>`).join('');
  const value = required && method === 'GET' ? example : '';
  const input = options
    ? `<select ${attributes}><option></option>${options}</select>`
    : `<input ${attributes}${kept} value="${escaped(value)}"${isInteger ? ` placeholder="${escaped(example)}"` : ''} spellcheck="false">`;
  return `<label>${escaped(name)}${list && ', separated by commas'}${required ? '' : ' (optional)'} ${input}</label>`;
}
