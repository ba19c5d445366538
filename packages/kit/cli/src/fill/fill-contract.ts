import path from 'node:path/posix';
import { isAlias, isMap, parseDocument, type Document } from 'yaml';
import { isObject, referenceTo, stepsOf } from '@contract-kit/core/json';
import { REFERENCE } from '@contract-kit/core/model';
import { additionsTo, YAML, type Json, type Pointer, type SourceDocument } from '@contract-kit/core/openapi';

/**
 * The files of `contract` that lack what the pipeline adds to it, by their paths from the root, with their new texts.
 * Other files refer to the contract itself as `main`.
 */
export function fillContract(contract: SourceDocument, main = 'openapi.yaml'): Map<string, string> {
  const parse = (file: string) => parseDocument(contract.files.get(file)?.text ?? '', YAML);
  const written = parse('');
  const changed = new Map<string, Document>();

  /** `value` of the bundled document, with references as `file` writes them. */
  function asIn(file: string, value: Json, name?: string): Json {
    if (name === REFERENCE && String(value).startsWith('#/components/')) return referenceFrom(file, value);
    if (Array.isArray(value)) return value.map((item) => asIn(file, item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asIn(file, item, key)]));
  }

  function referenceFrom(file: string, reference: string): string {
    const steps = stepsOf(reference);
    const target = contract.writtenAt(steps);
    // The contract has a name for it.
    if (file === '' && target.file !== '' && written.hasIn(steps)) return reference;
    const other = target.file === file ? '' : path.relative(path.dirname(file), target.file || main);
    return other + referenceTo(target.pointer);
  }

  for (const [pointer, value] of additionsTo(contract)) {
    const place = contract.writtenAt(pointer);
    const yaml = changed.get(place.file) ?? parse(place.file);
    // It follows from `x-error-codes` if it is not written.
    if (pointer.at(-1) === 'x-extensible-enum' && !yaml.hasIn(place.pointer)) continue;
    change(yaml, place.pointer, asIn(place.file, value));
    changed.set(place.file, yaml);
  }
  return new Map([...changed].map(([file, yaml]) => [file, yaml.toString({ lineWidth: 0 })]));
}

/** Sets the value at `pointer`. Writes out aliases and merges above it, so that their other places do not change. */
function change(yaml: Document, pointer: Pointer, value: Json): void {
  for (let length = 1; length <= pointer.length; length += 1) {
    writeOutMerge(yaml, pointer.slice(0, length));
    const above = pointer.slice(0, length).map((step, index) => keyOf(yaml, pointer.slice(0, index), step));
    const node = yaml.getIn(above, true);
    if (isAlias(node)) yaml.setIn(above, create(yaml, node.resolve(yaml)?.toJS(yaml)));
    if (length === pointer.length) yaml.setIn(above, create(yaml, value));
  }
}

/** Writes out the object that has the last step of `pointer`, if it merges others and does not have that step itself. */
function writeOutMerge(yaml: Document, pointer: Pointer): void {
  const outer = pointer.slice(0, -1).map((step, index) => keyOf(yaml, pointer.slice(0, index), step));
  const holder = outer.length === 0 ? yaml.contents : yaml.getIn(outer, true);
  if (
    !isMap(holder) ||
    !holder.has('<<') ||
    holder.has(keyOf(yaml, outer as Pointer, String(pointer.at(-1))))
  )
    return;
  const whole = create(yaml, holder.toJS(yaml));
  if (outer.length === 0) yaml.contents = whole;
  else yaml.setIn(outer, whole);
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
