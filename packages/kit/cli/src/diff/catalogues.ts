import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { serverName } from '@contract-kit/core/openapi';
import {
  serverAddress,
  basePathOf,
  componentIn,
  referencesFrom,
  referTo,
  type Operation,
} from '@contract-kit/core/model';
import {
  changeOf,
  child,
  describingChanges,
  entriesOf,
  isPastSunset,
  matched,
  matchedEntries,
  matchedOperations,
  modification,
  partAt,
  renamed,
  serversIn,
  type Change,
  type ComparedContract,
  type Impact,
  type Pair,
  type Part,
  type Side,
} from './change.ts';
import { compareValues } from './schemas.ts';

const QUOTAS = { perMinute: 'requests per minute', perDay: 'requests per day' } as const;

/** Customers pay for a plan: it must not shrink within a major version. Without plans nothing is limited. */
export function* comparePlans(pair: Pair): Iterable<Change> {
  const impact = pair.base.document['x-rate-limit-plans'] ? 'minor' : 'major';
  for (const { before, after } of matchedEntries(pair, ['x-rate-limit-plans'], 'plan ')) {
    if (!after) {
      yield changeOf(before, 'major', 'is gone');
    } else if (!before) {
      const quotas = Object.entries(QUOTAS).map(
        ([key, quota]) => `${String(child(after, [key]).value)} ${quota}`,
      );
      yield changeOf(after, impact, `is new: ${quotas.join(', ')}`);
    } else {
      for (const [key, quota] of Object.entries(QUOTAS)) {
        const [from, to] = [child(before, [key]).value, child(after, [key]).value];
        if (from === to) continue;
        // To or from `custom`, an agreed number is replaced by one that may be lower.
        const isNumeric = typeof from === 'number' && typeof to === 'number';
        const verb = isNumeric ? (to < from ? 'fall' : 'rise') : 'change';
        const meaning = verb === 'rise' ? 'minor' : 'major';
        yield changeOf(after, meaning, `${quota} ${verb} from ${String(from)} to ${String(to)}`, [key]);
      }
      yield* describingChanges(before, after, Object.keys(QUOTAS));
    }
  }
}

const CODES = 'x-error-codes';

/** Clients match code and status: both stay. New codes are allowed, because the list is open. */
export function* compareErrorCodes(pair: Pair): Iterable<Change> {
  for (const { name: code, before, after } of matchedEntries(pair, [CODES], 'error code ')) {
    if (!after) {
      const isUsedBy = ({ responses }: Operation) => responses.some(({ codes = [] }) => codes.includes(code));
      yield changeOf(before, impactOfLoss(pair, isUsedBy), 'is gone');
    } else if (!before) {
      yield changeOf(after, 'minor', `is new, with status ${String(statusOf(after))}`);
    } else {
      const [from, to] = [statusOf(before), statusOf(after)];
      if (from !== to)
        yield changeOf(after, 'major', `has status ${String(to)} instead of ${String(from)}`, ['status']);
      yield* describingChanges(before, after, ['status']);
    }
  }
}

const statusOf = (code: Part) => child(code, ['status']).value;

/** Code that uses the client names its types: they stay as long as an operation needs them. */
export function* compareSchemaNames(pair: Pair): Iterable<Change> {
  const used = pair.base.model.operations.flatMap((operation) => [...schemaNames(pair.base, operation)]);
  for (const { name, before, after } of matchedEntries(pair, ['components', 'schemas'], '')) {
    if (!before) {
      yield changeOf(after, 'patch', 'is a new type of the client');
    } else if (!after) {
      const impact = impactOfLoss(pair, (operation) => schemaNames(pair.base, operation).has(name));
      const what =
        impact === 'major' ? 'is gone: code that uses the client names it' : 'is gone with all that used it';
      yield changeOf(before, impact, what);
    } else if (!used.includes(name) && !isDeepStrictEqual(before.value, after.value)) {
      yield changeOf(after, 'patch', 'changes, and is in no request or response');
    }
  }
}

/** Parts used only by operations after their sunset may go with them. */
function impactOfLoss(pair: Pair, isUsedBy: (operation: Operation) => boolean): Impact {
  const users = matchedOperations(pair).filter(({ before }) => before && isUsedBy(before));
  const isFree = users.every(({ before, after }) => before && !after && isPastSunset(before, pair.today));
  return users.length > 0 && isFree ? 'minor' : 'major';
}

/** The names of the schemas that an operation refers to, directly or through others. */
function schemaNames(contract: ComparedContract, { definition, parameters }: Operation): Set<string> {
  const written = [definition, parameters.map(({ pointer }) => contract.valueAt(pointer))];
  const references = [...referencesFrom(contract.document, written)];
  return new Set(references.flatMap((reference) => componentIn('schemas', referTo(reference)) ?? []));
}

/** The server of a contract that lists none (OpenAPI 3.1 §4.8.1). */
const ROOT = { url: '/' };

/** Clients store the address of a server, except one on the local machine. */
export function* compareServers(pair: Pair): Iterable<Change> {
  const byAddress = (side: Side) =>
    new Map(
      serversIn(pair[side]).map((server, index) => {
        const address = new URL(serverAddress(server), 'http://localhost').href.replace(/\/$/, '');
        return [address, partAt(pair, side, ['servers', index], `server ${address}`)];
      }),
    );
  const [from, to] = [pair.base, pair.revision].map((contract) => basePathOf(serversIn(contract)[0] ?? ROOT));
  if (from !== to) {
    const server = partAt(pair, 'revision', ['servers', 0], 'the base path');
    const what = `is ${to || '/'}, and was ${from || '/'}: every path begins with it`;
    yield changeOf(server, 'major', what, ['url']);
  }
  for (const { name: address, before, after } of matched(byAddress('base'), byAddress('revision'))) {
    const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(address);
    if (!after) {
      yield changeOf(before, isLocal ? 'patch' : 'major', 'is gone', ['url']);
    } else if (!before) {
      yield changeOf(after, isLocal ? 'patch' : 'minor', 'is new', ['url']);
    } else {
      const [from, to] = [serverName(before.value), serverName(after.value)];
      if (from !== to) yield renamed(after, from, to);
      yield* compareVariables(before, after);
      yield* describingChanges(before, after, ['name', 'variables', ...(from === to ? [] : ['description'])]);
    }
  }
}

/** Each value of a variable is another address. */
function* compareVariables(from: Part, to: Part): Iterable<Change> {
  const named = (part: Part) => entriesOf(part, 'variables', 'variable');
  for (const { before, after } of matched(named(from), named(to))) {
    if (!after) {
      yield changeOf(before, 'major', 'is gone');
    } else if (!before) {
      yield changeOf(after, 'minor', 'is new');
    } else {
      const [was, is] = [child(before, ['enum']).value, child(after, ['enum']).value];
      const change = (impact: Impact, what: string) => changeOf(after, impact, what, ['enum']);
      if (was && is) yield* compareValues([was].flat(), [is].flat(), change, 'value');
      else if (was ?? is) yield change(is ? 'major' : 'minor', modification('enum', was, is));
      yield* describingChanges(before, after, ['enum']);
    }
  }
}

/** A tag in the words of OpenAPI 3.2, for what extensions said before. */
function inNewest({ 'x-parent': parent, 'x-displayName': summary, ...tag }: JsonObject): JsonObject {
  return { ...(parent ? { parent } : {}), ...(summary ? { summary } : {}), ...tag };
}

/** The version of OpenAPI, and the address of the document, mean nothing to callers. */
const COMPARED = [
  'openapi',
  '$self',
  'tags',
  'info',
  'servers',
  'security',
  'paths',
  'components',
  'x-rate-limit-plans',
  CODES,
];

export function* compareDescription(pair: Pair): Iterable<Change> {
  const at = (side: Side, ...pointer: string[]) => partAt(pair, side, pointer, 'the description of the API');
  yield* describingChanges(at('base'), at('revision'), COMPARED);
  const tags = (side: Side): Part => {
    const { tags } = pair[side].document;
    return { ...at(side), value: { tags: tags && [tags].flat().filter(isObject).map(inNewest) } };
  };
  yield* describingChanges(tags('base'), tags('revision'), []);
  yield* describingChanges(at('base', 'info'), at('revision', 'info'), ['version']);
}
