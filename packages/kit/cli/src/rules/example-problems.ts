import { stepsOf } from '@contract-kit/core/json';
import { headersOfDeprecation, headersOfEveryResponse, headersOfStatus } from '@contract-kit/core/http';
import { requestBodyOf, parameterOf, streamOf } from '@contract-kit/core/model';
import { valuesIn, violationsIn, type Direction, type WithExamples } from '@contract-kit/core/values';
import {
  type SourceDocument,
  type Json,
  type Pointer,
  type Problem,
  type Kind,
  walk,
  type Node,
} from '@contract-kit/core/openapi';

/** Examples must be valid, have only declared properties, and be there where no value can be made. */
export function* checkExamples(contract: SourceDocument): Iterable<Problem> {
  const values = valuesIn(contract);
  for (const node of walk(contract.document).nodes) {
    if (streamAt(contract, node) || examplesOf(contract, node.kind, node.value).length > 0) continue;
    if (isReturned(contract, node)) yield contract.problemAt(node.pointer, 'it needs an example');
    const part = isSent(node) ? partOf(contract, node) : undefined;
    if (part && values.first('sent', part) === undefined)
      yield contract.problemAt(node.pointer, `it needs an example: ${values.whyNone('sent', part)}`);
  }
  yield* checkMisfits(contract);
}

/** Examples that do not fit. */
export function* checkMisfits(contract: SourceDocument): Iterable<Problem> {
  const violationsOf = violationsIn(contract);
  for (const node of walk(contract.document).nodes) {
    const stream = streamAt(contract, node);
    const schema: unknown = node.kind === 'Schema' ? node.value : (stream?.itemSchema ?? node.value.schema);
    const examples = stream ? itemsOf(contract, node) : examplesOf(contract, node.kind, node.value);
    for (const [steps, value] of examples) {
      const [view, ...others] = viewsOf(node);
      const found = violationsOf(view, schema ?? {}, value).at(-1);
      if (!found || others.some((other) => violationsOf(other, schema ?? {}, value).length === 0)) continue;
      const { instancePath, keyword, message, params } = found;
      const undeclared: string[] = [
        params['unevaluatedProperty'] ?? params['additionalProperty'] ?? [],
      ].flat();
      const at = [...stepsOf(instancePath), ...undeclared];
      const wrong =
        keyword === 'not' ? 'is readOnly or writeOnly' : undeclared.length > 0 ? 'is not declared' : message;
      // A schema's example is next to a reference or inside it; elsewhere it may be a reference.
      const report = node.kind === 'Schema' ? 'problemWrittenAt' : 'problemAt';
      yield contract[report](
        [...node.pointer, ...steps, ...at],
        `the example does not fit the schema: ${at.join('.')} ${wrong}`.replace(':  ', ': it '),
      );
    }
  }
}

/** The stream that a media type of a response is. */
function streamAt({ schemas }: SourceDocument, { kind, value, pointer, parent }: Node) {
  return kind === 'MediaType' && parent?.kind === 'Response'
    ? streamOf(String(pointer.at(-1)), value, schemas)
    : undefined;
}

/** The items of the examples of a stream: one in text says how they are sent. */
function itemsOf(contract: SourceDocument, { kind, value }: Node): [Pointer, Json][] {
  return examplesOf(contract, kind, value).flatMap(([steps, items]) =>
    Array.isArray(items) ? items.map((item, index): [Pointer, Json] => [[...steps, index], item]) : [],
  );
}

/** Whether every sample request has it. */
function isSent({ kind, value, parent }: Node): boolean {
  return kind === 'Parameter'
    ? value.required === true
    : kind === 'MediaType' && parent?.kind === 'RequestBody';
}

/** What is sent, as the model has it. */
function partOf({ schemas }: SourceDocument, { kind, value, pointer }: Node): WithExamples | undefined {
  if (kind === 'Parameter') return parameterOf(value, pointer, schemas);
  return requestBodyOf({ requestBody: { content: { [String(pointer.at(-1))]: value } } }, [], schemas)?.media;
}

const OF_PIPELINE: readonly string[] = [
  ...headersOfEveryResponse,
  ...headersOfDeprecation,
  ...Object.values(headersOfStatus).flat(),
];

/** Whether every response of a handler has it. */
function isReturned(contract: SourceDocument, { kind, value, pointer, parent }: Node): boolean {
  if (kind === 'Header') return value.required === true && !OF_PIPELINE.includes(String(pointer.at(-1)));
  return (
    kind === 'MediaType' && parent?.kind === 'Response' && contract.resolve(value.schema)?.format !== 'binary'
  );
}

/** An example of a schema may be of either direction. */
function viewsOf({ kind, parent }: Node): Direction[] {
  if (kind === 'Schema') return [undefined, 'response', 'sent'];
  return kind === 'MediaType' ? [parent?.kind === 'RequestBody' ? 'sent' : 'response'] : [undefined];
}

/** The examples of an object, each with its place in it. */
export function examplesOf(contract: SourceDocument, kind: Kind, value: Json): [Pointer, Json][] {
  if (!['Schema', 'Parameter', 'Header', 'MediaType'].includes(kind)) return [];
  const listed = Object.entries<Json>(value.examples ?? {}).map(([name, value]): [Pointer, Json] => {
    if (kind === 'Schema') return [['examples', Number(name)], value];
    const example = contract.resolve(value);
    const field = 'dataValue' in example ? 'dataValue' : 'value';
    return [['examples', name, field], example[field]];
  });
  return 'example' in value ? [[['example'], value.example], ...listed] : listed;
}
