import { errorsOf, statusFor, type OperationError, pipelineErrors } from '@contract-kit/core/errors';
import type { SourceDocument, Json, Problem } from '@contract-kit/core/openapi';
import { componentIn, type Operation, type Response } from '@contract-kit/core/model';
import { examplesOf } from './example-problems.ts';

const CODES = 'x-error-codes';

/** Rule `errors`: the codes of the service have a description, and every failure is the JSON Error, with its codes. */
export function* checkErrors(contract: SourceDocument): Iterable<Problem> {
  const codes: Record<string, Json> = contract.document[CODES] ?? {};
  for (const [code, error] of Object.entries(pipelineErrors)) {
    const { status } = error;
    if (codes[code]?.status === status || 'optional' in error) continue;
    const message = `the service answers ${code} by itself: it needs a description here, and the status ${status}`;
    yield contract.problemAt([CODES, code], message);
  }
  const { model } = contract;
  for (const operation of model.operations) {
    const errors = errorsOf(operation, model);
    for (const response of operation.responses) yield* checkFailure(contract, operation, response, errors);
  }
}

/** The codes of a failure exist and have its status, and its examples use them. */
function* checkFailure(
  contract: SourceDocument,
  operation: Operation,
  { status, pointer, codes = [], definition }: Response,
  errors: readonly OperationError[],
): Iterable<Problem> {
  if (!/^[45d]/.test(status)) return;
  const content: Json = definition['content'] ?? {};
  const types = Object.keys(content).join();
  if (
    types !== 'application/json' ||
    componentIn('schemas', content['application/json']?.schema) !== 'Error'
  ) {
    const message = `the body of a ${status} must be Error as application/json, and nothing else`;
    yield contract.problemAt([...pointer, 'content'], message);
  }
  // It may be any error.
  if (status === 'default') return;
  const own = errors.find((error) => String(error.usual) === status && !error.isOptional)?.code;
  if (own === undefined ? codes.length === 0 : !codes.includes(own)) {
    const message = `a ${status} must list its codes in ${CODES}`;
    yield contract.problemAt([...pointer, CODES], own ? `${message}, ${own} among them` : message);
    return;
  }
  for (const [index, code] of codes.entries()) {
    const usual = Number(contract.document[CODES]?.[code]?.status);
    if (String(statusFor(usual, operation)) === status) continue;
    const message = `${CODES} of the document has no ${code} with the status ${status}`;
    yield contract.problemAt([...pointer, CODES, index], message);
  }
  for (const [steps, value] of examplesOf(contract, 'MediaType', content['application/json'] ?? {})) {
    if (codes.includes(value?.code) && value.status === Number(status)) continue;
    const message = `the example must have a listed code, and the status ${status}`;
    yield contract.problemAt([...pointer, 'content', 'application/json', ...steps], message);
  }
}
