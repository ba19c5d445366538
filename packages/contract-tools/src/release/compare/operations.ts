import { headersOfDeprecation } from '@petstore/contract/pipeline-headers';
import type { Contract, Json, Pointer } from '../../contract.ts';
import { parameterKey } from '@petstore/contract/described-operation';
import { nameOf, type Operation, type Parameter, type Response } from '../../operations.ts';
import { requestBodyOf } from '../../request-body.ts';
import {
  changeAt,
  entriesOf,
  isPastSunset,
  matched,
  operationsOnlyIn,
  placeOf,
  presenceAt,
  sharedOperations,
  type Change,
  type Comparison,
  type Impact,
  type Pair,
  type Place,
} from '../change.ts';
import { compareDefaults, comparePresence, compareSchemas, type Direction } from './schemas.ts';
import { compareWords, modification, type Both, type Located } from './words.ts';

/** What can be called, what it takes and what it answers. */
export const compareOperations: Comparison = function* (pair) {
  const whole = (side: Place['side'], operation: Operation, impact: Impact, what: string): Change => {
    const place = placeOf(pair, side, operation.pointer);
    return { impact, subject: nameOf(operation), what, place };
  };
  for (const operation of operationsOnlyIn('base', pair)) {
    const sunset = operation.definition['x-deprecated-sunset'];
    if (!isPastSunset(operation, pair.today)) yield whole('base', operation, 'major', 'is gone');
    else yield whole('base', operation, 'minor', `is gone, as was announced for ${sunset}`);
  }
  for (const operation of operationsOnlyIn('revision', pair))
    yield whole('revision', operation, 'minor', 'is new');

  for (const { before, after } of sharedOperations(pair)) {
    if (before.id !== after.id) {
      const what = `${modification('operationId', before.id, after.id)}: it is the name of the client's method`;
      yield changeAt(pair, 'revision', [...after.pointer, 'operationId'], 'major', what);
    }
    yield* compareParameters(pair, before, after);
    yield* compareRequestBodies(pair, before, after);
    yield* compareInputOfClient(pair, before, after);
    yield* compareReplies(pair, before, after);
    yield* compareWords(pair, { before: located(before), after: located(after) }, COMPARED);
  }
};

/** What of an operation has comparisons of its own. */
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
];

function located({ definition, pointer }: Operation | Response): Located {
  return { value: definition, pointer };
}

function isRequired({ value }: Located): boolean {
  return value.required === true;
}

/** What it means that something may or must be sent that could not be before. */
function newInput(isRequired: boolean, where = ''): readonly [Impact, string] {
  return isRequired
    ? ['major', `is new, and must be sent${where}`]
    : ['minor', `is new, and may be sent${where}`];
}

function renamed(before: string, after: string): string {
  return `is now called ${after}, and was ${before}: it is a name of the client`;
}

/** Parameters by what makes them the same one: in a path their position in it, elsewhere their name, in headers in any case. */
function parametersOf({ path, parameters }: Operation): Map<string, Parameter> {
  const places: readonly string[] = path.match(/\{[^}]*\}/g) ?? [];
  return new Map(
    parameters.map((parameter) => {
      const position = places.indexOf(`{${parameter.name}}`);
      return [parameter.in === 'path' ? `path ${position}` : parameterKey(parameter), parameter];
    }),
  );
}

function* compareParameters(pair: Pair, from: Operation, to: Operation): Iterable<Change> {
  for (const { before, after } of matched(parametersOf(from), parametersOf(to))) {
    if (!after) {
      yield presenceAt(pair, 'base', before.pointer, 'major', `may no longer be sent in the ${before.in}`);
    } else if (!before) {
      yield presenceAt(pair, 'revision', after.pointer, ...newInput(after.required, ` in the ${after.in}`));
    } else {
      if (before.name !== after.name)
        yield changeAt(pair, 'revision', after.pointer, 'major', renamed(before.name, after.name));
      yield* comparePresence(pair, 'request', after, before.required, after.required);
      const isList = [before, after].every(({ schema }) => schema.type === 'array');
      if (isList && before.explode !== after.explode) {
        const what = `${modification('explode', before.explode, after.explode)}: it is sent in another form`;
        yield changeAt(pair, 'revision', after.pointer, 'major', what);
      }
      const definition = (contract: Contract, { pointer }: Parameter) => ({
        value: contract.at(pointer),
        pointer,
      });
      const both = { before: definition(pair.base, before), after: definition(pair.revision, after) };
      yield* compareDefaults(pair, schemasOf(both), 'major');
      yield* compareSchemas(pair, 'request', schemasOf(both));
      yield* compareWords(pair, both, ['name', 'in', 'required', 'explode', 'style', 'schema']);
    }
  }
}

/** The schemas of two parameters, headers or media types. */
function schemasOf({ before, after }: Both): Both {
  const schema = ({ value, pointer }: Located): Located => {
    return { value: value.schema ?? {}, pointer: [...pointer, 'schema'] };
  };
  return { before: schema(before), after: schema(after) };
}

function* compareRequestBodies(pair: Pair, from: Operation, to: Operation): Iterable<Change> {
  const body = (contract: Contract, { definition, pointer }: Operation): Located => {
    return { value: contract.resolve(definition.requestBody), pointer: [...pointer, 'requestBody'] };
  };
  const [before, after] = [body(pair.base, from), body(pair.revision, to)];
  if (before.value && after.value) {
    yield* comparePresence(pair, 'request', after, isRequired(before), isRequired(after));
    yield* compareContent(pair, 'request', { before, after });
    yield* compareWords(pair, { before, after }, ['required', 'content']);
  } else if (before.value) {
    yield presenceAt(pair, 'base', before.pointer, 'major', 'may no longer be sent');
  } else if (after.value) {
    yield presenceAt(pair, 'revision', after.pointer, ...newInput(isRequired(after)));
  }
}

/** The fields of a body are parameters of the client's method, or else it is one as a whole: who calls writes either. */
function* compareInputOfClient(pair: Pair, before: Operation, after: Operation): Iterable<Change> {
  const [from, to] = [requestBodyOf(pair.base, before), requestBodyOf(pair.revision, after)];
  if (!from?.schema || !to?.schema || from.isFlat === to.isFlat) return;
  const what = to.isFlat
    ? 'stands beside the parameters in the client, and was passed as `body`'
    : 'is passed as `body` in the client, and its fields stood beside the parameters';
  const pointer = [...after.pointer, 'requestBody'];
  yield { ...changeAt(pair, 'revision', pointer, 'major', what), ofClient: true };
}

function* compareReplies(pair: Pair, from: Operation, to: Operation): Iterable<Change> {
  const byStatus = ({ responses }: Operation) => new Map(responses.map((each) => [each.status, each]));
  for (const { before, after } of matched(byStatus(from), byStatus(to))) {
    if (!after) {
      yield presenceAt(pair, 'base', before.pointer, 'major', 'is gone');
    } else if (!before) {
      yield presenceAt(pair, 'revision', after.pointer, 'minor', 'is new');
    } else {
      const replies = { before: located(before), after: located(after) };
      yield* compareHeaders(pair, replies, to.definition.deprecated === true);
      yield* compareContent(pair, 'reply', replies);
      yield* compareCodes(pair, replies);
      yield* compareWords(pair, replies, ['headers', 'content', CODES]);
    }
  }
}

const CODES = 'x-error-codes';

/** Callers must take new codes, and may count on the old ones. Where none were listed, nothing was said of them. */
function* compareCodes(pair: Pair, { before, after }: Both): Iterable<Change> {
  if (!before.value[CODES]) return;
  const [from, to]: [string[], string[]] = [before.value[CODES], after.value[CODES] ?? []];
  for (const code of from.filter((each) => !to.includes(each)))
    yield changeAt(pair, 'base', [...before.pointer, CODES], 'major', `no longer has the code ${code}`);
  for (const code of to.filter((each) => !from.includes(each)))
    yield changeAt(pair, 'revision', [...after.pointer, CODES], 'minor', `may have the new code ${code}`);
}

function* compareContent(pair: Pair, direction: Direction, bodies: Both): Iterable<Change> {
  const [lost, gained] =
    direction === 'request' ? ['is no longer taken as', 'may be sent as'] : ['no longer has', 'may have'];
  const content = ({ value }: Located) => entriesOf(value.content);
  for (const { name, before, after } of matched(content(bodies.before), content(bodies.after))) {
    const at = ({ pointer }: Located): Pointer => [...pointer, 'content', name];
    if (!after) yield changeAt(pair, 'base', at(bodies.before), 'major', `${lost} ${name}`);
    else if (!before) yield changeAt(pair, 'revision', at(bodies.after), 'minor', `${gained} ${name}`);
    else {
      const media = {
        before: { value: before, pointer: at(bodies.before) },
        after: { value: after, pointer: at(bodies.after) },
      };
      yield* compareSchemas(pair, direction, schemasOf(media));
      yield* compareWords(pair, media, ['schema']);
    }
  }
}

function* compareHeaders(pair: Pair, replies: Both, isDeprecated: boolean): Iterable<Change> {
  const headers = (contract: Contract, { value, pointer }: Located) =>
    new Map(
      Object.entries<Json>(value.headers ?? {}).map(([name, header]) => {
        const place: Pointer = [...pointer, 'headers', name];
        return [name.toLowerCase(), { name, value: contract.resolve(header), pointer: place }];
      }),
    );
  const [from, to] = [headers(pair.base, replies.before), headers(pair.revision, replies.after)];
  for (const { before, after } of matched(from, to)) {
    if (!after) {
      // Where nothing goes away any more, its notice does.
      const isNotice = headersOfDeprecation.some((name) => name === before.name) && !isDeprecated;
      const what = `no longer has the header ${before.name}`;
      yield changeAt(pair, 'base', replies.before.pointer, isNotice ? 'minor' : 'major', what);
    } else if (!before) {
      yield changeAt(pair, 'revision', replies.after.pointer, 'minor', `has the new header ${after.name}`);
    } else {
      yield* comparePresence(pair, 'reply', after, isRequired(before), isRequired(after));
      if (before.name !== after.name) {
        const what = renamed(before.name, after.name);
        yield { ...presenceAt(pair, 'revision', after.pointer, 'major', what), ofClient: true };
      }
      yield* compareSchemas(pair, 'reply', schemasOf({ before, after }));
      yield* compareWords(pair, { before, after }, ['required', 'schema']);
    }
  }
}
