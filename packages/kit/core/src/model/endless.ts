import { isObject, resolve } from '../json/index.ts';
import { objectAt } from './described.ts';
import { IN_PLACE } from './keywords.ts';
import { componentReference, referenceIn, referTo } from './references.ts';
import { withSubschemas } from './subschemas.ts';
import type { Schemas } from './types.ts';

/**
 * The names of components, one of each circle, that lead back to themselves without a step into the value, as in `allOf`: no
 * validator comes to an end there (JSON Schema 2020-12 core §9.4.1). Bases that list what extends them are no circles.
 */
export function endlessIn({ document }: Schemas): ReadonlySet<string> {
  const endless = new Set<string>();
  const done = new Set<unknown>();
  /** The references on the way. */
  const way: string[] = [];
  function visit(schema: unknown): void {
    if (!isObject(schema) || done.has(schema)) return;
    const reference = referenceIn(schema);
    if (reference !== undefined) {
      if (way.includes(reference)) return void endless.add(reference.replace(/^.*\//, ''));
      way.push(reference);
      visit(resolve(document, reference));
      way.pop();
    }
    withSubschemas(schema, (child, place) => {
      if (IN_PLACE.includes(place)) visit(child);
      return child;
    });
    done.add(schema);
  }
  for (const name of Object.keys(objectAt(objectAt(document, 'components'), 'schemas')))
    visit(referTo(componentReference('schemas', name)));
  return endless;
}
