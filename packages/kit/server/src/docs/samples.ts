import { dereferenced } from '@kit/contract/described-operation';
import { isJson } from '@kit/contract/media-type';
import { exampleOf } from '@kit/contract/shown-example';
import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { samplesFor } from './browser/samples.js';
import {
  credentialOf,
  successOf,
  type Document,
  type Link,
  type Operation,
  type Parameter,
  type Sample,
} from './openapi.ts';

export function samplesOf(contract: Contract, document: Document, operation: Operation): readonly Sample[] {
  return samplesFor(requestOf(contract, document, operation), sampleNames(contract));
}

/** The names of the client in samples, and its default address, which they omit. */
export function sampleNames({ name, document }: Contract) {
  const servers = document['servers'] as readonly Link[];
  const production = servers.find(({ description = '' }) => description.startsWith('Production'));
  return { ...clientNames(name), defaultBase: production?.url };
}

/** The request of an operation with the contract's examples. */
export function requestOf(contract: Contract, document: Document, operation: Operation) {
  const { id, method, path, sent, alternatives } = operation;
  const [, success] = successOf(operation) ?? [];
  const { type, kind, media = {} } = sent ?? {};
  const bodies = {
    json: exampleOf(document, media),
    text: String(exampleOf(document, media)),
    bytes: 'file',
  };
  return {
    id,
    method,
    /** The address of the API, before `path`. */
    base: document.servers[0]?.url,
    path,
    parameters: [...operation.parameters, ...operation.fields]
      .map((parameter) => formParameterOf(document, parameter))
      .filter(({ isShown }) => isShown),
    credentials: (alternatives[0] ?? [])
      .flatMap((name) => document.components?.securitySchemes?.[name] ?? [])
      .map(credentialOf),
    bodyType: type,
    bodyKind: kind,
    body: kind && kind !== 'form' ? bodies[kind] : undefined,
    isFlat: contract.operations[id]?.body === 'fields',
    answersJson: Object.keys(success?.content ?? {}).some(isJson),
  };
}

/** A parameter or a form field, with the details that the page needs. */
export function formParameterOf(document: Document, parameter: Parameter) {
  const { name, in: place, required = false, style, explode = true } = parameter;
  const schema = dereferenced(parameter.schema ?? {}, document);
  const item = dereferenced(schema.items ?? schema, document);
  const [scalar = 'string'] = [item.type ?? []].flat().filter((item) => item !== 'null');
  const isFile = item.format === 'binary' && place === 'form';
  return {
    name,
    in: place,
    style,
    explode,
    isFile,
    /** The type of a scalar or of a list's items; otherwise `json`. */
    type: style === 'json' || scalar === 'object' || item.properties ? 'json' : scalar,
    isList: schema.items !== undefined,
    /** Whether it is in samples before the reader types anything. */
    isShown: required || place === 'form',
    value: isFile ? name : exampleOf(document, parameter),
  };
}
