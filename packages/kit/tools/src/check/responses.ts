import { pipelineErrors } from '@kit/contract/pipeline-errors';
import type { SourceDocument, Json, Problem } from '../source-document.ts';
import type { Response } from '../operations.ts';
import { examplesOf } from './examples.ts';

export const CODES = 'x-error-codes';
const ERROR = '#/components/schemas/Error';

/** The error code that the pipeline may send instead of a handler, by status, if a contract must declare it. */
const OWN_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pipelineErrors).flatMap(([code, error]) =>
    'replaces' in error && !('optional' in error) ? [[error.status, code]] : [],
  ),
);

/**
 * Rule `errors`, of responses: a client reads every failure as the JSON Error. It lists its codes: they exist, have its
 * status, and its examples use them.
 */
export function* checkError(
  contract: SourceDocument,
  { status, pointer, definition }: Response,
): Iterable<Problem> {
  if (!/^[45]/.test(status)) return;
  const content: Json = definition.content ?? {};
  const types = Object.keys(content).join();
  if (types !== 'application/json' || content['application/json']?.schema?.$ref !== ERROR) {
    const message = `the body of a ${status} must be Error as application/json, and nothing else`;
    yield contract.problemAt([...pointer, 'content'], message);
  }
  const codes: readonly string[] = definition[CODES] ?? [];
  const own = OWN_CODES[status];
  if (own === undefined ? codes.length === 0 : !codes.includes(own)) {
    const message = `a ${status} must list its codes in ${CODES}`;
    yield contract.problemAt([...pointer, CODES], own ? `${message}, ${own} among them` : message);
    return;
  }
  for (const [index, code] of codes.entries()) {
    if (String(contract.document[CODES]?.[code]?.status) === status) continue;
    const message = `${CODES} of the document has no ${code} with the status ${status}`;
    yield contract.problemAt([...pointer, CODES, index], message);
  }
  for (const [steps, value] of examplesOf(contract, 'MediaType', content['application/json'] ?? {})) {
    if (codes.includes(value?.code) && value.status === Number(status)) continue;
    const message = `the example must have a listed code, and the status ${status}`;
    yield contract.problemAt([...pointer, 'content', 'application/json', ...steps], message);
  }
}
