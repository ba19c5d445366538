import { isAlias, isMap, parseDocument, type Document } from 'yaml';
import { additionsTo } from '../complete.ts';
import type { Json, Pointer, SourceDocument } from '../source-document.ts';

/** `text`, the text of `contract`, with what the pipeline adds to it; the same text if there is nothing to add. */
export function fillContract(contract: SourceDocument, text: string): string {
  const changes = additionsTo(contract);
  if (changes.length === 0) return text;
  const yaml = parseDocument(text);
  for (const [pointer, value] of changes) {
    // It follows from `x-error-codes` if it is not written.
    const follows = pointer.at(-1) === 'x-extensible-enum' && !yaml.hasIn(pointer);
    if (!follows) change(yaml, pointer, value);
  }
  return yaml.toString({ lineWidth: 0 });
}

/** Sets the value at `pointer`. Writes out aliases above it, so that their other places do not change. */
function change(yaml: Document, pointer: Pointer, value: Json): void {
  for (let length = 1; length <= pointer.length; length += 1) {
    const above = pointer.slice(0, length).map((step, index) => keyOf(yaml, pointer.slice(0, index), step));
    const node = yaml.getIn(above, true);
    if (isAlias(node)) yaml.setIn(above, create(yaml, node.resolve(yaml)?.toJS(yaml)));
    if (length === pointer.length) yaml.setIn(above, create(yaml, value));
  }
}

/** Repeats equal values, without aliases. */
function create(yaml: Document, value: Json) {
  return yaml.createNode(value, { aliasDuplicateObjects: false });
}

/** The key as it is written: the status 200 may be a number. */
function keyOf(yaml: Document, above: Pointer, step: string | number): unknown {
  const parent = above.length === 0 ? yaml.contents : yaml.getIn(above, true);
  const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(step)) : undefined;
  return pair?.key ?? step;
}
