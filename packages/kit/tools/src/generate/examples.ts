import type { Example } from '@kit/contract';
import { preferred } from '@kit/contract/media-type';
import type { SourceDocument, Json } from '../source-document.ts';
import { ownHeadersOf, type Operation } from '../operations.ts';

/** The first success of an operation in its examples, without headers of the pipeline. */
export function exampleOf(contract: SourceDocument, operation: Operation): Example {
  const [first] = operation.responses.toSorted((a, b) => a.status.localeCompare(b.status));
  const own = ownHeadersOf(operation, first?.definition ?? {})
    .map(([name, header]) => [name, shown(contract, header)] as const)
    .filter(([, value]) => value !== undefined);
  const [, media] = preferred<Json>(first?.definition.content ?? {}) ?? [];
  return {
    status: Number(first?.status.replace('XX', '00')) || 200,
    ...(own.length > 0 && { headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])) }),
    body: shown(contract, media),
  };
}

/** The example value of a header or a body. */
function shown(contract: SourceDocument, described: Json): Json {
  const { example, examples = {}, schema } = contract.resolve(described) ?? {};
  const [named] = Object.values<Json>(examples);
  return [example, contract.resolve(named)?.value, contract.resolve(schema)?.example].find(
    (each) => each !== undefined,
  );
}
