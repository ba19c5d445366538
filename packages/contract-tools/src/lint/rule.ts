import type { Json } from '../contract.ts';

/** A place in the contract, as Redocly hands it to a rule. */
export interface Place {
  child(steps: string | readonly (string | number)[]): Place;
  key(): Place;
}

/** What a rule sees of Redocly's context: it comes without types of its own. */
export interface Context {
  readonly location: Place;
  readonly report: (problem: { message: string; location: Place }) => void;
  readonly resolve: (node: Json) => { node?: Json; location?: Place };
}

type Visit = (node: Json, context: Context) => void;

/** A rule: which objects of the contract it looks at, and how. */
export type Rule = () => Partial<Record<'Operation' | 'Parameter' | 'Schema', Visit>>;

export interface DeclaredResponse {
  readonly status: string;
  readonly response: Json;
  readonly place: Place;
}

/** The responses an operation declares, with references followed. What refers to nothing is left to Redocly. */
export function responsesOf(operation: Json, context: Context): DeclaredResponse[] {
  return Object.entries<Json>(operation.responses ?? {}).flatMap(([status, declared]) => {
    const { value, place } = follow(declared, context.location.child(['responses', status]), context);
    return typeof value === 'object' && value !== null ? [{ status, response: value, place }] : [];
  });
}

/** What `node` stands for and where that is written: here, or where its reference leads. */
export function follow(node: Json, here: Place, context: Context): { value: Json; place: Place } {
  if (typeof node?.$ref !== 'string') return { value: node, place: here };
  const { node: value, location } = context.resolve(node);
  return { value, place: location ?? here };
}
