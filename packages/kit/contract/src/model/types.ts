import type { JsonObject } from '../json-pointer.ts';
import type { BodyKind } from '../media-type.ts';
import type { Credential } from '../credential.ts';

export type Pointer = readonly (string | number)[];

/** How a value is written as text (OpenAPI 3.1 §4.8.12.3). */
export type Style =
  'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** A value that is sent as text: a parameter, or a header of a response. */
export interface Described {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Without a reference at its root and at its items. */
  readonly schema: JsonObject;
  /** The schema as the contract writes it. */
  readonly written: JsonObject;
  /** Never absent: the default of its place if the contract has none. */
  readonly style: Style;
  /** Whether the items of a list, or the fields of an object, are written one by one. */
  readonly explode: boolean;
  /** The media type of its text, if it has `content`. */
  readonly content?: string;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Parameter extends Described {
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** The name under which callers pass it: another one if that is taken by the body. */
  readonly input: string;
  readonly pointer: Pointer;
}

/** A body in one of its media types. */
export interface MediaType {
  /** As the contract writes it: it may have parameters, or be a range. */
  readonly type: string;
  readonly kind: BodyKind;
  readonly schema?: JsonObject;
  /** The schema of each item, if the body is a stream of them (OpenAPI 3.2 §4.14). */
  readonly itemSchema?: JsonObject;
  /** How the fields of a form are written. */
  readonly encoding: Readonly<Record<string, Encoding>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Encoding {
  readonly style?: Style;
  readonly explode?: boolean;
  readonly contentType?: string;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly MediaType[];
  /** The one that clients send. */
  readonly media: MediaType;
  /** The media type that clients write, which is no range. */
  readonly sentType: string;
  /** The most bytes, if it is not a JSON body of the usual size. */
  readonly limit?: number;
  /** The names of its fields if clients pass them with the parameters, instead of all of it as `body`. */
  readonly fields?: readonly string[];
}

export interface Response {
  /** A status, a range such as `2XX`, or `default`. */
  readonly status: string;
  readonly pointer: Pointer;
  readonly description: string;
  readonly headers: readonly Described[];
  readonly content: readonly MediaType[];
  /** The media type that is sent if nothing asks for another. */
  readonly media?: MediaType;
  readonly codes?: readonly string[];
  readonly definition: JsonObject;
}

export interface Link {
  readonly url: string;
  readonly description?: string;
}

export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** An operation as it is written. */
export interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly externalDocs?: Link;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  readonly 'x-answers-from-example'?: boolean;
  readonly 'x-hideTryItPanel'?: boolean;
  readonly 'x-deprecated-since'?: string;
  readonly 'x-deprecated-sunset'?: string;
  readonly 'x-codeSamples'?: readonly Sample[];
  readonly [field: string]: unknown;
}

/** A security scheme that a request has to satisfy. */
export interface Requirement {
  readonly scheme: string;
  readonly scopes: readonly string[];
  /** How the request carries its key; undefined if the service cannot check the scheme. */
  readonly credential: Credential | undefined;
}

/** An operation of a contract, with every reference followed. */
export interface Operation {
  /** Its name in code: the operationId if that is an identifier, otherwise derived from it or from method and path. */
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly pointer: Pointer;
  readonly definition: OperationObject;
  /** Includes those of its path item; not those that carry a key. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  readonly responses: readonly Response[];
  /** Alternatives (OpenAPI 3.1 §4.8.30). Open to everyone if there are none, or an empty one. */
  readonly security: readonly (readonly Requirement[])[];
}
