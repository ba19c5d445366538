import { dereferenced } from '@kit/contract/described-operation';
import { isJson } from '@kit/contract/media-type';
import { code, escaped, inline, linkTo, markdown, pre, tableOf } from './html-text.ts';
import { credentialOf, successOf } from './openapi.ts';
import type { Document, Operation, Parameter, Response, Sample } from './openapi.ts';
import type { Reference } from './reference.ts';
import {
  isOpen,
  meaningOf,
  responseExample,
  rowOf,
  rowsOf,
  securityOf,
  specialHeaders,
  typeOf,
} from './reference.ts';
import { formParameterOf, requestOf } from './samples.ts';

export function renderOperation(reference: Reference, operation: Operation, level: number): string {
  const { document } = reference;
  const { id, method, path, title, description = '', parameters, requestBody, responses } = operation;
  const [heading, lower] = [`h${Math.min(level, 5)}`, `h${Math.min(level + 1, 6)}`];
  const part = (name: string, html: string) => (html ? `<${lower}>${name}</${lower}>${html}` : '');
  const places = {
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Request headers',
    cookie: 'Cookies',
  };
  const parameterTables = Object.entries(places).map(([place, name]) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => rowOf(parameter.name, parameter));
    return part(name, tableOf('Parameter', rows));
  });
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => {
    const needed = requestBody?.required ? 'Required' : 'Optional';
    const what = `<p>${needed}, ${inline(`\`${type}\`: ${typeOf(schema)}. ${schema.$ref ? '' : meaningOf(schema)}`)}</p>`;
    const rows = rowsOf(document, schema, 'readOnly');
    return markdown(requestBody?.description ?? '') + what + tableOf('Field', rows);
  });
  const [success = '', response] = successOf(operation) ?? [];
  return `<article id="${id}" aria-labelledby="title-${id}">
<div>
<${heading} id="title-${id}"><a href="#${id}">${escaped(title)}</a></${heading}>
<p><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}${badges(operation)}</p>
${markdown(description)}
${linkTo(operation.externalDocs)}
<p class="quiet">Needs ${isOpen(operation) ? '' : '<a href="#about-authentication">authentication</a>: '}${inline(securityOf(operation))}.</p>
${parameterTables.join('')}${part('Body', bodies.join(''))}
${part(
  'Responses',
  Object.entries(responses)
    .map(([status, value]) => renderResponse(reference, status, value, status === success))
    .join('\n'),
)}
</div>
<div class="code">
${renderSamples(id, operation['x-codeSamples'] ?? [])}
${response ? `<p><span class="status s${success[0]}">${success}</span> <small>Response</small></p>${examplesOf(document, response) || '<p>No body.</p>'}` : ''}
${operation['x-hideTryItPanel'] ? '' : tryPanel(reference, operation)}
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
    ...(operation['x-answers-from-example'] ? ['example only'] : []),
    ...(stability ? [escaped(stability)] : []),
    ...(deprecated ? [`deprecated${since ? ` since ${date(since)}` : ''}`] : []),
    ...(sunset ? [`sunset ${date(sunset)}`] : []),
  ];
  return texts.map((text) => ` <span class="badge">${text}</span>`).join('');
}

function examplesOf(document: Document, { content = {} }: Response): string {
  const examples = Object.entries(content).map(([type, media]) =>
    isJson(type) ? JSON.stringify(responseExample(document, media), undefined, 2) : media.example,
  );
  return examples.map((example) => (typeof example === 'string' ? pre(example) : '')).join('');
}

/** Only the first success is expanded. */
function renderResponse(reference: Reference, status: string, response: Response, isFirst: boolean): string {
  const { document } = reference;
  const { description, content = {}, 'x-error-codes': codes = [] } = response;
  const special = specialHeaders(reference, response).map(
    ({ id, name }) => `<a href="#${id}">${code(name)}</a>`,
  );
  const errors = codes.map((name) => `<a href="#error-${name}">${code(name)}</a>`);
  const bodies = Object.entries(content).map(([type, { schema = {} }]) => {
    // All errors share a schema, which has the fields.
    const rows = codes.length > 0 ? [] : rowsOf(document, schema, 'writeOnly');
    return `<p>${inline(`\`${type}\`: ${typeOf(schema)}`)}</p>${tableOf('Field', rows)}`;
  });
  return `<details class="response"${isFirst ? ' open' : ''}><summary><span class="status s${status[0]}">${status}</span> <span>${inline(description)}</span></summary>
${errors.length > 0 ? `<p>Code: ${errors.join(' or ')}</p>` : ''}${bodies.join('') || '<p>No body.</p>'}${isFirst ? '' : examplesOf(document, response)}
<p class="quiet">${special.length > 0 ? `Headers: ${special.join(', ')}, and ` : 'Headers: '}<a href="#response-headers">those of every response</a>.</p></details>`;
}

/** The samples with a switch that works without a script. The script synchronizes all switches. */
export function renderSamples(id: string, samples: readonly Sample[]): string {
  const tabs = samples.map(({ label, source }, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label><input type="radio" name="samples-${id}" value="${label}"${checked}> ${label}</label>${pre(source)}`;
  });
  return `<div class="samples" role="group" aria-label="Code samples">${tabs.join('')}<button type="button" class="copy js">Copy</button></div>`;
}

function tryPanel({ contract, document }: Reference, operation: Operation): string {
  const { parameters, fields, alternatives, sent } = operation;
  const request = requestOf(contract, document, operation);
  const { body } = request;
  const schemes = [...new Set(alternatives.flat())];
  const keys = schemes.map((scheme) =>
    keyField(document, scheme, alternatives.length === 1, schemes.length > 1),
  );
  const inputs = [...parameters, ...fields].map((parameter) => field(document, operation, parameter));
  const whole = {
    json: () => textBody(JSON.stringify(body, undefined, 2)),
    text: () => textBody(body as string),
    bytes: () => '<label>Body <input type="file" class="field" data-body></label>',
    form: () => '',
  };
  return `<details class="js"><summary>Try it</summary>
<form data-request="${escaped(JSON.stringify(request))}" data-security="${escaped(JSON.stringify(alternatives))}" autocomplete="off">
${keys.join('')}${inputs.join('')}${sent ? whole[sent.kind]() : ''}
<button class="main">Send</button></form>
<div class="answer" role="status"></div></details>`;
}

function textBody(example = ''): string {
  return `<label>Body <textarea class="field" data-body rows="8" spellcheck="false">${escaped(example)}</textarea></label>`;
}

/** Forms share their keys. */
function keyField(document: Document, id: string, isRequired: boolean, isNamed: boolean): string {
  const credential = credentialOf(document.components?.securitySchemes?.[id] ?? { type: 'http' });
  const attributes = `data-key="${id}" data-credential="${escaped(JSON.stringify(credential))}"${isRequired ? ' required' : ''}`;
  return `<label>Key${isNamed ? `, as ${id}` : ''} <small>sent only to this server, never stored</small> <input type="password" class="field" ${attributes} pattern="[ -~]*[!-~][ -~]*" title="ASCII characters only" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`;
}

/** Has the example value only if the request changes nothing; otherwise the reader must enter one. */
function field(document: Document, { method }: Operation, parameter: Parameter): string {
  const { value: shown = '', ...known } = formParameterOf(document, parameter);
  const { name, in: place, type, isList, isFile } = known;
  const { enum: listed } = dereferenced(parameter.schema ?? {}, document);
  const example =
    type === 'json' ? JSON.stringify(shown) : ([shown].flat() as (string | number)[]).join(', ');
  const isInteger = type === 'integer' && !isList;
  const allowed = {
    // URLs treat these as steps to another path (RFC 3986 §5.2.4), even escaped.
    path: ' pattern="(?!\\.\\.?$).*" title="Neither . nor .."',
    query: '',
    form: '',
    header: ' pattern="[ -~]*" title="ASCII characters only"',
    // Browsers do not let a page set the Cookie header.
    cookie: ' disabled',
  }[place];
  const constraints = isInteger ? ' inputmode="numeric" pattern="-?\\d+" title="Digits alone"' : allowed;
  const attributes = `class="field" data-parameter="${escaped(JSON.stringify({ ...known, example }))}"${parameter.required ? ' required' : ''}`;
  const values = type === 'boolean' && !isList ? [true, false] : (listed as readonly unknown[] | undefined);
  const options = values?.map((value) => `<option>${escaped(String(value))}</option>`).join('');
  const value = parameter.required && method === 'GET' ? example : '';
  const text = `<input ${attributes}${constraints} value="${escaped(value)}"${isInteger ? ` placeholder="${escaped(example)}"` : ''} spellcheck="false">`;
  const file = `<input type="file" ${attributes}${isList ? ' multiple' : ''}>`;
  const chosen = `<select ${attributes}><option></option>${options}</select>`;
  const notation = isFile ? '' : type === 'json' ? ', as JSON' : isList ? ', separated by commas' : '';
  return `<label>${escaped(name)}${notation}${parameter.required ? '' : ' (optional)'} ${options ? chosen : isFile ? file : text}</label>`;
}
