import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { contractAjv } from '../contract-ajv.ts';
import { closedComponents, closedSchema } from '../model/closed-schema.ts';
import { stepsOf } from '../json-pointer.ts';
import { headersOfDeprecation, headersOfEveryResponse, headersOfStatus } from '../pipeline-headers.ts';
import { schemasOf, streamOf } from '../model/model.ts';
import { decidedComponents, decidedIn } from '../model/decided-schema.ts';
import type { View } from '../model/schema-view.ts';
import { exampleOf, REPLACE_ME } from '../shown-example.ts';
import type { SourceDocument, Json, Pointer, Problem } from './source-document.ts';
import type { Kind } from './read/grammar.ts';
import { walk, type Node } from './read/walk.ts';

export const MISFIT = 'the example does not fit the schema';

/** Examples must be valid, and have only declared properties. */
export function* checkExamples(contract: SourceDocument): Iterable<Problem> {
  const violationIn = violations(contract);
  for (const node of walk(contract.document).nodes) {
    const stream = streamAt(contract, node);
    const schema = node.kind === 'Schema' ? node.value : (stream?.itemSchema ?? node.value.schema);
    const examples = stream ? itemsOf(contract, node) : examplesOf(contract, node.kind, node.value);
    if (examples.length === 0 && !stream && isReturned(contract, node))
      yield contract.problemAt(node.pointer, 'it needs an example');
    if (examples.length === 0 && isSent(node)) {
      const made = exampleOf(contract.document, node.value);
      if (!JSON.stringify(made)?.includes(REPLACE_ME) && violationIn(viewsOf(node)[0], schema, made))
        yield contract.problemAt(
          node.pointer,
          'it needs an example: what is made of its schema does not fit',
        );
    }
    for (const [steps, value] of examples) {
      const [view, ...others] = viewsOf(node);
      const found = violationIn(view, schema, value);
      if (!found || others.some((other) => !violationIn(other, schema, value))) continue;
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
        `${MISFIT}: ${at.join('.')} ${wrong}`.replace(':  ', ': it '),
      );
    }
  }
}

/** The stream that a media type of a response is. */
function streamAt({ document }: SourceDocument, { kind, value, pointer, parent }: Node) {
  return kind === 'MediaType' && parent?.kind === 'Response'
    ? streamOf(String(pointer.at(-1)), value, schemasOf(document))
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

/** Undefined stands for a schema as it is written. */
type Shown = Exclude<View, 'received'> | undefined;

/** An example of a schema may be of either direction. */
function viewsOf({ kind, parent }: Node): Shown[] {
  if (kind === 'Schema') return [undefined, 'response', 'sent'];
  return kind === 'MediaType' ? [parent?.kind === 'RequestBody' ? 'sent' : 'response'] : [undefined];
}

export function violations(
  contract: SourceDocument,
): (view: Shown, schema: Json, value: Json) => ErrorObject | undefined {
  const { document } = contract;
  const validators = new Map<Shown, ReturnType<typeof contractAjv>>();
  return (view, schema, value) => {
    const validator = validators.get(view) ?? contractAjv();
    if (!validators.has(view)) {
      const components = view ? decidedComponents(view, contract.document) : contract.document.components;
      validators.set(view, validator.addSchema(closedComponents({ components })));
    }
    return violationOf(
      validator,
      closedSchema(view ? decidedIn(view, schema, document) : schema, document),
      value,
    );
  };
}

/** Why `value` violates `schema`; a broken schema accepts everything, because other rules report it. */
function violationOf(validator: Ajv2020, schema: Json, value: Json): ErrorObject | undefined {
  try {
    const validate = validator.compile(schema);
    // Ajv would keep the schema forever.
    validator.removeSchema(schema as object);
    return validate(value) ? undefined : validate.errors?.at(-1);
  } catch {
    return undefined;
  }
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
