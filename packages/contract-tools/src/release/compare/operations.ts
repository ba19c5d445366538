import { headersOfDeprecation } from '@petstore/contract/pipeline-headers';
import type { Contract, Json, Pointer } from '../../contract.ts';
import type { Operation, Parameter, Response } from '../../operations.ts';
import { requestBodyOf } from '../../request-body.ts';
import {
  changeAt,
  isPastSunset,
  nameOf,
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
import {
  compareDefaults,
  comparePresence,
  compareSchemas,
  type Compared,
  type Direction,
} from './schemas.ts';
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

  const compared: Compared = new Set();
  for (const { before, after } of sharedOperations(pair)) {
    if (before.id !== after.id) {
      const what = `${modification('operationId', before.id, after.id)}: it is the name of the client's method`;
      yield changeAt(pair, 'revision', [...after.pointer, 'operationId'], 'major', what);
    }
    yield* compareParameters(pair, before, after, compared);
    yield* compareRequestBodies(pair, before, after, compared);
    yield* compareInputOfClient(pair, before, after);
    yield* compareReplies(pair, before, after, compared);
    yield* compareWords(pair, both(before, after), COMPARED);
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

function both(before: Operation | Response, after: Operation | Response): Both {
  return {
    before: { value: before.definition, pointer: before.pointer },
    after: { value: after.definition, pointer: after.pointer },
  };
}

/** Parameters by what makes them the same one: in a path their position in it, elsewhere their name, in headers in any case. */
function parametersOf({ path, parameters }: Operation): Map<string, Parameter> {
  const places: readonly string[] = path.match(/\{[^}]*\}/g) ?? [];
  return new Map(
    parameters.map((parameter) => {
      const { in: place, name } = parameter;
      const keys = {
        path: places.indexOf(`{${name}}`),
        header: name.toLowerCase(),
        query: name,
        cookie: name,
      };
      return [`${place} ${keys[place]}`, parameter];
    }),
  );
}

function* compareParameters(
  pair: Pair,
  operationBefore: Operation,
  operationAfter: Operation,
  compared: Compared,
): Iterable<Change> {
  const [before, after] = [operationBefore, operationAfter].map(parametersOf) as [
    Map<string, Parameter>,
    Map<string, Parameter>,
  ];
  for (const [key, from] of before) {
    const to = after.get(key);
    if (!to) {
      yield presenceAt(pair, 'base', from.pointer, 'major', `may no longer be sent in the ${from.in}`);
      continue;
    }
    if (from.name !== to.name) {
      const what = `is now called ${to.name}, and was ${from.name}: it is a name of the client`;
      yield changeAt(pair, 'revision', to.pointer, 'major', what);
    }
    yield* comparePresence(pair, 'request', to, from.required, to.required);
    const isList = [from, to].every(({ schema }) => schema.type === 'array');
    if (isList && from.explode !== to.explode) {
      const what = `${modification('explode', from.explode, to.explode)}: it is sent in another form`;
      yield changeAt(pair, 'revision', to.pointer, 'major', what);
    }
    const definitions = { before: definitionAt(pair.base, from), after: definitionAt(pair.revision, to) };
    const schemas = schemasOf(definitions);
    yield* compareDefaults(pair, schemas, 'major');
    yield* compareSchemas(pair, 'request', schemas, compared);
    yield* compareWords(pair, definitions, ['name', 'in', 'required', 'explode', 'style', 'schema']);
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue;
    const [impact, must] = parameter.required ? (['major', 'must'] as const) : (['minor', 'may'] as const);
    const what = `is new, and ${must} be sent in the ${parameter.in}`;
    yield presenceAt(pair, 'revision', parameter.pointer, impact, what);
  }
}

function definitionAt(contract: Contract, { pointer }: Parameter): Located {
  return { value: contract.at(pointer), pointer };
}

/** The schemas of two parameters, headers or media types. */
function schemasOf({ before, after }: Both): Both {
  const schema = ({ value, pointer }: Located): Located => {
    return { value: value.schema ?? {}, pointer: [...pointer, 'schema'] };
  };
  return { before: schema(before), after: schema(after) };
}

function* compareRequestBodies(
  pair: Pair,
  { definition: from, pointer: pointerBefore }: Operation,
  { definition: to, pointer: pointerAfter }: Operation,
  compared: Compared,
): Iterable<Change> {
  const [before, after] = [pair.base.resolve(from.requestBody), pair.revision.resolve(to.requestBody)];
  const bodies = {
    before: { value: before, pointer: [...pointerBefore, 'requestBody'] },
    after: { value: after, pointer: [...pointerAfter, 'requestBody'] },
  };
  if (before && after) {
    yield* comparePresence(pair, 'request', bodies.after, before.required === true, after.required === true);
    yield* compareContent(pair, 'request', bodies, compared);
    yield* compareWords(pair, bodies, ['required', 'content']);
  } else if (before) {
    yield presenceAt(pair, 'base', bodies.before.pointer, 'major', 'may no longer be sent');
  } else if (after) {
    const [impact, must] = after.required ? (['major', 'must'] as const) : (['minor', 'may'] as const);
    yield presenceAt(pair, 'revision', bodies.after.pointer, impact, `is new, and ${must} be sent`);
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

function* compareReplies(
  pair: Pair,
  { responses: before }: Operation,
  { responses: after, definition }: Operation,
  compared: Compared,
): Iterable<Change> {
  for (const response of before) {
    const now = after.find(({ status }) => status === response.status);
    if (!now) {
      yield presenceAt(pair, 'base', response.pointer, 'major', 'is gone');
      continue;
    }
    const replies = both(response, now);
    yield* compareHeaders(pair, replies, definition.deprecated === true, compared);
    yield* compareContent(pair, 'reply', replies, compared);
    yield* compareCodes(pair, replies);
    yield* compareWords(pair, replies, ['headers', 'content', CODES]);
  }
  for (const response of after) {
    if (before.some(({ status }) => status === response.status)) continue;
    yield presenceAt(pair, 'revision', response.pointer, 'minor', 'is new');
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

function* compareContent(
  pair: Pair,
  direction: Direction,
  bodies: Both,
  compared: Compared,
): Iterable<Change> {
  const content = ({ value, pointer }: Located) =>
    new Map(
      Object.entries<Json>(value.content ?? {}).map(([type, media]) => {
        return [type, { value: media, pointer: [...pointer, 'content', type] as Pointer }];
      }),
    );
  const [before, after] = [content(bodies.before), content(bodies.after)];
  const [lost, gained] =
    direction === 'request' ? ['is no longer taken as', 'may be sent as'] : ['no longer has', 'may have'];
  for (const [type, from] of before) {
    const to = after.get(type);
    if (to) {
      const media = { before: from, after: to };
      yield* compareSchemas(pair, direction, schemasOf(media), compared);
      yield* compareWords(pair, media, ['schema']);
    } else yield changeAt(pair, 'base', from.pointer, 'major', `${lost} ${type}`);
  }
  for (const [type, { pointer }] of after)
    if (!before.has(type)) yield changeAt(pair, 'revision', pointer, 'minor', `${gained} ${type}`);
}

function* compareHeaders(
  pair: Pair,
  replies: Both,
  isDeprecated: boolean,
  compared: Compared,
): Iterable<Change> {
  const headers = (contract: Contract, { value, pointer }: Located) =>
    new Map(
      Object.entries<Json>(value.headers ?? {}).map(([name, header]) => {
        const place: Pointer = [...pointer, 'headers', name];
        return [name.toLowerCase(), { name, value: contract.resolve(header), pointer: place }];
      }),
    );
  const before = headers(pair.base, replies.before);
  const after = headers(pair.revision, replies.after);
  for (const [key, from] of before) {
    const to = after.get(key);
    if (to) {
      yield* comparePresence(pair, 'reply', to, from.value.required === true, to.value.required === true);
      if (from.name !== to.name) {
        const what = `is now called ${to.name}, and was ${from.name}: it is a name of the client`;
        yield { ...presenceAt(pair, 'revision', to.pointer, 'major', what), ofClient: true };
      }
      const pairOfHeaders = { before: from, after: to };
      yield* compareSchemas(pair, 'reply', schemasOf(pairOfHeaders), compared);
      yield* compareWords(pair, pairOfHeaders, ['required', 'schema']);
      continue;
    }
    // Where nothing goes away any more, its notice does.
    const isNotice = headersOfDeprecation.some((name) => name === from.name) && !isDeprecated;
    const what = `no longer has the header ${from.name}`;
    yield changeAt(pair, 'base', replies.before.pointer, isNotice ? 'minor' : 'major', what);
  }
  for (const [key, { name }] of after) {
    if (before.has(key)) continue;
    yield changeAt(pair, 'revision', replies.after.pointer, 'minor', `has the new header ${name}`);
  }
}
