import { exampleOf } from '@kit/contract/shown-example';
import type { Document, Operation, Parameter, Response, Sample } from './openapi.ts';
import { code, escaped, inline, linkTo, markdown, pre, tableOf } from './html-text.ts';
import type { headersOf } from './reference.ts';
import { meaningOf, rowOf, rowsOf, securityOf, specialHeaders, typeOf } from './reference.ts';

type Headers = ReturnType<typeof headersOf>;

export function renderOperation(
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
    .map((each) => renderResponse(document, known, ...each))
    .join('\n'),
)}
</div>
<div class="code">
${renderSamples(id, operation['x-codeSamples'] ?? [])}
${operation['x-hideTryItPanel'] ? '' : tryPanel(document, operation)}
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
    ...(stability ? [escaped(stability)] : []),
    ...(deprecated ? [`deprecated${since ? ` since ${date(since)}` : ''}`] : []),
    ...(sunset ? [`sunset ${date(sunset)}`] : []),
  ];
  return texts.map((text) => ` <span class="badge">${text}</span>`).join('');
}

function renderResponse(document: Document, known: Headers, status: string, response: Response): string {
  const { description, content = {}, 'x-error-codes': codes = [] } = response;
  const special = specialHeaders(known, response).map(({ id, name }) => `<a href="#${id}">${code(name)}</a>`);
  const errors = codes.map((name) => `<a href="#error-${name}">${code(name)}</a>`);
  const bodies = Object.entries(content).map(([type, media]) => {
    const { schema = {} } = media;
    const example = type.endsWith('json')
      ? JSON.stringify(exampleOf(document, media), undefined, 2)
      : media.example;
    // What an error holds is the same everywhere: its schema has the fields.
    const rows = codes.length > 0 ? [] : rowsOf(document, schema, 'writeOnly');
    return `<p>${inline(`\`${type}\`: ${typeOf(schema)}`)}</p>${tableOf('Field', rows)}${typeof example === 'string' ? pre(example) : ''}`;
  });
  return `<details class="response"><summary><span class="status s${status[0]}">${status}</span> <span>${inline(description)}</span></summary>
${errors.length > 0 ? `<p>Code: ${errors.join(' or ')}</p>` : ''}${bodies.join('') || '<p>No body.</p>'}
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

function tryPanel(document: Document, operation: Operation): string {
  const { method, path, title, parameters, requestBody, alternatives } = operation;
  const media = requestBody?.content['application/json'];
  const example = media && JSON.stringify(exampleOf(document, media), undefined, 2);
  const body = `<label>Body <textarea class="field" name="body" rows="8" spellcheck="false">${escaped(example ?? '')}</textarea></label>`;
  return `<details class="js"><summary>Try it</summary>
<form data-method="${method}" data-path="${escaped(path)}" data-title="${escaped(title)}" data-security="${escaped(JSON.stringify(alternatives))}" autocomplete="off">
${parameters.map((each) => field(document, operation, each)).join('')}${example ? body : ''}
<button class="main">Send</button></form>
<div class="answer" role="status"></div></details>`;
}

/** Filled in with the example where nothing can be changed by sending it: elsewhere the reader has to say what is meant. */
function field(document: Document, { method }: Operation, parameter: Parameter): string {
  const { name, in: place, required, schema = {}, explode } = parameter;
  const list = schema.type === 'array' ? ` data-list="${explode === false ? 'joined' : 'repeated'}"` : '';
  const allowed = {
    // URLs take those two for steps to another path (RFC 3986 §5.2.4), even escaped.
    path: ' pattern="(?!\\.\\.?$).*" title="Neither . nor .."',
    query: '',
    header: ' pattern="[ -~]*" title="Characters of ASCII alone"',
    // Browsers let no page send a cookie of another name.
    cookie: ' disabled',
  }[place];
  const attributes = `class="field" name="${escaped(name)}" data-in="${place}"${required ? ' required' : ''}${list}`;
  const values =
    schema.type === 'boolean' ? [true, false] : (schema['enum'] as readonly unknown[] | undefined);
  const options = values?.map((value) => `<option>${escaped(String(value))}</option>`).join('');
  const value = required && method === 'GET' ? String(exampleOf(document, parameter)) : '';
  const input = options
    ? `<select ${attributes}><option></option>${options}</select>`
    : `<input ${attributes}${allowed} value="${escaped(value)}" spellcheck="false">`;
  return `<label>${escaped(name)}${list && ', separated by commas'}${required ? '' : ' (optional)'} ${input}</label>`;
}
