import { dereferenced, methodsOf, withShared } from '@kit/contract/described-operation';
import type { Schema, WithExamples } from '@kit/contract/shown-example';

/* The contract, as far as pages and samples are made from it. Its shape was checked when it was generated from. */

export interface Header extends WithExamples {
  readonly description?: string;
  readonly deprecated?: boolean;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
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

export interface OperationObject {
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
  readonly type: 'http' | 'apiKey';
  readonly scheme?: string;
  readonly name?: string;
  readonly description?: string;
}

/** The header that a key goes into, and what stands before it there. */
export function credentialOf({ type, scheme, name: header = 'Authorization' }: SecurityScheme) {
  if (type === 'apiKey') return { header, prefix: '' } as const;
  return { header, prefix: scheme?.toLowerCase() === 'basic' ? 'Basic' : 'Bearer' } as const;
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

/** An operation, with what it refers to in its place. */
export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Body;
  /** Alternatives, each the security schemes that it takes; one without any is open to everyone. */
  readonly alternatives: readonly (readonly string[])[];
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf(item).map((method): Operation => {
      const definition = item[method] as OperationObject;
      const {
        summary = definition.operationId,
        requestBody,
        responses,
        security = document.security ?? [],
      } = definition;
      const resolved = (list: readonly Parameter[] = []) => list.map((each) => dereferenced(each, document));
      const shared = item['parameters'] as unknown as readonly Parameter[] | undefined;
      return {
        ...definition,
        method: method.toUpperCase(),
        path,
        title: summary,
        parameters: withShared(resolved(shared), resolved(definition.parameters), (each) => each),
        ...(requestBody && { requestBody: dereferenced(requestBody, document) }),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, each]) => {
            const response = dereferenced(each, document);
            const headers = Object.entries(response.headers ?? {});
            const whole = headers.map(([name, header]) => [name, dereferenced(header, document)] as const);
            return [status, { ...response, headers: Object.fromEntries(whole) }];
          }),
        ),
        alternatives: security.length > 0 ? security.map((each) => Object.keys(each)) : [[]],
      };
    }),
  );
}
