import type { SourceDocument, Json, Problem } from '@contract-kit/core/openapi';
import { operationName, type Operation } from '@contract-kit/core/model';
import { isDate } from '../support/rule.ts';

const CAMEL_CASE = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;

export function* checkOperations(contract: SourceDocument): Iterable<Problem> {
  const { operations } = contract.model;
  if (operations.length === 0)
    yield contract.problemAt(['paths'], 'the contract has no operation: add one below paths');
  const seen = new Map<string, string>();
  for (const operation of operations) {
    yield* checkParameters(contract, operation);
    const { operationId } = operation.definition;
    if (operationId === undefined) continue;
    const other = seen.get(operationId);
    if (other !== undefined) {
      const message = `operationId ${operationId} is already taken by ${other}: write another, or leave it out`;
      yield contract.problemAt([...operation.pointer, 'operationId'], message);
    }
    seen.set(operationId, operationName(operation));
  }
}

/** Rule `names`: the operationId names handlers and client methods. */
export function* checkName(
  contract: SourceDocument,
  { id, pointer, definition }: Operation,
): Iterable<Problem> {
  const { operationId = '' } = definition;
  const place = [...pointer, 'operationId'];
  if (!CAMEL_CASE.test(operationId))
    yield contract.problemAt(
      place,
      `operationId must be camelCase, such as listLoans: ${operationId || 'it is missing'}`,
    );
  else if (operationId !== id)
    yield contract.problemAt(
      place,
      `operationId ${operationId} is the name of a method that every client has: write another`,
    );
}

/** Rule `strict`, of tags: each is described in the document. */
export function* checkTags(
  contract: SourceDocument,
  { pointer, definition: { tags = [] } }: Operation,
): Iterable<Problem> {
  const known: Json[] = (contract.document.tags ?? []).map(({ name }: Json) => name);
  for (const [index, tag] of tags.entries())
    if (!known.includes(tag))
      yield contract.problemAt(
        [...pointer, 'tags', index],
        `the tag ${tag} is not among the tags of the document: add it there, or correct the name`,
      );
}

function* checkParameters(contract: SourceDocument, operation: Operation): Iterable<Problem> {
  const { path, pointer } = operation;
  const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
  const templated = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  for (const name of templated.filter((name) => !declared.some((parameter) => parameter.name === name))) {
    const declaration = `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
    const message = `${operationName(operation)}: the path parameter ${name} is not declared: add ${declaration} to parameters`;
    yield contract.problemAt(pointer, message);
  }
  for (const { name, pointer: place } of declared.filter(
    (parameter) => !templated.includes(parameter.name),
  )) {
    yield contract.problemAt(
      place,
      `${operationName(operation)}: ${name} is not in the path: write {${name}} there, or leave the parameter out`,
    );
  }
}

/** Rule `deprecation`: callers of a deprecated operation must know both dates. */
export function* checkDeprecation(
  contract: SourceDocument,
  { pointer, definition }: Operation,
): Iterable<Problem> {
  const [since, sunset] = [definition['x-deprecated-since'], definition['x-deprecated-sunset']];
  if (definition.deprecated !== true) {
    for (const key of ['x-deprecated-since', 'x-deprecated-sunset'].filter((item) => item in definition))
      yield contract.problemAt([...pointer, key], `${key} says nothing without deprecated: true`);
    return;
  }
  for (const [key, date] of Object.entries({ 'x-deprecated-since': since, 'x-deprecated-sunset': sunset })) {
    if (date !== undefined) continue;
    yield contract.problemAt([...pointer, 'deprecated'], `a deprecated operation needs ${key}: "YYYY-MM-DD"`);
  }
  if (since && sunset && isDate(since) && isDate(sunset) && sunset <= since) {
    const message = 'the sunset must lie after x-deprecated-since';
    yield contract.problemAt([...pointer, 'x-deprecated-sunset'], message);
  }
}
