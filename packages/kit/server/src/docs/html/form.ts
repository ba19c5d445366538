import { credentialOf, type BodyKind } from '@contract-kit/core/http';
import type { Model, MediaType, RequestBody } from '@contract-kit/core/model';
import { field, isSecretIn } from './field.ts';
import { escaped } from './links.ts';
import { alternativesOf, formFields, sentOf } from '../openapi.ts';
import type { Operation } from '../openapi.ts';
import type { Reference } from '../reference.ts';
import { requestOf } from '../samples.ts';

/** The panel to try an operation. */
export function tryPanel(reference: Reference, operation: Operation): string {
  const { model } = reference;
  const { parameters, body } = operation;
  const alternatives = alternativesOf(operation);
  const schemes = [...new Set(alternatives.flat())];
  const keys = schemes.map((scheme) =>
    keyField(model, scheme, alternatives.length === 1, schemes.length > 1),
  );
  const inputs = parameters.map((parameter) => field(model, operation, parameter));
  const bodies = (body?.content ?? []).map((media) => {
    const sending = { ...operation, body: { ...(body as RequestBody), media } };
    return {
      type: sentOf(sending)?.type,
      isFirst: media === body?.media,
      html: bodyFields(reference, sending),
    };
  });
  return `<details class="js"><summary>Try it</summary>
<form data-request="${requestData(reference, operation, (name) => ![...OF_BODY, ...OF_FIELDS].includes(name))}" data-security="${escaped(JSON.stringify(alternatives))}" autocomplete="off">
${keys.join('')}${inputs.join('')}${bodies.length > 1 ? typeChoice(bodies) : (bodies[0]?.html ?? '')}
<button class="main">Send</button></form>
<div class="answer"><p role="status"></p><div></div></div></details>`;
}

interface SentBody {
  readonly type: string | undefined;
  /** Whether clients send this one. */
  readonly isFirst: boolean;
  readonly html: string;
}

/** The fields of each media type, of which the script shows those of the chosen one. */
function typeChoice(bodies: readonly SentBody[]): string {
  const options = bodies.map(
    ({ type, isFirst }) => `<option${isFirst ? ' selected' : ''}>${escaped(type ?? '')}</option>`,
  );
  const fields = bodies.map(({ isFirst, html }) =>
    html.replace('<fieldset', `<fieldset${isFirst ? '' : ' hidden disabled'}`),
  );
  return `<label>Media type of the body <select class="field" data-types>${options.join('')}</select></label>${fields.join('')}`;
}

/** What a request says of its body, and what the script reads from the fields. */
const OF_BODY = ['bodyType', 'bodyKind', 'isRange', 'isFlat', 'isScalar'];
const OF_FIELDS = ['parameters', 'base', 'body'];

/** The parts of a request that the script needs. */
function requestData(
  reference: Reference,
  operation: Operation,
  isNeeded: (part: string) => boolean,
): string {
  const parts = Object.entries(requestOf(reference, operation)).filter(([name]) => isNeeded(name));
  return escaped(JSON.stringify(Object.fromEntries(parts)));
}

/** The fields of a body in its media type. */
function bodyFields(reference: Reference, operation: Operation): string {
  const { schemas } = reference.model;
  const { kind = 'bytes', media } = sentOf(operation) ?? {};
  const required = operation.body?.required ? ' required' : '';
  const { body } = requestOf(reference, operation);
  const data = requestData(reference, operation, (name) => OF_BODY.includes(name));
  const text = (value: unknown) => {
    const names = Object.entries(schemas.possibleFieldsOf(media?.schema));
    const secrets = names.flatMap(([name, schema]) => (isSecretIn(schemas, schema) ? [name] : []));
    const hidden = secrets.length > 0 ? ` data-secrets="${escaped(JSON.stringify(secrets))}"` : '';
    const known =
      names.length > 0 ? ` data-names="${escaped(JSON.stringify(names.map(([name]) => name)))}"` : '';
    return `${exampleChoice(kind, media?.examples)}<label>Body <textarea class="field" data-body${hidden}${known}${required} rows="8" spellcheck="false">${escaped(textOf(kind, value))}</textarea></label>`;
  };
  const inputs = {
    json: () => text(body),
    text: () => text(body),
    bytes: () => `<label>Body <input type="file" class="field" data-body${required}></label>`,
    form: () =>
      formFields(reference.model, operation)
        .map((parameter) => field(reference.model, operation, parameter))
        .join(''),
  };
  return `<fieldset class="body" data-sent="${data}">${inputs[kind]()}</fieldset>`;
}

function textOf(kind: BodyKind, value: unknown): string {
  return kind === 'json' ? JSON.stringify(value, undefined, 2) : String(value);
}

/** A choice of the contract's examples, if it has several. */
function exampleChoice(kind: BodyKind, examples: MediaType['examples'] = {}): string {
  const options = Object.entries(examples).flatMap(
    ([name, { value, summary = name }]: [string, NamedExample]) =>
      value === undefined
        ? []
        : [`<option value="${escaped(textOf(kind, value))}">${escaped(summary)}</option>`],
  );
  return options.length > 1
    ? `<label>Example <select class="field" data-examples>${options.join('')}</select></label>`
    : '';
}

interface NamedExample {
  readonly value?: unknown;
  readonly summary?: string;
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
