import { parameterKey } from '@petstore/contract/described-operation';
import { has, is, isInherited, named, on, where } from '../row.ts';

const TEMPLATE = /^(\/(?!\.{1,2}(\/|$))([\w.~-]+|\{[^{}/]+\}))+$/;
const shapeOf = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');

/** Whether some requests match both paths, and neither of them is the more literal one. */
function isAmbiguous(one: string, other: string): boolean {
  const [segments, others] = [one, other].map((path) => shapeOf(path).split('/')) as [string[], string[]];
  const isFree = (segment?: string) => segment === '{}';
  const overlap = segments.every((each, at) => isFree(each) || isFree(others[at]) || each === others[at]);
  const wider = (from: string[], to: string[]) => from.some((each, at) => isFree(each) && !isFree(to[at]));
  return segments.length === others.length && overlap && wider(segments, others) && wider(others, segments);
}

/** Whether a path clashes with one that stands before it. */
const clashing = (clash: (path: string, other: string) => boolean) =>
  named((path, _value, { value: paths }) => {
    const names = Object.keys(paths);
    return names.slice(0, names.indexOf(path)).some((other) => clash(path, other));
  });

/** Looked at before all else, because the rest is read in the words of 3.1. */
export const otherVersions = on('Document').refused(
  'OpenAPI 3.0, 3.2 and Swagger 2.0',
  (document) =>
    /^3\.1\.\d+$/.test(document.openapi) ? [] : [['swagger' in document ? 'swagger' : 'openapi']],
  'openapi: 3.0.3 # here',
  'write openapi: 3.1.0, and the document in its words',
);

export const documentFeatures = [
  on('Document').works('OpenAPI 3.1', has('openapi')),
  otherVersions,
  on('Info').works('`info`: title, summary, description, contact, license, terms of service', has('contact')),
  on('Server').works(
    'servers with an absolute address',
    has('url'),
    'the first word of the description is the name of the server in the client',
  ),
  on('Server').refused(
    'relative server addresses, and those with variables',
    where(({ url }) => !/^https?:\/\/[^?#{}]+$/.test(url) || !URL.canParse(url), 'url'),
    'url: /v1 # here\ndescription: Production',
    'write the whole address, such as https://api.petstore.example/v1',
  ),
  on('Tag').works('tags, with description and external documentation', has('name')),
  on('ExternalDocs').works('`externalDocs`', has('url'), 'shown on the page'),
];

export const pathFeatures = [
  on('Paths').works(
    'paths with parameters, several of them too',
    named((path) => path.includes('}/')),
  ),
  on('Paths').works(
    'a literal path beside one with a parameter',
    named((path, _value, { value: paths }) =>
      Object.keys(paths).some(
        (other) => other !== path && new RegExp(`^${other.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path),
      ),
    ),
    'the literal one is tried first',
  ),
  on('Paths').refused(
    'part of a segment as a parameter, a slash at the end, dot segments, and characters that URLs escape',
    named((path) => !TEMPLATE.test(path) && !path.startsWith('x-')),
    '/orders/{orderId}.json: {} # here',
    'write /letters, digits, - . _ ~ or one {parameter} between two slashes',
  ),
  on('Paths').refused(
    'extensions among the paths',
    named((path) => path.startsWith('x-')),
    'x-owner: { name: orders-team } # here',
    'write it into the document, a path item or an operation',
  ),
  on('Paths').refused(
    'two paths that differ in the names of their parameters only',
    clashing((path, other) => shapeOf(other) === shapeOf(path)),
    '/orders/{orderId}: {}\n/orders/{id}: {} # here',
    'write one path: both would match the same requests',
  ),
  on('Paths').works(
    'two paths that match the same requests, neither of them more literal (`/shops/{id}/new`, `/shops/all/{name}`)',
    clashing((path, other) => isAmbiguous(other, path)),
    'the one whose literal segment comes first is tried first: `/shops/all/new` is the second',
  ),
  on('Paths').works(
    'path items by `$ref`',
    named((_path, item) => item.$ref),
  ),
  on('PathItem').works(
    'parameters of a path item',
    has('parameters'),
    'they belong to each of its operations',
  ),
  on('PathItem').works(
    'a parameter of an operation in place of one of its path item',
    (item, _place, contract) => {
      const key = (each: unknown) => parameterKey(contract.resolve(each));
      const shared: string[] = (item.parameters ?? []).map(key);
      return Object.entries<{ parameters?: unknown[] }>(item).flatMap(([method, operation]) =>
        (Array.isArray(operation?.parameters) ? operation.parameters : []).flatMap((each, index) =>
          shared.includes(key(each)) ? [[method, 'parameters', index]] : [],
        ),
      );
    },
  ),
  on('PathItem').works(
    'GET, POST, PUT, PATCH and DELETE',
    has('get', 'post', 'put', 'patch', 'delete'),
    'HEAD is answered as GET without a body, OPTIONS with Allow',
  ),
  on('PathItem').refused(
    'HEAD, OPTIONS and TRACE',
    has('head', 'options', 'trace'),
    'head: { operationId: example, responses: {} } # here',
    'leave it out: HEAD and OPTIONS are answered by the server, TRACE by nobody',
  ),
  on('Operation').works(
    '`operationId`',
    has('operationId'),
    'the name of handler, client method and page anchor',
  ),
  on('Operation').refused(
    'an operationId that every object of JavaScript has',
    where(({ operationId }) => operationId === 'then' || isInherited(operationId), 'operationId'),
    'operationId: toString # here',
    'choose another name',
  ),
  on('Operation').works('`summary` and `description`', has('summary')),
  on('Operation').works('`tags` of an operation', has('tags')),
  on('Operation').works(
    '`deprecated` operations, with `x-deprecated-since` and `x-deprecated-sunset`',
    is('deprecated', true),
    'both dates are needed; replies carry Deprecation, Sunset and Link',
  ),
  on('Operation').refused(
    '`x-internal: true`',
    is('x-internal', true),
    'operationId: example\nresponses: {}\nx-internal: true # here',
    'leave the operation out: every operation of the contract is published',
  ),
  on('Operation').works('`x-stability: experimental` or `beta`', has('x-stability')),
  on('Operation').works('`x-hideTryItPanel: true`', has('x-hideTryItPanel')),
  on('Operation').works(
    'other extensions',
    named((name) => /^x-(?!internal|stability|hideTry|deprecated)/.test(name)),
    'free, unless their name is nearly one of ours',
  ),
];
