import { credentialOf, isSafe } from '@contract-kit/core/http';
import type { Model } from '@contract-kit/core/model';
import { escaped } from './html-text.ts';
import { alternativesOf, formFields, sentOf } from './openapi.ts';
import type { Input, Operation } from './openapi.ts';
import type { Reference } from './reference.ts';
import { formParameterOf, requestOf } from './samples.ts';

/** The panel to try an operation. */
export function tryPanel(reference: Reference, operation: Operation): string {
  const { model } = reference;
  const { parameters } = operation;
  const [alternatives, sent] = [alternativesOf(operation), sentOf(operation)];
  const request = requestOf(reference, operation);
  const { body } = request;
  const schemes = [...new Set(alternatives.flat())];
  const keys = schemes.map((scheme) =>
    keyField(model, scheme, alternatives.length === 1, schemes.length > 1),
  );
  const inputs = [...parameters, ...formFields(model, operation)].map((parameter) =>
    field(model, operation, parameter),
  );
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

/** Forms share their keys. A key in a cookie may be one that the browser has, which no page can read. */
function keyField({ schemes }: Model, id: string, isRequired: boolean, isNamed: boolean): string {
  const credential = credentialOf(schemes.get(id) ?? {});
  const isCookie = credential?.in === 'cookie';
  const attributes = `data-key="${id}" data-credential="${escaped(JSON.stringify(credential))}"${isRequired && !isCookie ? ' required' : ''}`;
  const note = isCookie
    ? 'if empty, the cookie that this browser has, as after a login'
    : 'sent only to this server, never stored';
  return `<label>Key${isNamed ? `, as ${id}` : ''} <small>${note}</small> <input type="password" class="field" ${attributes} pattern="[ -~]*[!-~][ -~]*" title="ASCII characters only" autocomplete="off" autocapitalize="none" spellcheck="false"></label>`;
}

/** Has the example value only if the request changes nothing; otherwise the reader must enter one. */
function field(model: Model, { method }: Operation, parameter: Input): string {
  const { value: shown = '', ...known } = formParameterOf(model, parameter);
  const { name, in: place, type, isList, isFile } = known;
  const { enum: listed } = parameter.schema;
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
  const value = parameter.required && isSafe(method) ? example : '';
  const text = `<input ${attributes}${constraints} value="${escaped(value)}"${isInteger ? ` placeholder="${escaped(example)}"` : ''} spellcheck="false">`;
  const accept = parameter.fileTypes ? ` accept="${escaped(parameter.fileTypes.join())}"` : '';
  const file = `<input type="file" ${attributes}${accept}${isList ? ' multiple' : ''}>`;
  const chosen = `<select ${attributes}><option></option>${options}</select>`;
  const notation = isFile ? '' : type === 'json' ? ', as JSON' : isList ? ', separated by commas' : '';
  return `<label>${escaped(name)}${notation}${parameter.required ? '' : ' (optional)'} ${options ? chosen : isFile ? file : text}</label>`;
}
