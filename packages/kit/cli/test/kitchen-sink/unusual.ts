/* What unusual.yaml has, each in a row, as in rows.ts. */
import { post, tableOf } from './table.ts';
import type { Unusual } from './unusual/index.ts';
import type { Operations } from './unusual/operations.ts';

const page = { next: 2, of: 'é "✓"' } as const;
const png = new Uint8Array([137, 80, 78, 71]);

const row = tableOf<Unusual, Operations>('unusual.yaml', {
  getState: { status: 200, headers: { 'X-Page': page }, body: 'up' },
  headState: { status: 200, body: 'up' },
  setState: { status: 204 },
  addPerson: { status: 204 },
  setPerson: { status: 204 },
  addTeacher: { status: 200, body: { role: 'teacher' } },
  addAnimals: { status: 200, body: [] },
  findAnimals: { status: 204 },
  setAnimal: { status: 204 },
  addDog: { status: 200, body: { kind: 'dog' } },
  addMachine: { status: 200, body: { sort: 'Engine', fuel: 'Diesel', ignition: 3 } },
  addTwin: { status: 200, body: { name: 'Ada' } },
  listCounts: { status: 200, body: [{ of: 1 }] },
  constructor_: { status: 200, body: [{ toString: 'a', valueOf: 1 }, {}] },
  then_: { status: 200, body: {} },
  getNamed: { status: 200, headers: { hasOwnProperty: 1 }, body: { toString: 'a' } },
  addLists: { status: 204 },
  getPage: { status: 204 },
});

const json = (target: string, body: string) => post(target, 'application/json', body);
const urlencoded = (target: string, body: string, method?: string) =>
  post(target, 'application/x-www-form-urlencoded', body, method);
const multipart = (target: string, ...parts: [name: string, value: string][]) =>
  post(
    target,
    'multipart/form-data; boundary=x',
    parts.map((part) => `--x\r\nContent-Disposition: form-data; name=${part.join('\r\n\r\n')}\r\n`).join('') +
      '--x--\r\n',
  );
const list = (...parts: [name: string, value: string][]) => multipart('/lists', ...parts);
const invalid = (message: string) => [400, message] as const;
const ROLES = 'body/role must be equal to one of the allowed values: ';

export const rows = [
  row('JSON in headers of a response, as values', 'getState', {
    input: { id: 1 },
    answer: { status: 200, headers: { 'X-Page': page, 'X-Words': ['a, b', 'ü'] }, body: 'down' },
    headers: { 'X-Page': page, 'X-Words': ['a, b', 'ü'] },
    breaks: [
      // @ts-expect-error the page has a number
      { status: 200, headers: { 'X-Page': { next: '2' } }, body: 'up' },
      // @ts-expect-error it is required
      { status: 200, body: 'up' },
      // @ts-expect-error the text is one of two
      { status: 200, headers: { 'X-Page': page }, body: 'sideways' },
    ],
  }),
  row('a null among the values of a parameter', 'getState', {
    input: { id: 1, unit: null },
    sent: ['GET /states/1?unit='],
    received: { query: { unit: null } },
    headers: { 'X-Page': page },
    rejects: {
      'GET /states/1?unit=kg': invalid('unit must be equal to one of the allowed values: hr, it.'),
    },
  }),
  row('an error without a body', 'getState', {
    input: { id: 1 },
    answer: { status: 404 },
    fails: { name: 'ApiError', status: 404, code: '404', body: undefined },
    breaks: [
      // @ts-expect-error it has no body
      { status: 404, body: 'up' },
    ],
  }),
  row('an error without a body, by its range', 'getState', {
    input: { id: 1 },
    answer: { status: 507 },
    fails: { name: 'ApiError', status: 507, body: undefined },
  }),
  row('a text among errors that is one of few', 'getState', {
    input: { id: 1 },
    answer: { status: 409, body: 'busy' },
    fails: { name: 'ApiError', status: 409, body: 'busy' },
    breaks: [
      // @ts-expect-error it has one text
      { status: 409, body: 'idle' },
    ],
  }),
  row('a success of HEAD', 'headState', { input: { id: 1 }, data: undefined }),
  row('an error of HEAD, which has no body', 'headState', {
    input: { id: 1 },
    answer: { status: 404, body: 'no' },
    fails: { name: 'ApiError', status: 404, body: undefined },
  }),
  row('a text of a request that is one of few', 'setState', {
    input: { id: 1, body: 'down' },
    isNoTool: true,
    sent: [post('/states/1', 'text/plain', 'down', 'PUT')],
    received: { body: 'down' },
    rejects: { [post('/states/1', 'text/plain', 'off', 'PUT')]: 400 },
  }),
  row('fields of a form that only what extends its base has', 'addPerson', {
    input: { body: { role: 'pupil', grade: 3, marks: [{ subject: 'art', value: 2 }] } },
    sent: [
      multipart('/people', ['role', 'pupil'], ['grade', '3'], ['marks', '{"subject":"art","value":2}']),
      multipart('/people', ['role', 'pupil'], ['grade', '3'], ['marks', '[{"subject":"art","value":2}]']),
    ],
    received: { body: { role: 'pupil', grade: 3, marks: [{ subject: 'art', value: 2 }] } },
    rejects: {
      [multipart('/people', ['role', 'pupil'])]: invalid("body must have required property 'grade'."),
      [multipart('/people', ['role', 'pupil'], ['grade', 'first'])]: invalid('body/grade must be integer.'),
      [multipart('/people', ['role', 'cook'])]: invalid(`${ROLES}teacher, pupil, Head, Person.`),
    },
  }),
  row('a file of a form that only what extends its base has', 'addPerson', {
    input: { body: { role: 'teacher', photo: png, years: 3 } },
    sent: [
      multipart(
        '/people',
        ['role', 'teacher'],
        ['photo; filename=photo\r\nContent-Type: application/octet-stream', '\x89PNG'],
        ['years', '3'],
      ),
    ],
    received: {
      body: {
        role: 'teacher',
        photo: new File([png], 'photo', { type: 'application/octet-stream' }),
        years: 3,
      },
    },
  }),
  row('a form of a schema that extends a base', 'setPerson', {
    input: { body: { role: 'pupil', grade: 3, marks: [{ subject: 'art' }] } },
    sent: [urlencoded('/people', 'role=pupil&grade=3&marks=%5B%7B%22subject%22%3A%22art%22%7D%5D', 'PUT')],
    received: { body: { role: 'pupil', grade: 3, marks: [{ subject: 'art' }] } },
    rejects: {
      [urlencoded('/people', 'role=teacher&grade=3', 'PUT')]: invalid(`${ROLES}pupil.`),
    },
  }),
  row('the tags of a schema that extends a base: its own, and those of what extends it', 'addTeacher', {
    input: { body: { role: 'Head', years: 3, since: '2026' } },
    sent: [json('/teachers', '{"role":"Head","years":3,"since":"2026"}')],
    received: { body: { role: 'Head', years: 3, since: '2026' } },
    answer: { status: 200, body: { role: 'Head', since: '2026' } },
    rejects: {
      [json('/teachers', '{"role":"cook"}')]: invalid(`${ROLES}teacher, Head.`),
      [json('/teachers', '{"role":"pupil","grade":3}')]: invalid(`${ROLES}teacher, Head.`),
      [json('/teachers', '{"role":"Head","since":2026}')]: invalid('body/since must be string.'),
      [json('/teachers', '{"role":"teacher","years":"two"}')]: invalid('body/years must be integer.'),
    },
    breaks: [
      // @ts-expect-error no teacher has this tag
      { status: 200, body: { role: 'pupil' } },
    ],
  }),
  row('a base that lists what extends it', 'addAnimals', {
    input: { body: [{ kind: 'dog', barks: true, friend: { kind: 'cat', lives: 9 } }] },
    sent: [json('/animals', '[{"kind":"dog","barks":true,"friend":{"kind":"cat","lives":9}}]')],
    received: { body: [{ kind: 'dog', barks: true, friend: { kind: 'cat', lives: 9 } }] },
    answer: { status: 200, body: [{ kind: 'cat', name: 'Tom', lives: 9 }] },
    rejects: {
      [json('/animals', '[{"kind":"dog","barks":1}]')]: invalid('body/0/barks must be boolean.'),
      [json('/animals', '[{"kind":"cat"}]')]: invalid("body/0 must have required property 'lives'."),
      [json('/animals', '[{"kind":"dog","friend":{"kind":"cow"}}]')]: invalid(
        'body/0/friend/kind must be equal to one of the allowed values: dog, cat.',
      ),
      [json('/animals', '[{"kind":"Animal"}]')]: 400,
    },
    breaks: [
      // @ts-expect-error a cat has lives
      { status: 200, body: [{ kind: 'cat' }] },
    ],
  }),
  row('such a base, and what extends it, in parameters', 'findAnimals', {
    input: { like: { kind: 'dog', barks: true }, cat: { kind: 'cat', lives: 9 } },
    sent: ['GET /animals?like[kind]=dog&like[barks]=true&kind=cat&lives=9'],
    received: { query: { like: { kind: 'dog', barks: true }, cat: { kind: 'cat', lives: 9 } } },
    rejects: {
      'GET /animals?kind=cat&lives=9&fed[sort]=Engine&fed[fuel]=Diesel&fed[ignition]=x': invalid(
        'fed/ignition must be integer.',
      ),
      'GET /animals?like[kind]=cow&kind=cat&lives=9': invalid(
        'like/kind must be equal to one of the allowed values: dog, cat.',
      ),
      'GET /animals?kind=dog&lives=9': invalid('cat/kind must be equal to one of the allowed values: cat.'),
    },
  }),
  row('a base that does not list what extends it, in a parameter', 'findAnimals', {
    input: { cat: { kind: 'cat', lives: 9 }, fed: { sort: 'Engine', fuel: 'Diesel', ignition: 3 } },
    received: {
      query: { cat: { kind: 'cat', lives: 9 }, fed: { sort: 'Engine', fuel: 'Diesel', ignition: 3 } },
    },
  }),
  row('such a base in a form', 'setAnimal', {
    input: { body: { kind: 'cat', lives: 9 } },
    sent: [multipart('/animals', ['kind', 'cat'], ['lives', '9']).replace('POST', 'PUT')],
    received: { body: { kind: 'cat', lives: 9 } },
    rejects: {
      [multipart('/animals', ['kind', 'cat']).replace('POST', 'PUT')]: invalid(
        "body must have required property 'lives'.",
      ),
    },
  }),
  row('what extends a base that lists it', 'addDog', {
    input: { body: { kind: 'dog', name: 'Rex' } },
    received: { body: { kind: 'dog', name: 'Rex' } },
    rejects: {
      [json('/dogs', '{"kind":"cat","lives":9}')]: invalid(
        'body/kind must be equal to one of the allowed values: dog.',
      ),
      [json('/dogs', '{"kind":"dog","barks":1}')]: invalid('body/barks must be boolean.'),
      [json('/dogs', '{"name":"Rex"}')]: invalid("body must have required property 'kind'."),
    },
    breaks: [
      // @ts-expect-error it is the tag of another
      { status: 200, body: { kind: 'cat' } },
    ],
  }),
  row('a base that extends another', 'addMachine', {
    input: { body: { sort: 'Engine', fuel: 'Diesel', ignition: 3 } },
    received: { body: { sort: 'Engine', fuel: 'Diesel', ignition: 3 } },
    rejects: {
      [json('/machines', '{"sort":"Engine","fuel":"Diesel"}')]: invalid(
        "body must have required property 'ignition'.",
      ),
      [json('/machines', '{"sort":"Engine","fuel":"Coal"}')]: invalid(
        'body/fuel must be equal to one of the allowed values: Diesel, Engine.',
      ),
      [json('/machines', '{"sort":"Diesel","fuel":"Diesel","ignition":3}')]: invalid(
        'body/sort must be equal to one of the allowed values: Engine, Machine.',
      ),
    },
  }),
  row('other writings of JSON, which the client does not use', 'addTwin', {
    input: { name: 'Ada', older: true },
    sent: [json('/twins', '{"name":"Ada","older":true}'), urlencoded('/twins', 'name=Ada&older=true')],
    received: { body: { name: 'Ada', older: true } },
    // @ts-expect-error it is not XML
    refuses: { 'body is unknown': { body: '<twin><name>Ada</name></twin>' } },
  }),
  row('a type beside JSON that is not the same value', 'addTwin', {
    input: { name: 'Ada' },
    answer: { status: 200, headers: { 'Content-Type': 'text/csv' }, body: 'name\nAda\n' },
    data: 'name\nAda\n',
    isNoTool: true,
  }),
  row('names that every JavaScript object has', 'getNamed', {
    input: { constructor: 'a', toString: [1, 2], valueOf: 3 },
    sent: ['GET /named/a?toString=1&toString=2\nvalueOf: 3'],
    received: { path: { constructor: 'a' }, query: { toString: [1, 2] }, headers: { valueOf: 3 } },
    headers: { hasOwnProperty: 1 },
    rejects: {
      'GET /named/a?toString=1': invalid('valueOf is missing.'),
      'GET /named/a?hasOwnProperty=1\nvalueOf: 3': invalid(
        "Unknown query parameter 'hasOwnProperty', and 1 more violation.",
      ),
    },
  }),
  row('a default response that only describes a success', 'listCounts', {
    input: { above: 1 },
    received: { query: { above: 1 } },
    // No field of the contract can tell the reason.
    rejects: { 'GET /counts?above=x': [400, [{}]] },
    breaks: [
      // @ts-expect-error it is an integer
      { status: 200, body: [{ of: 'a' }] },
    ],
  }),
  row('optional parameters with names that every JavaScript object has', 'constructor_', {
    input: {},
    sent: ['GET /named'],
    received: { query: {}, headers: {}, cookies: {} },
    rejects: {
      'GET /named?hasOwnProperty=a': invalid("Unknown query parameter 'hasOwnProperty'."),
      'GET /named?constructor=a': invalid('constructor must be a 64-bit decimal integer.'),
      'GET /named?isPrototypeOf[valueOf]=a': invalid('isPrototypeOf/valueOf must be integer.'),
    },
  }),
  row('optional parameters and headers of responses with such names, all sent', 'constructor_', {
    input: {
      constructor: 1n,
      toString: ['a'],
      isPrototypeOf: { toString: 'b', length: 2 },
      valueOf: 'c',
      hasOwnProperty: 'd',
      then: 'e',
      length: 3,
    },
    received: {
      query: {
        constructor: 1n,
        toString: ['a'],
        isPrototypeOf: { toString: 'b', length: 2, constructor: 'none' },
        then: 'e',
        length: 3,
      },
      headers: { valueOf: 'c' },
      cookies: { hasOwnProperty: 'd' },
    },
    answer: { status: 200, headers: { constructor: 4, toString: 5 }, body: [] },
    headers: { constructor: 4, toString: 5 },
  }),
  row('fields with names that every JavaScript object has', 'then_', {
    input: {},
    sent: [json('/named', '{}'), urlencoded('/named', '')],
    received: { body: { constructor: 'none' } },
    rejects: {
      [json('/named', '{"toString":1}')]: invalid('body/toString must be string.'),
      [json('/named', '{"hasOwnProperty":1}')]: invalid(
        'body must NOT have additional properties (hasOwnProperty).',
      ),
    },
  }),
  row('such fields, all sent', 'then_', {
    input: { toString: 'a', valueOf: 1, constructor: 'b', then: 'c', length: 2 },
    sent: [urlencoded('/named', 'toString=a&valueOf=1&constructor=b&then=c&length=2')],
    received: { body: { toString: 'a', valueOf: 1, constructor: 'b', then: 'c', length: 2 } },
    answer: { status: 200, body: { toString: 'a', then: 'c' } },
  }),
  row('lists in a form, item by item', 'addLists', {
    input: {
      body: {
        marks: [{ subject: 'art' }, { subject: 'pe', value: 1 }],
        sizes: [1],
        words: ['[1]'],
        rows: [[1, 2]],
        either: { subject: 'art' },
      },
    },
    sent: [
      list(
        ['marks', '{"subject":"art"}'],
        ['marks; filename=blob', '{"subject":"pe","value":1}'],
        ['sizes', '1'],
        ['words', '[1]'],
        ['rows', '[1,2]'],
        ['either', '{"subject":"art"}'],
      ),
    ],
    received: {
      body: {
        marks: [{ subject: 'art' }, { subject: 'pe', value: 1 }],
        sizes: [1],
        words: ['[1]'],
        rows: [[1, 2]],
        either: { subject: 'art' },
      },
    },
    rejects: {
      [list(['marks', '[{'])]: invalid('marks must be JSON.'),
      [list(['marks', '{"subject":1}'])]: invalid('body/marks/0/subject must be string.'),
      [list(['sizes', 'a'])]: invalid('body/sizes/0 must be integer.'),
    },
  }),
  row('lists in a form, each as one part in JSON', 'addLists', {
    sent: [
      list(
        ['marks; filename=blob', '[{"subject":"art"}]'],
        ['sizes', ' [1,2]'],
        ['labels', '["a","b"]'],
        ['either', 'art'],
      ),
    ],
    received: {
      body: { marks: [{ subject: 'art' }], sizes: [1, 2], labels: ['a', 'b'], either: 'art' },
    },
  }),
  row('lists in a form that are empty or null', 'addLists', {
    sent: [list(['marks', '[]'], ['sizes', ''], ['labels', 'a'])],
    received: { body: { marks: [], sizes: null, labels: ['a'] } },
  }),
  row('two parameters in a segment', 'getPage', {
    input: { name: 'a', ext: 'tar.gz', page: 9007199254740993n },
    sent: ['GET /files/a.tar.gz/;page=9007199254740993'],
    received: { path: { name: 'a', ext: 'tar.gz', page: 9007199254740993n }, query: {}, cookies: {} },
    rejects: { 'GET /files/a.b/1': invalid('page must be written as ;page=value.') },
    refuses: {
      'name is missing': { name: '', ext: 'c', page: 1 },
      'name cannot be sent exactly': { name: 'a.b', ext: 'c', page: 1 },
      'page is not an exact 64-bit integer': { name: 'a', ext: 'c', page: '01' },
    },
  }),
  row('a parameter of another media type than JSON', 'getPage', {
    input: { name: 'a', ext: 'b', page: 1, note: '"a, b"' },
    sent: ['GET /files/a.b/;page=1?note=%22a,+b%22'],
    received: { query: { note: '"a, b"' } },
  }),
  row('objects in pipes, in brackets and in a cookie', 'getPage', {
    input: {
      ...{ name: 'a', ext: 'b', page: 1 },
      ...{ area: { from: 'a,b', to: 2 }, only: { from: 'a|b' }, view: { from: 'a;b=c', to: 3 } },
    },
    sent: ['GET /files/a.b/;page=1?area=from|a%2Cb|to|2&only[from]=a|b\nCookie: view=from=a%3Bb=c,to=3'],
    received: {
      query: { area: { from: 'a,b', to: 2 }, only: { from: 'a|b' } },
      cookies: { view: { from: 'a;b=c', to: 3 } },
    },
    refuses: {
      'area cannot be sent exactly': { name: 'a', ext: 'b', page: 1, area: { from: 'a|b' } },
      'only cannot be sent exactly': { name: 'a', ext: 'b', page: 1, only: {} },
      'view cannot be sent exactly': { name: 'a', ext: 'b', page: 1, view: {} },
    },
  }),
];
