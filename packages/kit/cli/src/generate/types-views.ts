import {
  componentReference,
  referTo,
  schemaIn,
  subschemasOf,
  withTags,
  type Schemas,
  type View,
} from '@contract-kit/core/model';
import type { Json } from '@contract-kit/core/openapi';
import { forCompiler } from './compiler-schema.ts';

/** Schemas as they hold in a response or a request. */
export interface Views {
  /** A schema as it holds in one, in a form that openapi-typescript understands. */
  readonly inView: (view: View, schema: Json) => Json;
  /** The schemas of the contract that differ in requests, by their names there: those that `inView` has led to. */
  readonly viewed: Readonly<Record<string, Json>>;
}

/** The views of the contract's schemas; `written` are its components by their names. */
export function createViews(schemas: Schemas, written: Readonly<Record<string, Json>>): Views {
  const viewed: Record<string, Json> = {};
  const inView = (view: View, schema: Json): Json =>
    forCompiler(
      schemaIn(view, withTags(schema, schemas), {
        schemas,
        refer: (reference, seen) => viewOf(seen, reference),
      }),
      schemas,
    );
  const viewOf = (view: View, reference: string): string => {
    const name = reference.replace(componentReference('schemas', ''), '');
    // A reference may lead into a component.
    const target = written[name] ?? schemas.resolve(referTo(reference));
    const itsView = viewFor(schemas, view, target);
    if (itsView === 'response') return reference;
    const key = `${name.replaceAll('/', '.')}.${itsView}`;
    if (!(key in viewed)) {
      viewed[key] = {};
      viewed[key] = inView(itsView, target);
    }
    return componentReference('schemas', key);
  };
  return { inView, viewed };
}

/** The view of a schema, which may equal that of responses or requests. */
function viewFor(schemas: Schemas, view: View, schema: Json): View {
  if (view === 'response' || !reaches(schemas, schema, ['readOnly', 'writeOnly', 'default']))
    return 'response';
  return reaches(schemas, schema, ['default']) ? view : 'sent';
}

/** Whether a schema, or one that it leads to by references and subschemas, has one of the keywords. */
function reaches(schemas: Schemas, from: Json, keywords: readonly string[], seen = new Set<Json>()): boolean {
  return schemas.partsOf(from).some((schema) => {
    if (seen.has(schema)) return false;
    seen.add(schema);
    if (keywords.some((keyword) => keyword in schema)) return true;
    return subschemasOf(schema).some((child) => reaches(schemas, child, keywords, seen));
  });
}
