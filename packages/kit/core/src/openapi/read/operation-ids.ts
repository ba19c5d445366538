import type { Node } from './walk.ts';

/**
 * Takes an operationId from each operation that is not the first with it (OpenAPI 3.1 §4.8.10), as tsoa and Scramble write
 * them. Its method and path name it then, in any order of the operations.
 */
export function dropTakenIds(nodes: readonly Node[], remarkOn: (place: Node) => Remark): void {
  const first = new Map<string, Node>();
  for (const place of nodes) {
    const { operationId } = place.value;
    if (place.kind !== 'Operation' || typeof operationId !== 'string') continue;
    const other = first.get(operationId);
    if (!other) first.set(operationId, place);
    else {
      delete place.value['operationId'];
      const [path, method] = other.pointer.slice(-2).map(String);
      const message = `operationId ${operationId} is that of ${method?.toUpperCase()} ${path}, too: its method and path name this operation; write another`;
      remarkOn(place)(message, 'operationId');
    }
  }
}

type Remark = (message: string, field: string) => void;
