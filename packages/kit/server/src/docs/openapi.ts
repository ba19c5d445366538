import type { BodyKind } from '@kit/contract/media-type';
import {
  modelOf,
  schemasOf,
  successesOf,
  type Described,
  type MediaType,
  type Operation,
  type OperationObject,
  type Response,
} from '@kit/contract/model';
import type { SecurityScheme } from '@kit/contract/credential';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { Link, Sample } from '@kit/contract/model';
import type { Schema } from '@kit/contract/shown-example';

export type { Link, Sample, Operation, Response };

/* The parts of a contract that pages and samples use. Generation has checked its shape. */

/** A parameter, or a field of a form. */
export interface Input extends Described {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'form';
  /** The name under which the client takes it. */
  readonly input?: string;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
  readonly externalDocs?: Link;
  readonly 'x-displayName'?: string;
  readonly 'x-parent'?: string;
}

export interface Document {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
    readonly termsOfService?: string;
    readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
    readonly license?: { readonly name: string };
  };
  readonly servers: readonly Link[];
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

export function operationsOf(document: Document): readonly Operation[] {
  return modelOf(document as unknown as JsonObject).operations;
}

export function schemesOf(document: Document): ReadonlyMap<string, SecurityScheme> {
  return modelOf(document as unknown as JsonObject).schemes;
}

export function titleOf({ id, definition: { summary = id } }: Operation): string {
  return summary;
}

/** The body that samples send; undefined if the operation has none. */
export function sentOf({
  body,
}: Operation): { readonly type: string; readonly kind: BodyKind; readonly media: MediaType } | undefined {
  if (!body) return undefined;
  const { type, kind } = body.media;
  const subtype = kind === 'text' ? 'plain' : 'octet-stream';
  const sentType =
    kind === 'json' && type.includes('*')
      ? 'application/json'
      : type.replace(/^\*/, 'application').replace('*', subtype);
  return { type: sentType, kind, media: body.media };
}

/** The fields of the body, if it is a form. */
export function fieldsOf(document: Document, operation: Operation): Input[] {
  const { kind, media } = sentOf(operation) ?? {};
  if (!media || kind !== 'form') return [];
  const schemas = schemasOf(document);
  const required = schemas.requiredOf(media.schema);
  const fields = Object.entries(schemas.fieldsOf(media.schema)) as [string, JsonObject][];
  return fields.map(([name, schema]) => ({
    name,
    in: 'form',
    required: required.includes(name),
    schema: schemas.whole(schema),
    written: schema,
    style: 'form',
    explode: true,
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
