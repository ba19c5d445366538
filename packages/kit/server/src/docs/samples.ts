import { schemasOf } from '@contract-kit/core/model';
import { exampleOf } from '@contract-kit/core/shown-example';
import type { Contract } from '@contract-kit/core';
import { clientNames } from '@contract-kit/core/client-names';
import { samplesFor } from './browser/samples.js';
import {
  formFields,
  sentOf,
  successOf,
  typeIn,
  type Document,
  type Input,
  type Server,
  type Operation,
  type Sample,
} from './openapi.ts';

export function samplesOf(contract: Contract, document: Document, operation: Operation): readonly Sample[] {
  return samplesFor(requestOf(document, operation), sampleNames(contract));
}

/** The names of the client in samples, and its default address, which they omit. */
export function sampleNames({ name, document }: Contract) {
  const servers = document['servers'] as readonly Server[];
  const production = servers.find(({ description = '', name }) =>
    name === undefined ? description.startsWith('Production') : name === 'production',
  );
  return { ...clientNames(name), defaultBase: production?.url };
}

/** The request of an operation with the contract's examples. */
export function requestOf(document: Document, operation: Operation) {
  const { id, method, path, body, parameters, security } = operation;
  const { type, kind, media = {} } = sentOf(operation) ?? {};
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
    parameters: [...parameters, ...formFields(document, operation)]
      .map((parameter) => formParameterOf(document, parameter))
      .filter(({ isShown }) => isShown),
    credentials: (security[0] ?? []).flatMap(({ credential }) => credential ?? []),
    bodyType: type,
    /** Whether a file says which type it has. */
    ...(body?.media.type.includes('*') && { isRange: true }),
    bodyKind: kind,
    body: kind && kind !== 'form' ? bodies[kind] : undefined,
    isFlat: body?.fields !== undefined,
    answersJson: successOf(operation)?.content.some((media) => media.kind === 'json') === true,
  };
}

/** A parameter or a form field, with the details that the page needs. */
export function formParameterOf(document: Document, parameter: Input) {
  const { name, in: place, input = name, required, style, explode } = parameter;
  const { content, written: schema, fileTypes } = parameter;
  const schemas = schemasOf(document);
  const items = schemas.itemsOf(schema);
  const item = items ?? schema;
  const [scalar = 'string'] = [...schemas.typesOf(item)].filter((type) => type !== 'null');
  const isFile = place === 'form' && schemas.isBinary(item);
  return {
    name,
    in: place,
    ...(input !== name && { input }),
    // The styles that samples write by default are left out.
    style: content !== undefined ? 'json' : /^(form|simple)$/.test(style) ? undefined : style,
    explode,
    isFile,
    ...(isFile && fileTypes && { fileType: typeIn(fileTypes[0] ?? '') }),
    /** The type of a scalar or of a list's items; otherwise `json`. */
    type: content !== undefined || scalar === 'object' ? 'json' : scalar,
    isList: items !== undefined,
    /** Whether it is in samples before the reader types anything. */
    isShown: required || place === 'form',
    value: isFile ? name : exampleOf(document, { ...parameter, schema }),
  };
}
