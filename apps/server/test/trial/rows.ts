import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Contract } from '@petstore/contract-tools/contract';
import { operationsOf, type Operation } from '@petstore/contract-tools/operations';
import { chapters } from '@petstore/contract-tools/support/features';
import { walk } from '@petstore/contract-tools/support/walk';
import { dereferenced, objectAt } from '@petstore/contract/described-operation';

/** The rows of docs/contract.md that work, by name, with those of the operations `tried` that use them. */
export function provenRows(contract: Contract, tried: readonly string[]): Map<string, string[]> {
  const { places, references } = walk(contract.document);
  const operations = operationsOf(contract)
    .filter(({ id }) => tried.includes(id))
    .map((operation) => ({ ...operation, uses: partsOf(contract, operation) }));
  const rows = Object.values(chapters)
    .flat()
    .filter(({ verdict }) => verdict === 'works')
    .map(({ name, on, find }): [string, string[]] => {
      const candidates = on === 'Reference' ? references : places.filter(({ kind }) => kind === on);
      const found = candidates.flatMap((place) =>
        [...find(place.value, place, { contract, places })].map((pointer) => ({ place, pointer })),
      );
      const users = operations.filter(({ path, uses }) =>
        found.some(({ place, pointer }) => uses.has(place.value) || (on === 'Paths' && pointer[0] === path)),
      );
      return [name, users.map(({ id }) => id)];
    });
  return new Map(rows.filter(([, users]) => users.length > 0));
}

/** Every object of the contract that says something of the operation. */
function partsOf(contract: Contract, { path, definition }: Operation): Set<unknown> {
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
