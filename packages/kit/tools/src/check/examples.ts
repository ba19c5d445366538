import { contractAjv } from '@kit/contract/contract-ajv';
import { closedComponents, closedSchema } from '@kit/contract/closed-schema';
import { stepsOf } from '@kit/contract/json-pointer';
import { componentsIn, schemaIn, type View } from '@kit/contract/schema-view';
import { exampleOf, REPLACE_ME } from '@kit/contract/shown-example';
import type { Contract, Json, Pointer, Problem } from '../contract.ts';
import { misfit } from '../support/fits.ts';
import { walk, type Place } from '../read/walk.ts';

/** What readers are shown is what they may send, and what they get: nothing that is not declared either. */
export function* checkExamples(contract: Contract): Iterable<Problem> {
  const misfitIn = misfits(contract);
  for (const place of walk(contract.document).places) {
    const schema = place.kind === 'Schema' ? place.value : place.value.schema;
    const examples = examplesOf(contract, place);
    if (examples.length === 0 && isSent(place)) {
      const made = exampleOf(contract.document, place.value);
      if (!JSON.stringify(made)?.includes(REPLACE_ME) && misfitIn(viewsOf(place)[0], schema, made))
        yield contract.problemAt(
          place.pointer,
          'it needs an example: what is made of its schema does not fit',
        );
    }
    for (const [steps, value] of examples) {
      const [view, ...others] = viewsOf(place);
      const found = misfitIn(view, schema, value);
      if (!found || others.some((other) => !misfitIn(other, schema, value))) continue;
      const { instancePath, keyword, message, params } = found;
      const undeclared: string[] = [
        params['unevaluatedProperty'] ?? params['additionalProperty'] ?? [],
      ].flat();
      const at = [...stepsOf(instancePath), ...undeclared];
      const wrong =
        keyword === 'not' ? 'is readOnly or writeOnly' : undeclared.length > 0 ? 'is not declared' : message;
      // Of a schema it stands beside a reference, or in it; elsewhere it may be one itself.
      const say = place.kind === 'Schema' ? 'problemWrittenAt' : 'problemAt';
      yield contract[say](
        [...place.pointer, ...steps, ...at],
        `the example does not fit the schema: ${at.join('.')} ${wrong}`.replace(':  ', ': it '),
      );
    }
  }
}

/** Whether each request of a sample has it. */
function isSent({ kind, value, parent }: Place): boolean {
  return kind === 'Parameter'
    ? value.required === true
    : kind === 'MediaType' && parent?.kind === 'RequestBody';
}

/** Undefined stands for a schema as it is written. */
type Shown = Exclude<View, 'received'> | undefined;

/** An example of a schema may be of either direction. */
function viewsOf({ kind, parent }: Place): Shown[] {
  if (kind === 'Schema') return [undefined, 'reply', 'sent'];
  return kind === 'MediaType' ? [parent?.kind === 'RequestBody' ? 'sent' : 'reply'] : [undefined];
}

/** What is wrong with a value where a schema is, in one view. */
function misfits(contract: Contract): (view: Shown, schema: Json, value: Json) => ReturnType<typeof misfit> {
  const resolve = (each: unknown): Json => contract.resolve(each);
  const validators = new Map<Shown, ReturnType<typeof contractAjv>>();
  return (view, schema, value) => {
    const validator = validators.get(view) ?? contractAjv({ logger: false });
    if (!validators.has(view)) {
      const components = view ? componentsIn(view, contract.document) : contract.document.components;
      validators.set(view, validator.addSchema(closedComponents({ components })));
    }
    return misfit(validator, closedSchema(view ? schemaIn(view, schema, { resolve }) : schema), value);
  };
}

function examplesOf(contract: Contract, { kind, value }: Place): [Pointer, Json][] {
  if (!['Schema', 'Parameter', 'Header', 'MediaType'].includes(kind)) return [];
  const several = Object.entries<Json>(value.examples ?? {}).map(([name, each]): [Pointer, Json] =>
    kind === 'Schema'
      ? [['examples', Number(name)], each]
      : [['examples', name, 'value'], contract.resolve(each).value],
  );
  return 'example' in value ? [[['example'], value.example], ...several] : several;
}
