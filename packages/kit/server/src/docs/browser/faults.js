/*
 * What the body of an error says of the fields of a form. Contracts have errors of their own shape, so this looks for what
 * most of them have: an object with a text and the place that it is about, or a map from places to texts; otherwise, a text
 * that begins with the name of a field.
 */

const TEXTS = [/mess|^msg$/i, /detail|desc|reason/i, /err|text|title|problem/i, /^code$/i];
/** Keys of what is a place, even if nothing else says so. */
const PLACES =
  /^(field|pointer|path|loc|location|(instance|data)path|property\w*|attribute|param\w*|header)$/i;
/** First steps that say where a field is. */
const PARTS = {
  ...{ query: 'query', querystring: 'query', path: 'path', params: '', param: '', parameters: '' },
  ...{ header: 'header', headers: 'header', cookie: 'cookie', cookies: 'cookie' },
  ...{ body: 'body', form: 'body', formdata: 'body', request: '', requestbody: 'body' },
};

/**
 * The faults that `error` names. `fields` are the parameters and fields of the form, with `name` and `in`; `names` those that
 * a JSON body has or may have, undefined if there is none. The `field` of a fault is one of `fields`; undefined for the body.
 */
export function faultsIn(error, fields, names) {
  const targetOf = (place, isCertain) => targetIn(place, fields, names, isCertain);
  const found = [];
  const add = (target, message) => {
    const { field, pointer } = target;
    const text = pointer ? `${pointer}: ${message}` : message;
    if (!found.some((other) => other.field === field && other.message === text))
      found.push({ field, message: text });
  };
  const search = (value, isRoot) => {
    if (Object(value) !== value) return;
    const entries = Object.entries(value);
    if (!Array.isArray(value)) {
      const message = textIn(value);
      const target = message && placeIn(value, message, targetOf, isRoot);
      if (target) return void add(target, message);
      const texts = entries.map(([key, item]) => [targetOf(key), textOf(item), item]);
      // A text alone may be a message that has the name of a field by chance.
      const isMap = !isRoot && texts.every(([of, text]) => of && text);
      const isTold = (item) =>
        Array.isArray(item) ? item.every((text) => Object(text) !== text) : item?._errors;
      const told = texts.filter(([of, text, item]) => of && text && (isMap || isTold(item)));
      for (const [of, text] of told) add(of, text);
      if (told.length > 0) return;
    }
    for (const [, item] of entries) search(item, false);
  };
  search(error, true);
  if (found.length === 0) for (const text of textsIn(error)) begins(text, targetOf, add);
  return found;
}

/** A message that begins with a place: "limit must be …", "body/lines/0 must be …". */
function begins(text, targetOf, add) {
  const [, word] = /^\W{0,2}?((?:#?\/|\$\.)?[\w$[\]./-]*[\w\]])["'`]?(?=[\s:,])/.exec(text) ?? [];
  const target = word && targetOf(word.replace(/:$/, ''));
  if (target) add({ field: target.field }, text);
}

/** Where the text of an object belongs. */
function placeIn(value, message, targetOf, isRoot) {
  const { in: part, location = part, pointer } = value;
  const within = typeof location === 'string' ? partNamed(location) : undefined;
  const candidates = Object.entries(value)
    .filter(([key, item]) => item !== message && !(within !== undefined && /^(in|location)$/.test(key)))
    .flatMap(([key, item]) =>
      /^(source|loc\w*)$/i.test(key) && !Array.isArray(item) && Object(item) === item
        ? Object.entries(item)
        : [[key, item]],
    )
    .filter(([, item]) => isPlace(item))
    .sort(([a], [b]) => PLACES.test(b) - PLACES.test(a));
  const targets = candidates.flatMap(
    ([, item]) => targetOf(within ? [within, ...stepsOf(item)] : item) ?? [],
  );
  const others = candidates.flatMap(([key, item]) => targetOf(item, !isRoot && PLACES.test(key)) ?? []);
  const [target = within === 'body' ? targetOf('body', true) : undefined] = [
    ...targets.filter(({ field }) => field),
    ...targets,
    ...others,
  ];
  const isInside = target?.field && typeof pointer === 'string' && pointer.startsWith('/');
  return isInside && !target.pointer && stepsOf(pointer).at(-1) !== target.field.name
    ? { ...target, pointer }
    : target;
}

const isPlace = (item) =>
  typeof item === 'string'
    ? /^\S+$/.test(item)
    : Array.isArray(item) && item.length > 0 && item.every((step) => /^(string|number)$/.test(typeof step));

/** The field that a place names: `limit`, `query.limit`, `["query", "limit"]`, `/limit`, `#/lines/0`, `$.lines[0]`. */
function targetIn(place, fields, names, isCertain) {
  if (!isPlace(place)) return undefined;
  const named = (name, part) =>
    [(a, b) => a === b, (a, b) => a.toLowerCase() === b.toLowerCase()]
      .map((same) => fields.find((field) => same(field.name, name) && (!part || partOf(field) === part)))
      .find(Boolean);
  const whole = typeof place === 'string' && named(place);
  if (whole) return { field: whole };
  const steps = stepsOf(place);
  const part = partNamed(steps[0] ?? '');
  const rest = part === undefined ? steps : steps.slice(1);
  const pointer = (inner) =>
    inner.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const field = rest.length > 0 && named(rest[0], part);
  if (field) return { field, pointer: pointer(rest.slice(1)) };
  const last = rest.at(-1);
  const isPointer = Array.isArray(place) || /^#?\//.test(place);
  const isBody = names && (part === 'body' || isCertain || names.some((name) => name === rest[0]));
  if (isBody) return { pointer: pointer(rest) };
  return isPointer && rest.length > 1 && named(last, 'body') ? { field: named(last, 'body') } : undefined;
}

const partNamed = (text) => new Map(Object.entries(PARTS)).get(text.toLowerCase());
const partOf = ({ in: place }) => (place === 'form' ? 'body' : place);

function stepsOf(place) {
  if (Array.isArray(place)) return place.map(String);
  if (/^#?\//.test(place))
    return place
      .replace(/^#?\//, '')
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return place
    .replace(/^\$\.?/, '')
    .split(/[./[\]]+/)
    .filter(Boolean);
}

/** The text of an object that says what is wrong. */
function textIn(value) {
  const entries = Object.entries(value);
  for (const kind of TEXTS) {
    const text = entries.find(
      ([key, item]) => kind.test(key) && typeof item === 'string' && item !== '',
    )?.[1];
    if (text) return text;
  }
  return undefined;
}

/** A text, a list of texts, or an object with one of these. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const texts = value.map(textOf);
    return texts.length > 0 && texts.every(Boolean) ? texts.join(' ') : undefined;
  }
  if (Object(value) !== value) return undefined;
  return textIn(value) ?? textOf(Object.entries(value).find(([key]) => /err/i.test(key))?.[1]);
}

function textsIn(value) {
  if (typeof value === 'string') return [value];
  return Object(value) === value ? Object.values(value).flatMap(textsIn) : [];
}
