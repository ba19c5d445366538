export interface SampleParameter {
  readonly name: string;
  /** `form` are the fields of a body. */
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'form';
  readonly value: unknown;
  /** One of OpenAPI's, or `json` for a text of that type. */
  readonly style: string | undefined;
  readonly explode: boolean;
  readonly isFile: boolean;
}

export interface SampleRequest {
  readonly id: string;
  readonly method: string;
  /** The address of the API, which `path` follows. */
  readonly base: string;
  readonly path: string;
  readonly parameters: readonly SampleParameter[];
  readonly credentials: readonly {
    readonly in: 'header' | 'query';
    readonly name: string;
    readonly prefix: string;
  }[];
  readonly bodyType: string | undefined;
  readonly bodyKind: 'json' | 'form' | 'text' | 'bytes' | undefined;
  /** JSON, a text, or the name of a file. */
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

/** By label: those that can send the request. */
export function sampleSources(request: SampleRequest, names: SampleNames): Readonly<Record<string, string>>;
