import { pipelineErrors } from '@kit/contract/pipeline-errors';
import {
  headersOfDeprecation,
  headersOfEveryResponse,
  headersOfStatus,
} from '@kit/contract/pipeline-headers';
import type { SourceDocument, Json, Problem } from '../source-document.ts';
import { operationsOf, type Response } from '../operations.ts';
import { examplesOf } from './examples.ts';

export const CODES = 'x-error-codes';
export const ERROR = '#/components/schemas/Error';

/** The error code that the pipeline may send instead of a handler, by status, if a contract must declare it. */
export const OWN_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pipelineErrors).flatMap(([code, error]) =>
    'replaces' in error && !('optional' in error) ? [[error.status, code]] : [],
  ),
);

/** Headers that only the pipeline writes. */
const ALWAYS: readonly string[] = [...headersOfEveryResponse, ...headersOfDeprecation];

/** Headers that it writes if no handler does. */
const PIPELINE = [...ALWAYS, ...Object.values(headersOfStatus).flat(), 'Allow', 'Cache-Control'];

/** Rule `headers`: guaranteed headers are declared, required and exemplified, in one spelling and type. */
export function* checkHeaders(contract: SourceDocument): Iterable<Problem> {
  const known: KnownHeaders = new Map(PIPELINE.map((name) => [name.toLowerCase(), { name }]));
  for (const { responses } of operationsOf(contract))
    for (const response of responses) yield* checkHeadersOf(contract, response, known);
}

/** Rule `errors`, of responses. */
export function* checkError(contract: SourceDocument, response: Response): Iterable<Problem> {
  if (!/^[45]/.test(response.status)) return;
  yield* checkErrorBody(contract, response);
  yield* checkCodes(contract, response);
}

/** The headers so far, by lower-case name: each has one spelling and one type. */
type KnownHeaders = Map<string, { readonly name: string; readonly type?: string }>;

function* checkHeadersOf(
  contract: SourceDocument,
  { status, pointer, definition }: Response,
  known: KnownHeaders,
): Iterable<Problem> {
  const headers: Record<string, Json> = definition.headers ?? {};
  const needed = [...headersOfEveryResponse, ...(headersOfStatus[status] ?? [])];
  const missing = needed.filter((name) => headers[name] === undefined);
  if (missing.length > 0) {
    const message = `a ${status} must declare the header${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
    yield contract.problemAt([...pointer, 'headers'], message);
  }
  for (const name of needed.filter((name) => !missing.includes(name))) {
    if (contract.resolve(headers[name])?.required === true) continue;
    const message = `the header ${name} of a ${status} must be required`;
    yield contract.problemAt([...pointer, 'headers', name, 'required'], message);
  }
  for (const [name, header] of Object.entries(headers)) {
    const {
      required,
      schema,
      example = contract.resolve(schema)?.example,
      examples = {},
    } = contract.resolve(header) ?? {};
    const isShown = example !== undefined || Object.keys(examples).length > 0;
    const isSetByHandler = required && status < '400' && !ALWAYS.includes(name);
    if (isSetByHandler && !isShown) {
      const message = `the header ${name} of a ${status} is required: it needs an example`;
      yield contract.problemAt([...pointer, 'headers', name], message);
    }
    const type = String(contract.resolve(schema)?.type ?? 'string');
    const other = known.get(name.toLowerCase());
    known.set(name.toLowerCase(), { name: other?.name ?? name, type: other?.type ?? type });
    if (other && other.name !== name) {
      const message = `the header ${name} is called ${other.name} elsewhere: write it in the same letters`;
      yield contract.problemAt([...pointer, 'headers', name], message);
    } else if (other?.type && type !== other.type) {
      const message = `the header ${name} is ${type} here and ${other.type} elsewhere`;
      yield contract.problemAt([...pointer, 'headers', name, 'schema', 'type'], message);
    }
  }
}

/** Rule `examples`, of responses. */
export function* checkShown(
  contract: SourceDocument,
  { status, pointer, definition }: Response,
): Iterable<Problem> {
  for (const [type, media] of Object.entries<Json>(definition.content ?? {})) {
    const isBinary = contract.resolve(media.schema)?.format === 'binary';
    if (isBinary || examplesOf(contract, 'MediaType', media).length > 0) continue;
    yield contract.problemAt(
      [...pointer, 'content', type],
      `the ${type} body of a ${status} needs an example`,
    );
  }
}

/** A client reads every failure as the JSON Error. */
function* checkErrorBody(
  contract: SourceDocument,
  { status, pointer, definition }: Response,
): Iterable<Problem> {
  const content: Json = definition.content ?? {};
  const types = Object.keys(content);
  if (types.join() === 'application/json' && content['application/json']?.schema?.$ref === ERROR) return;
  const message = `the body of a ${status} must be Error as application/json, and nothing else`;
  yield contract.problemAt([...pointer, 'content'], message);
}

/** Each error lists its codes: they exist, have its status, and its examples use them. */
function* checkCodes(contract: SourceDocument, { status, pointer, definition }: Response): Iterable<Problem> {
  const known: Record<string, Json> = contract.document[CODES] ?? {};
  const codes: Json = definition[CODES];
  const own = OWN_CODES[status];
  if (!Array.isArray(codes) || codes.length === 0) {
    const example = own ?? Object.keys(known).find((code) => String(known[code]?.status) === status);
    const message = example
      ? `a ${status} must list its codes, such as ${CODES}: [${example}]`
      : `a ${status} must list its codes: describe one with this status in ${CODES} of the document`;
    yield contract.problemAt([...pointer, CODES], message);
    return;
  }
  if (own && !codes.includes(own)) {
    const message = `a ${status} must list the code ${own}, which the service answers by itself`;
    yield contract.problemAt([...pointer, CODES], message);
  }
  for (const [index, code] of codes.entries()) {
    const declared: Json = known[code]?.status;
    if (String(declared) === status) continue;
    const message =
      declared === undefined
        ? `${code} is not described in ${CODES}`
        : `${code} comes with ${declared}, not ${status}`;
    yield contract.problemAt([...pointer, CODES, index], message);
  }
  const media: Json = definition.content?.['application/json'] ?? {};
  for (const [steps, value] of examplesOf(contract, 'MediaType', media)) {
    const at = (key: string) => [...pointer, 'content', 'application/json', ...steps, key];
    if (!codes.includes(value?.code)) {
      yield contract.problemAt(
        at('code'),
        `the example shows the code ${value?.code}, which is not listed for the ${status}`,
      );
    }
    if (value?.status !== Number(status)) {
      yield contract.problemAt(at('status'), `the example shows the status ${value?.status} for a ${status}`);
    }
  }
}
