import { headersOfDeprecation, bodyKindOf, entryKeyOf, JSON_LIMIT, preferred } from '@contract-kit/core/http';
import type { JsonObject } from '@contract-kit/core/json';
import {
  headerOf,
  isOpen,
  isScalar,
  objectAt,
  parameterKey,
  parameterOf,
  operationName,
  type Described,
  type Operation,
  type Parameter,
} from '@contract-kit/core/model';
import {
  changeOf,
  child,
  describingChanges,
  differing,
  entriesOf,
  isPastSunset,
  matched,
  matchedOperations,
  modification,
  partAt,
  renamed,
  resolved,
  type Change,
  type Impact,
  type Pair,
  type Part,
  type SharedOperation,
  type Side,
} from './change.ts';
import { compareDeprecation, compareStability } from './promises.ts';
import { compareStreams } from './streams.ts';
import {
  comparePresence,
  compareSchemas,
  compareValues,
  newInput,
  type Direction,
  type Role,
} from './schemas.ts';
import { compareSecurity } from './security.ts';
import type { Schema } from './shape.ts';

export function* compareOperations(pair: Pair): Iterable<Change> {
  const part = (side: Side, operation: Operation) =>
    partAt(pair, side, operation.pointer, operationName(operation));
  for (const { before, after } of matchedOperations(pair)) {
    if (!after) {
      const sunset = before.definition['x-deprecated-sunset'];
      yield isPastSunset(before, pair.today)
        ? changeOf(part('base', before), 'minor', `is gone, as announced for ${sunset}`)
        : changeOf(part('base', before), 'major', 'is gone');
    } else if (!before) {
      const added = part('revision', after);
      yield changeOf(added, 'minor', 'is new');
      // It breaks nothing, but opening an operation to everyone must be deliberate.
      if (isOpen(after)) yield { ...changeOf(added, 'minor', 'needs no API key'), alarm: true };
    } else {
      const shared = { pair, before, after, from: part('base', before), to: part('revision', after) };
      for (const compare of COMPARISONS) yield* compare(shared);
    }
  }
}

const COMPARISONS: readonly ((shared: SharedOperation) => Iterable<Change>)[] = [
  compareOperationId,
  compareParameters,
  compareRequestBodies,
  compareClientInput,
  compareResponses,
  compareSecurity,
  compareDeprecation,
  compareStability,
  ({ from, to }) => describingChanges(from, to, COMPARED),
];

const COMPARED = [
  'operationId',
  'parameters',
  'requestBody',
  'responses',
  'security',
  'deprecated',
  'x-deprecated-since',
  'x-deprecated-sunset',
  'x-stability',
  'x-body-limit',
];

function* compareOperationId({ before, after, to }: SharedOperation): Iterable<Change> {
  if (before.id === after.id) return;
  const what = `${modification('operationId', before.id, after.id)}: it names the client's method`;
  yield changeOf(to, 'major', what, ['operationId']);
}

/** Path parameters match by position, others by name; header names are case-insensitive. */
function parametersOf({ path, parameters }: Operation): Map<string, Parameter> {
  const places: readonly string[] = path.match(/\{[^}]*\}/g) ?? [];
  return new Map(
    parameters.map((parameter) => {
      const position = places.indexOf(`{${parameter.name}}`);
      return [parameter.in === 'path' ? `path ${position}` : parameterKey(parameter), parameter];
    }),
  );
}

function* compareParameters({ pair, before: from, after: to }: SharedOperation): Iterable<Change> {
  const part = (side: Side, { name, pointer }: Parameter, operation: Operation) => {
    const owner = pointer[2] === 'parameters' ? operation.path : operationName(operation);
    return partAt(pair, side, pointer, `${owner}, parameter ${name}`);
  };
  for (const { before, after } of matched(parametersOf(from), parametersOf(to))) {
    if (!after) {
      yield changeOf(part('base', before, from), 'major', `may no longer be sent in the ${before.in}`);
    } else if (!before) {
      yield newInput(part('revision', after, to), after.required, ` in the ${after.in}`);
    } else {
      const [was, is] = [resolved(part('base', before, from)), resolved(part('revision', after, to))];
      if (before.name !== after.name) yield renamed(is, before.name, after.name);
      yield* comparePresence('request', is, before.required, after.required);
      yield* compareWritten(pair, 'request', was, is, 'parameter');
      yield* describingChanges(was, is, ['name', 'in', 'required', ...WRITTEN]);
    }
  }
}

const WRITTEN = ['content', 'style', 'explode', 'schema'];

/** The form and the values of a parameter or of a response header. */
function* compareWritten(
  pair: Pair,
  direction: Direction,
  was: Part,
  is: Part,
  role: Role,
): Iterable<Change> {
  const [before, after] = [was, is].map(describedOf) as [Described, Described];
  const hasParts = [before, after].every(isInParts);
  const [from, to] = [formOf(before, hasParts), formOf(after, hasParts)];
  const [name] = differing(from, to);
  if (name) {
    const what = `${modification(name, from[name], to[name])}: the value is written in another form`;
    yield changeOf(is, 'major', what, [name]);
  }
  const schema = (part: Part, { content }: Described): Schema => [
    child(part, content === undefined ? ['schema'] : ['content', content, 'schema']),
  ];
  yield* compareSchemas(pair, direction, schema(was, before), schema(is, after), role);
}

const describedOf = (part: Part): Described => {
  const { value, pointer, contract } = part;
  const { schemas } = contract;
  return child(part, ['in']).value === undefined
    ? headerOf('', value, schemas)
    : parameterOf(value, pointer, schemas);
};

/** Whether `explode` has an effect. */
function isInParts({ schema, style }: Described): boolean {
  return !isScalar(schema) && !(schema['type'] === 'array' && style === 'simple');
}

/** What decides how a value is written. */
function formOf({ content, explode, style }: Described, hasParts: boolean): JsonObject {
  return content === undefined ? { content, style, ...(hasParts && { explode }) } : { content };
}

const isRequired = (part: Part) => child(part, ['required']).value === true;

function bodyPart(operation: Part): Part {
  const body = child(operation, ['requestBody']);
  return { ...body, owner: `${operation.owner}, body` };
}

function* compareRequestBodies(shared: SharedOperation): Iterable<Change> {
  const { pair, from, to } = shared;
  const [before, after] = [bodyPart(from), bodyPart(to)];
  const [was, is] = [resolved(before), resolved(after)];
  if (was.value && is.value) {
    yield* comparePresence('request', is, isRequired(was), isRequired(is));
    yield* compareContent(pair, 'request', was, is);
    yield* describingChanges(was, is, ['required', 'content']);
    yield* compareBodyLimits(shared);
  } else if (was.value) {
    yield changeOf(before, 'major', 'may no longer be sent');
  } else if (is.value) {
    yield newInput(after, isRequired(is));
  }
}

function* compareBodyLimits({ before, after, to }: SharedOperation): Iterable<Change> {
  const [was, is] = [before, after].map(({ body }) => body?.limit ?? JSON_LIMIT) as [number, number];
  if (was === is) return;
  const what = `may have at most ${is} bytes, and was allowed ${was}`;
  yield changeOf(bodyPart(to), is < was ? 'major' : 'minor', what);
}

/** The client's method takes either the fields of a body with the parameters, or `body` as a whole. */
function* compareClientInput({ before, after, to }: SharedOperation): Iterable<Change> {
  if (!takesInput(before) && takesInput(after)) {
    const what = "takes input now: the client's method took the options of the call as its first argument";
    yield changeOf(to, 'major', what);
  }
  const [was, is] = [before.body, after.body];
  if (!was?.media.schema || !is?.media.schema || !was.fields === !is.fields) return;
  const what = is.fields
    ? "is passed to the client's method as fields, and was passed as `body`"
    : "is passed to the client's method as `body`, and was passed as fields";
  yield changeOf(resolved(bodyPart(to)), 'major', what);
}

const takesInput = ({ body, parameters }: Operation) => parameters.length > 0 || body !== undefined;

const CODES = 'x-error-codes';

function* compareResponses({
  pair,
  before: released,
  after: operation,
  from,
  to,
}: SharedOperation): Iterable<Change> {
  const byStatus = (part: Part) => entriesOf(part, 'responses', 'response');
  function* compareMessages(was: Part, is: Part): Iterable<Change> {
    yield* compareHeaders(pair, was, is, operation.definition.deprecated === true);
    yield* compareContent(pair, 'response', was, is);
  }
  for (const { name: status, before, after } of matched(byStatus(from), byStatus(to))) {
    if (!after) {
      yield changeOf(before, 'major', 'is gone');
    } else if (!before) {
      yield changeOf(after, 'minor', 'is new');
      const covering = coveringOf(objectAt(released.definition, 'responses'), status);
      const was = covering && byStatus(from).get(covering);
      // What it promised for this status still holds.
      if (was) yield* compareMessages({ ...resolved(was), owner: after.owner }, resolved(after));
    } else {
      const [was, is] = [resolved(before), resolved(after)];
      yield* compareMessages(was, is);
      const [promised, codes] = [child(was, [CODES]).value, child(is, [CODES]).value];
      const change = (impact: Impact, what: string) => changeOf(codes ? is : was, impact, what, [CODES]);
      // A response without a list has promised no codes.
      if (promised) yield* compareValues([promised].flat(), [codes ?? []].flat(), change, 'code');
      yield* describingChanges(was, is, ['headers', 'content', CODES]);
    }
  }
}

/** The range or the `default` that described a status. Besides successes, a `default` describes errors. */
function coveringOf(responses: JsonObject, status: string): string | undefined {
  const isSuccess = /^[23]/.test(status);
  const key = entryKeyOf(responses, Number(status));
  const isError = key === 'default' && Object.keys(responses).some((name) => /^[23]/.test(name));
  return isSuccess && isError ? undefined : key;
}

function* compareContent(pair: Pair, direction: Direction, from: Part, to: Part): Iterable<Change> {
  const [lost, gained] =
    direction === 'request' ? ['no longer takes', 'also takes'] : ['is no longer', 'may now be'];
  const content = (part: Part) => entriesOf(part, 'content');
  const sent = (part: Part) => preferred(Object.fromEntries(content(part)))?.[0] ?? '';
  const [was, is] = [sent(from), sent(to)];
  // Of several media types, the client writes one, and the server sends one.
  const isOther = was !== is && content(to).has(was);
  if (isOther && (direction === 'response' || bodyKindOf(was) !== bodyKindOf(is)))
    yield changeOf(to, 'major', `is sent as ${is}, and was sent as ${was}`, ['content', is]);
  for (const { name, before, after } of matched(content(from), content(to))) {
    if (!after) yield changeOf(before, 'major', `${lost} ${name}`);
    else if (!before) yield changeOf(after, 'minor', `${gained} ${name}`);
    else {
      const isStream = direction === 'response' && (yield* compareStreams(pair, name, before, after));
      if (!isStream)
        yield* compareSchemas(pair, direction, [child(before, ['schema'])], [child(after, ['schema'])]);
      if (differing(before.value, after.value).includes('encoding'))
        yield changeOf(after, 'major', 'encoding changes: fields are sent in another form', ['encoding']);
      yield* describingChanges(before, after, ['schema', 'itemSchema', 'encoding']);
    }
  }
}

function* compareHeaders(pair: Pair, from: Part, to: Part, isDeprecated: boolean): Iterable<Change> {
  const headers = (part: Part) => {
    const byName = [...entriesOf(part, 'headers', 'header')];
    return new Map(byName.map(([name, header]) => [name.toLowerCase(), { name, header }]));
  };
  for (const { before, after } of matched(headers(from), headers(to))) {
    if (!after) {
      // Without a sunset date, its notice may go.
      const isNotice = headersOfDeprecation.some((name) => name === before.name) && !isDeprecated;
      yield changeOf(from, isNotice ? 'minor' : 'major', `loses the header ${before.name}`, [
        'headers',
        before.name,
      ]);
    } else if (!before) {
      yield changeOf(to, 'minor', `gets the header ${after.name}`, ['headers', after.name]);
    } else {
      const [was, is] = [resolved(before.header), resolved(after.header)];
      yield* comparePresence('response', is, isRequired(was), isRequired(is));
      if (before.name !== after.name) yield renamed(after.header, before.name, after.name);
      yield* compareWritten(pair, 'response', was, is, 'value');
      yield* describingChanges(was, is, ['required', ...WRITTEN]);
    }
  }
}
