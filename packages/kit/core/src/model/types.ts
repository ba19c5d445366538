import type { Deprecation } from '../contract/index.ts';
import type { JsonObject, Pointer } from '../json/index.ts';
import type { BodyKind, StreamForm, StreamKind, Credential } from '../http/index.ts';
import type { View } from './keywords.ts';

export type { Pointer };

/** An object of JSON Schema. Generation has checked its shape. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** How a value is written as text (OpenAPI 3.2 §4.12.3). */
export type Style =
  'form' | 'cookie' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

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
  /** The text that ends it in a path, if another parameter of its segment follows: its value cannot have that text. */
  readonly end?: string;
  readonly pointer: Pointer;
}

/** A body in one of its media types. */
export interface MediaType {
  /** As the contract writes it: it may have parameters, or be a range. */
  readonly type: string;
  readonly kind: BodyKind | StreamKind;
  /** Whether its text is that of a number or a boolean. */
  readonly isScalar?: true;
  /** The schema of what a program has of it. */
  readonly schema?: JsonObject;
  /** The schema as the contract writes it: that of XML, for example, says what the text means. */
  readonly declaredSchema?: JsonObject;
  /** The schema of each item as code has it, if the kind is `events` or `lines`. */
  readonly itemSchema?: JsonObject;
  /** How the items are written. */
  readonly form?: StreamForm;
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

/** The body of a request is never a stream. */
export interface SentMediaType extends MediaType {
  readonly kind: BodyKind;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly SentMediaType[];
  /** The one that clients send. */
  readonly media: SentMediaType;
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
  /** Its summary if it has no description. */
  readonly description: string;
  readonly headers: readonly Described[];
  readonly content: readonly MediaType[];
  /** The media type that is sent if nothing asks for another. */
  readonly media?: MediaType;
  readonly codes?: readonly string[];
  /** What can be called with it (OpenAPI 3.1 §4.8.20): only pages show it. */
  readonly links: readonly ResponseLink[];
  readonly definition: JsonObject;
}

/** A call that takes values of a response. The operation is named by its id, or by a reference to it. */
export interface ResponseLink {
  readonly name: string;
  readonly operationId?: string;
  readonly operationRef?: string;
  readonly description?: string;
  /** Values, or expressions such as `$response.body#/id`. */
  readonly parameters?: JsonObject;
  readonly requestBody?: unknown;
  readonly server?: Link;
}

/** The requests that the service sends to an address that a request tells, such as `{$request.body#/url}`. */
export interface Callback {
  readonly name: string;
  readonly expression: string;
  /** Their path is the expression. */
  readonly operations: readonly Operation[];
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
  /** The header that makes a repeated request safe, as the contract spells it. */
  readonly idempotencyKey?: string;
  readonly deprecation?: Deprecation;
}

/** An alternative, and the values of the tag that name it. */
export interface TaggedBranch {
  readonly tags: readonly string[];
  readonly schema: unknown;
}

/** A component that shares the tag of a base with others, because it is the base or extends it by `allOf`. */
export interface Family {
  readonly property: string;
  /** The tags of its values, the most telling first: its own, and those of what extends it (OpenAPI 3.1 §4.8.25). */
  readonly tags: readonly string[];
  readonly extensions: readonly Extension[];
  /** What a value is whose tag is missing or unknown: an extension, or nothing but the base. */
  readonly otherwise?: Extension | 'base';
}

/** What a schema that extends another adds. */
export interface Extension extends TaggedBranch {
  /** The name of the component that it is. */
  readonly name: string;
  /** Those of other tags, if it is a base itself. */
  readonly families: readonly Family[];
}

/** Questions about the schemas of a document, answered through references and compositions. */
export interface Schemas {
  /** Its bases do not list what extends them. */
  readonly document: JsonObject;
  /** The value behind references; an empty object if it is not one. Keywords next to a reference are left out. */
  resolve<Value extends object>(value: Value): Value;
  resolve(value: unknown): JsonObject;
  /** A schema without a reference at its root, with the keywords next to it (JSON Schema 2020-12 core §8.2.3.1). */
  whole(schema: unknown): JsonObject;
  /** Every schema that holds for each value that is not null: its targets, the parts of `allOf`, then itself. */
  partsOf(schema: unknown): readonly JsonObject[];
  /** The alternatives of `oneOf` and `anyOf`, without null, if there are several. */
  branchesOf(schema: unknown): readonly unknown[];
  /** The JSON types of its values, with `integer`; empty if it allows every type. */
  typesOf(schema: unknown): ReadonlySet<string>;
  /** The properties of an object. */
  fieldsOf(schema: unknown): JsonObject;
  /** The properties of an object, with those that only some of its alternatives, or of those that extend it, have. */
  possibleFieldsOf(schema: unknown): JsonObject;
  requiredOf(schema: unknown): readonly string[];
  /** The items of a list, of each alternative that is one; undefined if nothing describes them. */
  itemsOf(schema: unknown): JsonObject | undefined;
  /** The schema of properties that `fieldsOf` does not name; false if there may be none. */
  othersOf(schema: unknown): unknown;
  /** Whether a form part or a body with this schema is bytes, not text. */
  isBinary(schema: unknown): boolean;
  /** Whether a property only exists in the other direction. */
  isAbsentIn(view: View, schema: unknown): boolean;
  defaultOf(schema: unknown): unknown;
  /** The families of a component, or of a reference to one. */
  familiesOf(schema: unknown): readonly Family[];
}
