/** Codes by their own names, each with its meaning. */
export type NamesOf<Statuses> = { readonly [Code in keyof Statuses]: Code };

export function namesOf<Statuses extends object>(statuses: Statuses): NamesOf<Statuses> {
  return Object.fromEntries(Object.keys(statuses).map((code) => [code, code])) as NamesOf<Statuses>;
}

/** Makes the test whether a code is among these, so that a `switch` over it can cover every case. */
export function knownCodes<Known extends string>(statuses: { readonly [Code in Known]: number }) {
  return <Code extends string>(code: Code): code is Code & Among<Code, Known> =>
    Object.hasOwn(statuses, code);
}

/** Those of the known codes that the type names; all of them if it names none. */
type Among<Code, Known> = [Extract<Code, Known>] extends [never] ? Known : Extract<Code, Known>;
