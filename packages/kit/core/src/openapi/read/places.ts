import type { Pointer } from '../problem.ts';
import { CALLED, GRAMMAR, type Kind, type Shape } from './grammar.ts';

/**
 * What OpenAPI has at a place of a document, as messages call it, if that cannot be an object of `kind`. Undefined also where
 * anything may be, such as in an extension.
 */
export function otherAt(pointer: Pointer, kind: Kind): string | undefined {
  let shape: Shape | undefined = { object: 'Document' };
  for (const step of pointer) shape = shape && shapeIn(shape, step);
  const found = shape && settled(shape);
  if (found === undefined || typeof found === 'string') return undefined;
  if ('list' in found) return 'a list';
  if ('map' in found) return `all ${String(pointer.at(-1))}`;
  const own = kindOf(found);
  return own === undefined || own === kind ? undefined : CALLED[own];
}

/** The shape of what is at a step of an object or a list; undefined if there may be anything, or nothing. */
function shapeIn(given: Shape, step: string | number): Shape | undefined {
  const shape = settled(given);
  if (typeof shape === 'string') return undefined;
  if ('list' in shape) return shape.list;
  if ('map' in shape) return shape.map;
  const kind = kindOf(shape);
  if (kind === undefined) return undefined;
  const { fields, others } = GRAMMAR[kind];
  if (Object.hasOwn(fields, step)) return fields[step];
  return String(step).startsWith('x-') ? undefined : others;
}

/** A shape that says of what it is: of alternatives the one that is an object or a list. */
function settled(shape: Shape): Shape {
  if (typeof shape === 'string') return shape;
  if ('shown' in shape) return settled(shape.shown);
  return 'either' in shape ? (shape.either.find((one) => typeof one === 'object') ?? 'any') : shape;
}

function kindOf(shape: Shape): Kind | undefined {
  if (typeof shape === 'string') return undefined;
  if ('object' in shape) return shape.object;
  return 'reference' in shape ? shape.reference : undefined;
}
