export interface SampleParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly value: unknown;
  /** Whether the values of a list in the query are written one by one. */
  readonly explode: boolean;
}

export interface SampleRequest {
  readonly id: string;
  readonly method: string;
  /** The address of the API, which `path` follows. */
  readonly base: string;
  readonly path: string;
  readonly parameters: readonly SampleParameter[];
  readonly credentials: readonly { readonly header: string; readonly prefix: string }[];
  readonly body: unknown;
  /** Whether the client takes the fields of the body beside the parameters. */
  readonly isFlat: boolean;
  /** Whether the first success comes with JSON. */
  readonly answersJson: boolean;
}

export interface SampleNames {
  readonly package: string;
  readonly factory: string;
  readonly variable: string;
  readonly keyVariable: string;
  /** The address that the client calls if it is given none. */
  readonly defaultBase: string;
}

export function sampleSources(
  request: SampleRequest,
  names: SampleNames,
): Readonly<Record<'curl' | 'TypeScript' | 'fetch' | 'Python', string>>;
