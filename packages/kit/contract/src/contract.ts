import type { JsonObject } from './json-pointer.ts';
import type { Deprecation, Operation, Security } from './operation.ts';
import type { Quota } from './windows.ts';

/** What a service is called, in everything that is named after it. */
export interface ServiceNames {
  /** Lower-case letters, digits and hyphens: the command, the metrics, the realm, the prefix of keys in Redis. */
  readonly name: string;
  /** What every API key begins with, such as `shop_`. */
  readonly keyPrefix: string;
  /** The file of the embedded database in DATA_DIR. */
  readonly databaseFile: string;
}

/** A plan of rate limits. One without a quota is a custom one: its two numbers are set with the key. */
export interface Plan {
  readonly name: string;
  readonly quota: Quota | undefined;
}

/** A contract as a value, as `npm run generate` makes it. `Operations` are the types of its operations. */
export interface Contract<Operations = Readonly<Record<string, unknown>>> extends ServiceNames {
  readonly version: string;
  /** The path that the addresses of its servers end in, such as `/v1`. */
  readonly basePath: string;
  /** The published OpenAPI document. */
  readonly document: JsonObject;
  readonly operations: { readonly [Id in keyof Operations & string]: Operation };
  readonly security: { readonly [Id in keyof Operations & string]: Security };
  /** The scopes that each alternative of `security` asks for, of the operations that ask for some. */
  readonly scopes?: { readonly [Id in keyof Operations & string]?: readonly (readonly string[])[] };
  /** Of the operations that are deprecated. */
  readonly deprecations: { readonly [Id in keyof Operations & string]?: Deprecation };
  readonly plans: Readonly<Record<string, Plan>>;
  /** The quota of an address that sends no valid key; absent if the contract has no plans, so that nothing is counted. */
  readonly anonymousQuota?: Quota | undefined;
}

/** What a client needs of a contract, and no more: all of it is in every page that calls the API. */
export interface ClientContract<Operations = Readonly<Record<string, unknown>>> extends Pick<
  Contract<Operations>,
  'name' | 'version' | 'basePath' | 'operations'
> {
  /** The addresses by name. The first is the default. */
  readonly servers: Readonly<Record<string, string>>;
  /** The JSON type of every header that a response may declare. */
  readonly headerTypes: Readonly<Record<string, string>>;
  /** Whether errors have a shape of its own, and not `code`, `message` and `status`. */
  readonly ownErrors?: boolean;
}

/** The body of an error, with the code and the status that the contract allows in one place. */
export interface ErrorBody<Code extends string = string, Status extends number = number> {
  code: Code;
  message: string;
  status: Status;
}
