import type { SourceDocument, Json, Problem } from '../source-document.ts';
import { operationsOf } from '../operations.ts';

/** Rule `strict`, of tags: each is described in the document. */
export function* checkTags(contract: SourceDocument): Iterable<Problem> {
  const known = new Set((contract.document.tags ?? []).map(({ name }: Json) => name));
  for (const { definition, pointer } of operationsOf(contract)) {
    for (const [index, tag] of (definition.tags ?? []).entries()) {
      if (known.has(tag)) continue;
      yield contract.problemAt([...pointer, 'tags', index], 'the tag is not among the tags of the document');
    }
  }
}
