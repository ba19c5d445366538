import { essenceOf } from '@contract-kit/core/http';
import { isOfDataAlone } from '@contract-kit/core/model';
import { walk, type Problem, type SourceDocument } from '@contract-kit/core/openapi';

/** Finds schemas of events that are those of their data, as some tools write them. */
export function checkEvents(contract: SourceDocument): Problem[] {
  const { schemas } = contract;
  return walk(contract.document).nodes.flatMap(({ kind, value, pointer }) => {
    const isEvents = kind === 'MediaType' && essenceOf(String(pointer.at(-1))) === 'text/event-stream';
    if (!isEvents || !('itemSchema' in value) || !isOfDataAlone(value.itemSchema, schemas)) return [];
    return [
      contract.problemWrittenAt(
        [...pointer, 'itemSchema'],
        'the schema of an event has no property data: it is read as that of its data (OpenAPI 3.2 §4.14)',
      ),
    ];
  });
}
