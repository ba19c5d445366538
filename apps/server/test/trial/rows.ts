import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Contract, Json } from '@petstore/contract-tools/contract';
import { operationsOf } from '@petstore/contract-tools/operations';
import { chapters } from '@petstore/contract-tools/support/features';
import { walk } from '@petstore/contract-tools/support/walk';
import { dereferenced, objectAt } from '@petstore/contract/described-operation';

/** The rows of docs/contract.md that work, by name, but no operation of `contract` uses. */
export function unprovenRows(contract: Contract): string[] {
  const { places, references } = walk(contract.document);
  const operations = operationsOf(contract).map(({ path, definition }) => ({
    path,
    uses: partsOf(contract, path, definition),
  }));
  return Object.values(chapters)
    .flat()
    .filter(({ verdict, on, find }) => {
      if (verdict !== 'works') return false;
      const candidates = on === 'Reference' ? references : places.filter(({ kind }) => kind === on);
      const found = candidates.flatMap((place) =>
        [...find(place.value, place, { contract, places })].map((pointer) => ({ place, pointer })),
      );
      return !operations.some(({ path, uses }) =>
        found.some(({ place, pointer }) => uses.has(place.value) || (on === 'Paths' && pointer[0] === path)),
      );
    })
    .map(({ name }) => name);
}

/** Every object of the contract that says something of the operation. */
function partsOf(contract: Contract, path: string, definition: Json): Set<unknown> {
  const document = contract.document as JsonObject;
  const entry = objectAt(objectAt(document, 'paths'), path);
  const parts = new Set<unknown>([entry, dereferenced(entry, document)]);
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || parts.has(value)) return;
    parts.add(value);
    if ('$ref' in value) add(dereferenced(value, document));
    Object.values(value).forEach(add);
  };
  add(definition);
  add(dereferenced(entry, document)['parameters']);
  const { security = document['security'] } = definition as { security?: unknown };
  for (const requirement of security as object[]) {
    for (const name of Object.keys(requirement))
      add(objectAt(objectAt(objectAt(document, 'components'), 'securitySchemes'), name));
  }
  return parts;
}
