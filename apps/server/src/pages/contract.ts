import { isObject, resolve } from '@petstore/contract/json-pointer';

/* The published contract, as far as pages and samples are made from it. Its shape was checked when it was generated from. */

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

interface WithExamples {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Header extends WithExamples {
  readonly description?: string;
  readonly deprecated?: boolean;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
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

export interface Definition {
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
  readonly security: Security;
  readonly tags?: readonly Tag[];
  readonly externalDocs?: Link;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Definition>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
  readonly 'x-rate-limit-plans': Readonly<
    Record<string, { name: string; perMinute: number | string; perDay: number | string }>
  >;
  readonly 'x-error-codes': Readonly<Record<string, { status: number; description: string }>>;
}

/** An operation, with what it refers to in its place. */
export interface Operation extends Definition {
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Body;
  /** Alternatives, each the security schemes that it takes; one without any is open to everyone. */
  readonly alternatives: readonly (readonly string[])[];
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method): Operation => {
      const definition = item[method] as Definition;
      const {
        summary = definition.operationId,
        requestBody,
        responses,
        security = document.security,
      } = definition;
      const shared = (item['parameters'] ?? []) as unknown as readonly Parameter[];
      return {
        ...definition,
        method: method.toUpperCase(),
        path,
        title: summary,
        parameters: [...shared, ...(definition.parameters ?? [])].map((each) => follow(document, each)),
        ...(requestBody && { requestBody: follow(document, requestBody) }),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, each]) => {
            const response = follow(document, each);
            const headers = Object.entries(response.headers ?? {});
            const whole = headers.map(([name, header]) => [name, follow(document, header)] as const);
            return [status, { ...response, headers: Object.fromEntries(whole) }];
          }),
        ),
        alternatives: security.length > 0 ? security.map((each) => Object.keys(each)) : [[]],
      };
    }),
  );
}

/** What `value` is once its references are followed. */
export function follow<Value>(document: Document, value: Value): Value {
  let target: unknown = value;
  while (isObject(target) && typeof target['$ref'] === 'string') target = resolve(document, target['$ref']);
  return target as Value;
}

/** An example of a parameter, a header or a body: the contract's own, or else one made from the schema. */
export function exampleOf(document: Document, { example, examples, schema }: WithExamples): unknown {
  const [first] = Object.values(examples ?? {});
  if (example !== undefined) return example;
  return first ? follow(document, first).value : exampleOfSchema(document, schema ?? {});
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-11-24',
  'date-time': '2026-11-24T09:00:00Z',
  time: '09:00:00Z',
  duration: 'P1D',
  uuid: '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'cGV0',
};

function exampleOfSchema(document: Document, given: Schema, around: readonly Schema[] = []): unknown {
  const schema = follow(document, given);
  // What contains itself ends where it may.
  if (around.includes(schema)) return undefined;
  const inner = (child: Schema) => exampleOfSchema(document, child, [...around, schema]);
  const { type, format = '', items, properties = {}, required = [], allOf, oneOf, anyOf, minimum } = schema;
  const listed = (keyword: string) => (schema[keyword] as readonly unknown[] | undefined)?.[0];
  const said = [schema['example'], listed('examples'), schema['default'], schema['const'], listed('enum')];
  const known = said.find((each) => each !== undefined);
  if (known !== undefined) return known;
  const [branch] = oneOf ?? anyOf ?? [];
  if (branch) return inner(branch);
  const fields = () =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name, property]) => required.includes(name) && property['readOnly'] !== true)
        .map(([name, property]) => [name, inner(property)]),
    );
  if (allOf) {
    const parts = allOf.map(inner);
    return parts.every(isObject) ? (Object.assign(fields(), ...parts) as unknown) : parts[0];
  }
  switch ([type].flat().find((each) => each !== 'null') ?? type) {
    case 'null':
      return null;
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum ?? Number(schema['exclusiveMinimum'] ?? 0) + 1;
    case 'array':
      return (items ? [inner(items)] : []).filter((item) => item !== undefined);
    case 'object':
      return fields();
    default:
      return TEXTS[format] ?? 'text';
  }
}
