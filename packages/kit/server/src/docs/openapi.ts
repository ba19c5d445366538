import { typeInRange, type BodyKind, type SecurityScheme } from '@contract-kit/core/http';
import {
  fieldStylesOf,
  partTypesOf,
  successesOf,
  type Described,
  type MediaType,
  type Model,
  type Operation,
  type OperationObject,
  type Response,
  type Link,
  type Sample,
  type Schema,
} from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { exampleOf } from '@contract-kit/core/values';

export type { Link, Sample, Operation, Response };

/* The parts of a contract that pages and samples use. Generation has checked its shape. */

export interface Server extends Link {
  /** Its name in the client (OpenAPI 3.2 §4.5). */
  readonly name?: string;
  readonly variables?: Readonly<
    Record<
      string,
      { readonly default?: string; readonly enum?: readonly string[]; readonly description?: string }
    >
  >;
}

/** A parameter, or a field of a form. */
export interface Input extends Described {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'form';
  /** The name under which the client takes it. */
  readonly input?: string;
  /** The media types that a file in a form may have, if not any. */
  readonly fileTypes?: readonly string[];
  /** Whether the contract states the style of a field of a form. */
  readonly isStyled?: boolean;
}

export interface Tag {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly externalDocs?: Link;
  readonly parent?: string;
  /** `nav` if it is absent; tags of other kinds make no groups (OpenAPI 3.2 §4.22). */
  readonly kind?: string;
  readonly 'x-displayName'?: string;
  readonly 'x-parent'?: string;
}

/** How people call a tag. */
export function tagTitle({ name, 'x-displayName': title = name, summary = title }: Tag): string {
  return summary;
}

export interface Document {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
    readonly termsOfService?: string;
    readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
    readonly license?: { readonly name: string; readonly url?: string; readonly identifier?: string };
  };
  readonly servers: readonly Server[];
  readonly tags?: readonly Tag[];
  readonly externalDocs?: Link;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
  readonly 'x-rate-limit-plans'?: Readonly<
    Record<string, { name: string; perMinute: number | string; perDay: number | string }>
  >;
  readonly 'x-error-codes'?: Readonly<Record<string, { status: number; description: string }>>;
}

/** The id of a webhook on the page. */
export const webhookId = ({ id }: Pick<Operation, 'id'>) => `webhook-${id}`;

export function titleOf({ id, definition: { summary = id } }: Operation): string {
  return summary;
}

/** The body that samples send; undefined if the operation has none. */
export function sentOf({
  body,
}: Operation): { readonly type: string; readonly kind: BodyKind; readonly media: MediaType } | undefined {
  if (!body) return undefined;
  const { type, kind } = body.media;
  const sentType = kind === 'json' && type.includes('*') ? 'application/json' : typeIn(type);
  return { type: sentType, kind, media: body.media };
}

/** A type of a range, to show. */
export function typeIn(range: string): string {
  const [main = ''] = range.split('/');
  const known: Readonly<Record<string, string>> = {
    image: 'png',
    audio: 'mpeg',
    video: 'mp4',
    text: 'plain',
  };
  return typeInRange(range, known[main] ?? 'octet-stream');
}

/** The fields of the body, if it is a form. */
export function formFields({ schemas }: Model, operation: Operation): Input[] {
  const { kind, media } = sentOf(operation) ?? {};
  if (!media || kind !== 'form') return [];
  const required = schemas.requiredOf(media.schema);
  // It is valid as a whole: one of the alternatives with its tag.
  const shown = exampleOf(schemas, media);
  const example = isObject(shown) ? shown : {};
  const own = schemas.fieldsOf(media.schema);
  const fields = (Object.entries(schemas.possibleFieldsOf(media.schema)) as [string, JsonObject][])
    .filter(([name]) => Object.hasOwn(own, name) || Object.hasOwn(example, name))
    .filter(([, schema]) => !schemas.isAbsentIn('sent', schema));
  const types = partTypesOf(media);
  const styles = new Map(Object.entries(fieldStylesOf(media)));
  return fields.map(([name, schema]) => ({
    name,
    ...(Object.hasOwn(example, name) && { example: example[name] }),
    in: 'form',
    required: required.includes(name),
    schema: schemas.whole(schema),
    written: schema,
    ...(styles.get(name) ?? { style: 'form', explode: true }),
    isStyled: styles.has(name),
    ...(types[name] && { fileTypes: types[name] }),
  }));
}

/** The names of the schemes of each alternative; an empty one is open to everyone. */
export function alternativesOf({ security }: Operation): string[][] {
  return security.length > 0 ? security.map((all) => all.map(({ scheme }) => scheme)) : [[]];
}

/** The response that is shown first: a success, otherwise `default`. */
export function successOf(operation: Operation): Response | undefined {
  return successesOf(operation)[0];
}
