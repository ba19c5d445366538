import { ContractError, type Contract, type Json, type Pointer, type Problem } from '../contract.ts';
import { operationsOf } from '../operations.ts';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Refuses what nothing sensible can be generated from. Throws a ContractError that names every mistake found. */
export function checkContract(contract: Contract): void {
  // The other checks follow references, so those come first.
  const dangling = [...checkReferences(contract, contract.document)];
  if (dangling.length > 0) throw new ContractError(dangling);
  const problems = [
    ...checkOperations(contract),
    ...checkServers(contract),
    ...checkPlans(contract),
    ...checkErrorCodes(contract),
  ];
  if (problems.length > 0) throw new ContractError(problems);
}

function* checkReferences(contract: Contract, node: Json, pointer: Pointer = []): Iterable<Problem> {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.$ref === 'string' && contract.resolve(node) === undefined) {
    yield contract.problemAt([...pointer, '$ref'], `${node.$ref} refers to nothing`);
  }
  for (const [key, child] of Object.entries(node)) {
    yield* checkReferences(contract, child, [...pointer, Array.isArray(node) ? Number(key) : key]);
  }
}

function* checkOperations(contract: Contract): Iterable<Problem> {
  const seen = new Map<string, string>();
  const operations = operationsOf(contract);
  if (operations.length === 0) yield contract.problemAt(['paths'], 'the contract has no operations');
  for (const { id, method, path, pointer, definition, parameters, responses } of operations) {
    const name = `${method.toUpperCase()} ${path}`;
    if (typeof id !== 'string' || !IDENTIFIER.test(id)) {
      yield contract.problemAt(
        [...pointer, 'operationId'],
        `${name} needs an operationId that is an identifier, such as listOrders`,
      );
    } else if (seen.has(id)) {
      yield contract.problemAt(
        [...pointer, 'operationId'],
        `operationId ${id} is already taken by ${seen.get(id)}`,
      );
    } else {
      seen.set(id, name);
    }
    if (responses.length === 0) yield contract.problemAt(pointer, `${name} declares no responses`);
    for (const { status, pointer: place } of responses) {
      if (!/^[1-5]\d\d$/.test(status)) {
        yield contract.problemAt(place, `${name}: response ${status} must be a status code such as "200"`);
      }
    }
    const declared = parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name);
    const templated = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
    for (const parameter of templated.filter((each) => !declared.includes(each))) {
      yield contract.problemAt(pointer, `${name}: the path parameter ${parameter} is not declared`);
    }
    for (const parameter of parameters) {
      if (parameter.in === 'path' && !templated.includes(parameter.name)) {
        yield contract.problemAt(parameter.pointer, `${name}: ${parameter.name} is not in the path`);
      }
    }
    if (definition.deprecated === true) {
      for (const key of ['x-deprecated-since', 'x-deprecated-sunset']) {
        if (!DATE.test(definition[key] ?? '')) {
          yield contract.problemAt([...pointer, key], `${name} is deprecated and needs ${key}: "YYYY-MM-DD"`);
        }
      }
    }
  }
}

function* checkServers(contract: Contract): Iterable<Problem> {
  const servers: Json[] = contract.document.servers ?? [];
  const major = String(contract.document.info?.version ?? '').split('.')[0];
  if (servers.length === 0) yield contract.problemAt(['servers'], 'the contract needs at least one server');
  for (const [index, server] of servers.entries()) {
    if (!new RegExp(`/v${major}$`).test(server.url ?? '')) {
      yield contract.problemAt(
        ['servers', index, 'url'],
        `the server's path must end in /v${major}, the major version of info.version`,
      );
    }
  }
}

function* checkPlans(contract: Contract): Iterable<Problem> {
  const plans: Record<string, Json> = contract.document['x-rate-limit-plans'] ?? {};
  if (Object.keys(plans).length === 0)
    yield contract.problemAt(['x-rate-limit-plans'], 'x-rate-limit-plans is missing');
  if (!Number.isInteger(plans.free?.perMinute)) {
    yield contract.problemAt(
      ['x-rate-limit-plans', 'free'],
      'the plan `free` also limits requests without a key',
    );
  }
  for (const [id, plan] of Object.entries(plans)) {
    for (const key of ['perMinute', 'perDay']) {
      if (plan[key] !== 'custom' && !(Number.isInteger(plan[key]) && plan[key] > 0)) {
        yield contract.problemAt(
          ['x-rate-limit-plans', id, key],
          `${key} must be a whole number above 0, or custom`,
        );
      }
    }
    if ((plan.perMinute === 'custom') !== (plan.perDay === 'custom')) {
      yield contract.problemAt(
        ['x-rate-limit-plans', id],
        'perMinute and perDay must both be custom, or neither',
      );
    }
  }
}

function* checkErrorCodes(contract: Contract): Iterable<Problem> {
  const codes: Record<string, Json> = contract.document['x-error-codes'] ?? {};
  const place = ['components', 'schemas', 'Error', 'properties', 'code', 'x-extensible-enum'];
  const listed: string[] =
    contract.document.components?.schemas?.Error?.properties?.code?.['x-extensible-enum'] ?? [];
  for (const [code, { status, description }] of Object.entries<Json>(codes)) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      yield contract.problemAt(['x-error-codes', code, 'status'], `${code} needs a status from 400 to 599`);
    }
    if (typeof description !== 'string') {
      yield contract.problemAt(['x-error-codes', code], `${code} needs a description`);
    }
  }
  if (listed.join() !== Object.keys(codes).join()) {
    yield contract.problemAt(place, 'x-extensible-enum follows from x-error-codes: leave it out');
  }
}
