/** How a request carries an API key by one kind of security scheme (OpenAPI 3.1 §4.8.27). */
export interface Scheme {
  /** The header that it is in. */
  readonly header: string;
  /** What to send, for people. */
  readonly form: string;
  /** The key in a value of the header, valid or not; undefined where the value is of another scheme. */
  readonly keyIn: (value: string) => string | undefined;
  /** What `WWW-Authenticate` says on a 401 (RFC 9110 §11.6.1); `isInvalid` where a key was sent by this scheme. */
  readonly challenge: (isInvalid: boolean) => string;
}

/** A security scheme as the contract describes it. */
export interface Description {
  readonly type?: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}
