import type { Example } from '@kit/contract';
import { preferred } from '@kit/contract/media-type';
import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import type { SourceDocument, Json } from '../source-document.ts';
import type { Operation } from '../operations.ts';

/** The first success of an operation as its examples show it, without the headers that no handler sets. */
export function exampleOf(contract: SourceDocument, { definition, responses }: Operation): Example {
  const [first] = responses.toSorted((a, b) => a.status.localeCompare(b.status));
  const { headers = {}, content = {} } = first?.definition ?? {};
  const elsewhere: readonly string[] = [
    ...headersOfEveryResponse,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  const own = Object.entries<Json>(headers)
    .filter(([name]) => !elsewhere.includes(name))
    .map(([name, header]) => [name, shown(contract, header)] as const)
    .filter(([, value]) => value !== undefined);
  const [, media] = preferred<Json>(content) ?? [];
  return {
    status: Number(first?.status.replace('XX', '00')) || 200,
    ...(own.length > 0 && { headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])) }),
    body: shown(contract, media),
  };
}

/** What an example shows of a header or a body. */
function shown(contract: SourceDocument, described: Json): Json {
  const { example, examples = {}, schema } = contract.resolve(described) ?? {};
  const [named] = Object.values<Json>(examples);
  return [example, contract.resolve(named)?.value, contract.resolve(schema)?.example].find(
    (each) => each !== undefined,
  );
}
