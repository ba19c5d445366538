import type { Schemas } from '../model/index.ts';
import { nthChoice } from './choices.ts';
import { makeValue, type WithExamples } from './maker.ts';
import { REPLACE_ME } from './text.ts';

export interface ExampleOptions {
  /** A request by default; in a response, a `readOnly` property may be required. */
  readonly view?: 'sent' | 'response';
  /** Ignores the examples and the defaults of the contract, which may break their schemas. */
  readonly ignoresShown?: boolean;
}

/** The contract's example, or a value made of the schema. It is not checked; a placeholder if nothing can be made. */
export function exampleOf(
  schemas: Schemas,
  part: WithExamples,
  { view, ignoresShown }: ExampleOptions = {},
): unknown {
  const { value } = makeValue(schemas, part, { view, ignoresShown, choices: nthChoice() });
  return value === undefined ? REPLACE_ME : value;
}
