import type { Contract } from '@kit/contract';
import { dereferenced, methodsOf, parameterOf, withShared } from '@kit/contract/described-operation';
import { preferred, requestKindOf, type BodyKind } from '@kit/contract/media-type';
import { propertiesOf } from '@kit/contract/schema-view';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { Schema, WithExamples } from '@kit/contract/shown-example';

/* The parts of a contract that pages and samples use. Generation has checked its shape. */

export interface Header extends WithExamples {
  readonly description?: string;
  readonly deprecated?: boolean;
}

export interface Parameter extends Header {
  readonly name: string;
  /** `form` are the fields of a body. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'form';
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
}

type Content = Readonly<Record<string, WithExamples>>;

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly string[];
}

interface Body {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Content;
}

type Security = readonly Readonly<Record<string, unknown>>[];

export interface Link {
  readonly url: string;
  readonly description?: string;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly externalDocs?: Link;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: Security;
  readonly 'x-stability'?: string;
  readonly 'x-answers-from-example'?: boolean;
  readonly 'x-hideTryItPanel'?: boolean;
  readonly 'x-deprecated-since'?: string;
  readonly 'x-deprecated-sunset'?: string;
  readonly 'x-codeSamples'?: readonly Sample[];
}

export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface SecurityScheme {
  readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect';
  readonly scheme?: string;
  readonly in?: 'header' | 'query';
  readonly name?: string;
  readonly description?: string;
}

/** The header or query parameter that a key goes into, and what stands before it there. */
export function credentialOf({ type, scheme, in: place = 'header', name = '' }: SecurityScheme) {
  if (type === 'apiKey') return { in: place, name, prefix: '' } as const;
  const prefix = scheme?.toLowerCase() === 'basic' ? 'Basic' : 'Bearer';
  return { in: 'header', name: 'Authorization', prefix } as const;
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
  readonly security?: Security;
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

/** An operation with its references resolved. */
export interface Operation extends OperationObject {
  /** Its name in code, which is its place on the page too. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Body;
  /** The sent body; absent if the operation has none. */
  readonly sent?: { readonly type: string; readonly kind: BodyKind; readonly media: WithExamples };
  /** The fields of the body, if it is a form. */
  readonly fields: readonly Parameter[];
  /** Alternatives of security schemes; an empty one is open to everyone. */
  readonly alternatives: readonly (readonly string[])[];
}

export function operationsOf({ operations }: Contract, document: Document): Operation[] {
  const ids = new Map(Object.entries(operations).map(([id, { method, path }]) => [`${method} ${path}`, id]));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item).map((name): Operation => {
      const definition = item[name] as OperationObject;
      const method = name.toUpperCase();
      const id = ids.get(`${method} ${path}`) as string;
      const { summary = id, responses, security = document.security ?? [] } = definition;
      const resolved = (list: readonly Parameter[] = []) =>
        list.map((parameter) => wholeParameter(dereferenced(parameter, document), document));
      const shared = item['parameters'] as unknown as readonly Parameter[] | undefined;
      const requestBody = definition.requestBody && dereferenced(definition.requestBody, document);
      // Servers read no body of these methods (RFC 9110 §9.3.1).
      const [type = '', media] = /^(GET|HEAD)$/.test(method) ? [] : (preferred(requestBody?.content) ?? []);
      const kind = requestKindOf(type, media?.schema && dereferenced(media.schema, document));
      const subtype = kind === 'text' ? 'plain' : 'octet-stream';
      const sentType =
        kind === 'json' && type.includes('*')
          ? 'application/json'
          : type.replace(/^\*/, 'application').replace('*', subtype);
      return {
        ...definition,
        id,
        method,
        path,
        title: summary,
        parameters: withShared(resolved(shared), resolved(definition.parameters), (parameter) => parameter),
        ...(requestBody && { requestBody }),
        ...(media && { sent: { type: sentType, kind, media } }),
        fields: media && kind === 'form' ? fieldsOf(media, document) : [],
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, item]) => {
            const response = dereferenced(item, document);
            const headers = Object.entries(response.headers ?? {});
            const whole = headers.map(([header, value]) => [header, dereferenced(value, document)] as const);
            return [status, { ...response, headers: Object.fromEntries(whole) }];
          }),
        ),
        alternatives: security.length > 0 ? security.map((alternative) => Object.keys(alternative)) : [[]],
      };
    }),
  );
}

/** The response that is shown first: a success, otherwise `default`. */
export function successOf({ responses }: Operation): readonly [status: string, Response] | undefined {
  const all = Object.entries(responses);
  return all.find(([status]) => /^[23]/.test(status)) ?? all.find(([status]) => status === 'default');
}

/** The parameter with its default `explode`, and with the schema of its `content`. */
function wholeParameter(parameter: Parameter, document: Document): Parameter {
  const { explode, content } = parameterOf(parameter, document as unknown as JsonObject);
  if (content === undefined) return { ...parameter, explode };
  const media = (parameter as Parameter & { content: Content }).content[content];
  return { ...media, ...parameter, style: 'json', explode };
}

function fieldsOf({ schema }: WithExamples, document: Document): Parameter[] {
  const resolve = (value: unknown) => dereferenced(value, document);
  const whole = dereferenced(schema ?? {}, document);
  return Object.entries(propertiesOf(whole, { resolve })).map(([name, property]) => ({
    name,
    in: 'form',
    required: whole.required?.includes(name) === true,
    explode: true,
    schema: property as Schema,
  }));
}
