import { stepsOf } from '@petstore/contract/json-pointer';
import type { Json, Pointer } from '../../contract.ts';
import type { Impact } from '../change.ts';

/** A change as Redocly reports it, as far as it is used. */
export interface StructuralChange {
  /** The JSON pointer of what is changed, as if every reference were replaced by what it refers to. */
  readonly path: string;
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  readonly impact: Impact;
  readonly verdicts: readonly { readonly message: string }[];
  readonly property?: string;
  readonly base?: Written;
  readonly revision?: Written;
}

interface Written {
  readonly pointer: string;
  readonly value?: Json;
}

/** What a change concerns: the component it is written in, or else the operation it belongs to. */
export function subjectOf(path: Pointer, written: Pointer): string {
  const [root, kind = '', name = '', ...steps] = written.map(String);
  if (root === 'components') {
    if (kind !== 'schemas') return `${COMPONENTS[kind] ?? kind} ${name}`;
    return [name, ...steps.filter((step, index) => steps[index - 1] === 'properties')].join('.');
  }
  const [area = '', route = '', method, ...rest] = path.map(String);
  if (area !== 'paths') return area === 'info' ? 'the description of the API' : area;
  if (method === undefined) return route;
  const operation = `${method.toUpperCase()} ${route}`;
  return rest[0] === 'responses' && rest.length > 2 ? `${operation}, response ${rest[1]}` : operation;
}

const COMPONENTS: Record<string, string> = {
  headers: 'response header',
  parameters: 'parameter',
  requestBodies: 'request body',
  responses: 'response',
  securitySchemes: 'security scheme',
};

/** What happens to it: in Redocly's words where it judges, in plain ones where it only lists. */
export function whatOf(change: StructuralChange): string {
  if (change.verdicts.length > 0) return change.verdicts.map(({ message }) => sentence(message)).join('; ');
  if (change.kind === 'modified') return modification(change);
  if (change.typeName === 'ParameterList') return parameters(change);
  const name = stepsOf(change.path).at(-1) ?? '';
  const thing = ['Operation', 'PathItem'].includes(change.typeName) ? '' : `${noun(change)} ${name} `;
  return `${thing}is ${change.kind === 'added' ? 'new' : 'gone'}`;
}

function sentence(message: string): string {
  return message.replace(/\.$/, '').replace(/^[A-Z](?=[a-z]+ )/, (letter) => letter.toLowerCase());
}

function modification({ property = '', base, revision }: StructuralChange): string {
  const [from, to] = [shown(base?.value), shown(revision?.value)];
  if (base?.value === undefined) return to === undefined ? `gets ${property}` : `gets ${property}: ${to}`;
  if (revision?.value === undefined) return `loses ${property}${from === undefined ? '' : `: ${from}`}`;
  return from === undefined || to === undefined
    ? `${property} changes`
    : `${property} changes from ${from} to ${to}`;
}

/** A value that fits into a line. */
function shown(value: Json): string | undefined {
  const text = JSON.stringify(value);
  return text !== undefined && text.length <= 40 ? text : undefined;
}

function parameters({ kind, base, revision }: StructuralChange): string {
  const list: Json[] = (kind === 'added' ? revision?.value : base?.value) ?? [];
  const names = list.map((parameter) => parameter.name ?? parameter.$ref).join(', ');
  return kind === 'added' ? `takes new parameters: ${names}` : `no longer takes the parameters ${names}`;
}

function noun({ typeName, path }: StructuralChange): string {
  if (typeName === 'Schema') return stepsOf(path).at(-2) === 'properties' ? 'property' : 'schema';
  return typeName.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
