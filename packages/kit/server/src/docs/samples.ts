import { encodedTemplate, essenceOf, nameOfFile } from '@contract-kit/core/http';
import { successesOf, takesCookie, writtenStyleOf, type Model } from '@contract-kit/core/model';
import { exampleOf } from '@contract-kit/core/values';
import { type Contract, clientNames } from '@contract-kit/core';
import { samplesFor } from './browser/samples.js';
import {
  formFields,
  sentOf,
  typeIn,
  type Input,
  type Server,
  type Operation,
  type Sample,
} from './openapi.ts';
import type { Served } from './served.ts';

export function samplesOf(served: Served, operation: Operation): readonly Sample[] {
  return samplesFor(requestOf(served, operation), sampleNames(served.contract));
}

/** The variable of the key in samples. If the client is published, also its names, and its default address, which they omit. */
export function sampleNames({ name, document, published }: Contract) {
  const { keyVariable, factory, variable } = clientNames(name);
  if (!published?.client) return { keyVariable };
  const servers = document['servers'] as readonly Server[];
  const production = servers.find(({ description = '', name }) =>
    name === undefined ? description.startsWith('Production') : name === 'production',
  );
  return {
    ...{ keyVariable, factory, variable },
    package: published.client.name,
    defaultBase: production?.url,
  };
}

/** The request of an operation with the contract's examples. */
export function requestOf({ document: { servers }, model }: Served, operation: Operation) {
  const { id, method, path, body, parameters, security } = operation;
  const { type, kind, media = {} } = sentOf(operation) ?? {};
  const bodies = {
    json: (value: unknown) => value,
    text: String,
    bytes: () => 'file',
  };
  return {
    id,
    method,
    /** The address of the API, before `path`. */
    base: servers[0]?.url,
    path: encodedTemplate(path),
    parameters: [...parameters, ...formFields(model, operation)]
      .map((parameter) => formParameterOf(model, parameter))
      .filter(({ isShown }) => isShown),
    /** Whether the browser's own cookies belong to it. */
    ...(takesCookie(operation, model) && { takesCookie: true }),
    credentials: (security[0] ?? []).flatMap(({ credential }) => credential ?? []),
    bodyType: type,
    /** Whether a file says which type it has. */
    ...(body?.media.type.includes('*') && { isRange: true }),
    bodyKind: kind,
    ...(body?.media.isScalar && { isScalar: true }),
    body: kind && kind !== 'form' ? bodies[kind](exampleOf(model.schemas, media)) : undefined,
    isFlat: body?.fields !== undefined,
    ...resultOf(model, operation),
  };
}

/** What samples do with the response: `none` has no body, and the kinds of others are those of media types. */
function resultOf({ schemas }: Model, operation: Operation) {
  const response = successesOf(operation).find(({ media }) => media);
  // RFC 9110 §9.3.2: a response to HEAD has no body.
  if (!response?.media || operation.method === 'HEAD') return { result: 'none' };
  const { content, headers, media } = response;
  const { kind, type } = media;
  const disposition = headers.find(({ name }) => /^content-disposition$/i.test(name));
  const named = disposition && nameOfFile(String(exampleOf(schemas, disposition)));
  const [, extension = 'bin'] = /^\w+\/(\w{1,5})$/.exec(essenceOf(typeIn(type))) ?? [];
  return {
    // Most print its text.
    ...(/^(bytes|events|lines)$/.test(kind) && { result: kind }),
    ...(kind === 'bytes' && { file: named || `${operation.id}.${extension}` }),
    ...(essenceOf(type) === 'application/json-seq' && { isSequence: true }),
    ...(content.length > 1 && { accept: type }),
  };
}

/** A parameter or a form field, with the details that the page needs. */
export function formParameterOf({ schemas }: Model, parameter: Input) {
  const { name, in: place, input = name, required, explode } = parameter;
  const { content, written: schema, fileTypes, example } = parameter;
  const stated = parameter.isStyled ? parameter.style : undefined;
  const items = schemas.itemsOf(schema);
  const item = items ?? schema;
  const [scalar = 'string'] = [...schemas.typesOf(item)].filter((type) => type !== 'null');
  const isFile = place === 'form' && schemas.isBinary(item);
  // Without a style, lists of objects are texts in JSON.
  const isText = place === 'form' && !parameter.isStyled;
  return {
    name,
    in: place,
    ...(input !== name && { input }),
    style: place === 'form' ? stated : writtenStyleOf({ ...parameter, in: place })?.style,
    explode,
    isFile,
    ...(isFile && fileTypes && { fileType: typeIn(fileTypes[0] ?? '') }),
    /** The type of a scalar or of a list's items; otherwise `json`. */
    type: content !== undefined || scalar === 'object' ? 'json' : scalar,
    isList: items !== undefined,
    /** Whether it is in samples before the reader types anything. */
    isShown: required || place === 'form',
    value: isFile ? name : exampleOf(schemas, isText ? { example, schema } : { ...parameter, schema }),
  };
}
