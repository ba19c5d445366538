import { resolve } from '@petstore/contract/json-pointer';
import { LineCounter, isAlias, isCollection, isNode, parseDocument, type Document } from 'yaml';

/** A mistake in the contract, at its place in openapi.yaml. Lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Thrown when openapi.yaml cannot be generated from; nothing has been written then. */
export class ContractError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.map(({ line, column, message }) => `openapi.yaml:${line}:${column}: ${message}`).join('\n'),
    );
    this.name = 'ContractError';
    this.problems = problems;
  }
}

// The document is read as plain data: its shape is checked by `checkContract`, not by a type.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** One YAML mistake leads to many errors; the first ones tell it. */
const MAX_YAML_ERRORS = 5;

export type Pointer = readonly (string | number)[];

export interface Contract {
  /** What is written, and `x-extensible-enum` of the error's code, which follows from `x-error-codes`. */
  readonly document: Json;
  /** Follows local references (`#/…`) until it reaches something that is none. */
  resolve(value: Json): Json;
  /** The problem of `message` at the place `pointer` leads to, or at the nearest place above it that exists. */
  problemAt(pointer: Pointer, message: string): Problem;
}

/** Parses `text`, the content of openapi.yaml. Throws a ContractError that names every YAML mistake. */
export function parseContract(text: string): Contract {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true });
  const at = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message };
  };
  if (yaml.errors.length > 0) {
    const inOrder = yaml.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
    throw new ContractError(
      inOrder.slice(0, MAX_YAML_ERRORS).map((error) => at(error.pos[0], error.message)),
    );
  }
  // The limit on aliases is for documents of strangers.
  const document: Json = yaml.toJS({ maxAliasCount: -1 });
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ContractError([at(0, 'the contract must be an OpenAPI document')]);
  }
  const code: Json = document.components?.schemas?.Error?.properties?.code;
  if (code && document['x-error-codes']) code['x-extensible-enum'] ??= Object.keys(document['x-error-codes']);
  return {
    document,
    resolve: (value) => resolveReference(document, value),
    problemAt: (pointer, message) => at(offsetOf(yaml, pointer), message),
  };
}

function resolveReference(document: Json, value: Json): Json {
  for (let hops = 0; hops < 32 && typeof value?.$ref === 'string'; hops += 1) {
    value = resolve(document, value.$ref);
  }
  return value;
}

function offsetOf(yaml: Document, pointer: Pointer): number {
  let node: unknown = yaml.contents;
  let offset = 0;
  for (const step of pointer) {
    const parent = isAlias(node) ? node.resolve(yaml) : node;
    node = isCollection(parent) ? parent.get(step, true) : undefined;
    if (!isNode(node) || !node.range) break;
    offset = node.range[0];
  }
  return offset;
}
