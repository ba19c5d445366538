import type { Contract } from '@contract-kit/core';
import type { StreamForm, ParameterStyle } from '@contract-kit/core/http';

/** The part of a contract that a client needs. It is in every page that calls the API, so it is small. */
export interface ClientContract<Operations = Readonly<Record<string, unknown>>> extends Pick<
  Contract,
  'name' | 'version' | 'basePath'
> {
  readonly operations: { readonly [Id in keyof Operations & string]: ClientOperation };
  /** The addresses by name. The first is the default. */
  readonly servers: Readonly<Record<string, string>>;
  /** The JSON type of every declared response header. */
  readonly headerTypes: Readonly<Record<string, string>>;
  /** How a request of `fetch` sends the key: as the first operation does. `anonymous` if any operation needs none. */
  readonly fetchKey?: Pick<ClientOperation, 'anonymous' | 'keyed' | KeyField>;
  /** The code for keys in queries and cookies, if any operation takes one. */
  readonly writeKeys?: KeyWriter;
  /** The code for parameters in cookies, if any operation has one. */
  readonly writeCookies?: CookieWriter;
  /** Whether errors have another shape than `code`, `message` and `status`. */
  readonly serviceErrors?: boolean;
}

/** What a request says of its key. */
export type KeyField = 'credentials' | 'queryCredentials' | 'cookieCredentials' | 'takesCookie';

/** Adds the key to the address, which it returns, or to `headers`, which have names in lower case. */
export type KeyWriter = (
  url: string,
  headers: Record<string, string>,
  key: string | undefined,
  call: { readonly security: Pick<ClientOperation, KeyField> | undefined; options: object },
) => string;

/** The header of the parameters of `call` in cookies, each of which `write` writes. */
export type CookieWriter = (call: ClientOperation, write: (name: string) => string | undefined) => object;

/** An operation as a small value: all that a client needs to send it, and to read its response. */
export interface ClientOperation {
  readonly method: string;
  readonly path: string;
  /** The parameters that are 64-bit integers, or lists of them. */
  readonly int64?: readonly string[];
  readonly query?: readonly string[];
  /** Query parameters that may be null, which is sent as an empty value. */
  readonly nullable?: readonly string[];
  /** How to write the parameters that are objects or lists in one value, or have a style: `json`, or a style of OpenAPI 3.2 §4.12.3. */
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
  readonly cookies?: readonly string[];
  /** The header parameters, spelled as in the contract. */
  readonly headers?: readonly string[];
  /** Whether a client may send it without a key. */
  readonly anonymous?: true;
  /** Whether it needs a key all the same: a browser may have it as a cookie. */
  readonly keyed?: true;
  /** The headers that carry a key, each with its scheme; `DEFAULT_CREDENTIALS` if absent. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** The query parameters that carry a key. */
  readonly queryCredentials?: readonly string[];
  /** The cookies that carry a key. */
  readonly cookieCredentials?: readonly string[];
  /** Whether a browser is to send its own cookies, and to keep those of the response. */
  readonly takesCookie?: true;
  /** How the JSON body is passed: its fields with the parameters, or all of it as `body`. */
  readonly body?: 'fields' | 'required' | 'optional';
  /** The name under which callers pass a parameter called `body`, if there is a body. */
  readonly bodyParameter?: string;
  /** The media type of the body, if it is not `application/json`. */
  readonly bodyType?: string;
  /** All media types of the body, ranges too, if a file may choose. */
  readonly bodyTypes?: readonly string[];
  /** The media types of files in a form, by their fields, if they may not have any. */
  readonly partTypes?: Readonly<Record<string, string>>;
  /** The media types of a text and of bytes as bodies, if bodies are usually something else. */
  readonly otherBodies?: { readonly text?: string; readonly bytes?: string };
  /** How to write the fields of a form that have a style. */
  readonly fieldStyles?: Readonly<Record<string, ParameterStyle>>;
  readonly bodyFields?: readonly string[];
  /** The JSON type of the body by status below 400 or range such as `2XX`; or `any`, another media type, `none`. */
  readonly responseTypes: Readonly<Record<string, string>>;
  /** The JSON type of texts that are a number or a boolean, by status or range. */
  readonly scalars?: Readonly<Record<string, string>>;
  /** The responses that are streams, by status or range, then by media type without parameters. */
  readonly streams?: Readonly<Record<string, Readonly<Record<string, StreamForm>>>>;
  /** The media types for `Accept`, if a success is not JSON, or need not be. */
  readonly accept?: string;
  /** The JSON types of response headers by status or range, if they differ from those of the contract. */
  readonly headerTypes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The response headers that are JSON texts of their values, by status or range. */
  readonly jsonHeaders?: Readonly<Record<string, readonly string[]>>;
  /** The media types of errors, by status or range, if one is not `application/json`. */
  readonly errorTypes?: Readonly<Record<string, string>>;
  /** Whether an error has a body (for HEAD none, RFC 9110 §9.3.2), by status, range such as `4XX`, or `default`. */
  readonly errors: Readonly<Record<string, boolean>>;
}
