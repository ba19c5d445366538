interface Place {
  readonly name: string;
  readonly in: string;
}

/** The faults that the body of an error names. */
export function faultsIn(
  error: unknown,
  fields: readonly Place[],
  names?: readonly string[],
): readonly { readonly field: Place | undefined; readonly message: string }[];
