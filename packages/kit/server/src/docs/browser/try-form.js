/* global File, FormData, URLSearchParams */
import { mistakeIn, parsed, showCode } from './code.js';
import { all } from './elements.js';
import { clearFault, Fault } from './fields.js';
import { samplesFor, styledForm, written, writtenText } from './samples.js';

/* What the form of a panel describes. */

/** The part of the form for the chosen media type of the body. */
export const bodyOf = (form) => all('[data-sent]:enabled', form)[0];

/** The fields of parameters, and of the form that is the body. */
export const fieldsOf = (form) =>
  all('[data-parameter]', form).filter((field) => !field.matches('[data-sent]:disabled *'));

/**
 * The request that the form describes; throws a Fault. For a sample, files are names, secrets and empty required fields have
 * examples.
 */
export function requestOf(form, forSample) {
  const parameters = fieldsOf(form).flatMap((field) => {
    const { example, isShown, isSecret, ...parameter } = JSON.parse(field.dataset.parameter);
    const shown = forSample && (isShown || (isSecret && field.value)) ? example : '';
    const entered = forSample && isSecret ? '' : enteredIn(field, parameter);
    const value = entered === undefined || entered === '' ? enteredText(shown, parameter) : entered;
    if (value === undefined) return [];
    return [{ ...parameter, isSecret, value: forSample && parameter.isFile ? namesIn(value) : value }];
  });
  const { base, server } = document.body.dataset;
  const body = bodyOf(form);
  return {
    ...JSON.parse(form.dataset.request),
    ...(body && JSON.parse(body.dataset.sent)),
    base: forSample ? server : base,
    parameters,
  };
}

const namesIn = (files) => files.map((file) => file.name ?? file);

/** The value of a field; undefined if there is none. */
function enteredIn(field, parameter) {
  if (field.files) return field.files.length > 0 ? [...field.files] : undefined;
  if (!field.matches('fieldset')) {
    if (parameter.type === 'json' && field.value) checkJson(field);
    return enteredText(field.value, parameter);
  }
  const chosen = chosenIn(field);
  return chosen.length > 0 ? chosen.map((text) => typed(text, parameter.type)) : undefined;
}

function enteredText(text, { type, isList, isFile }) {
  if (text === '') return undefined;
  if (isFile) return [text];
  if (!isList || type === 'json') return typed(text, type);
  return text.split(/\s*,\s*/).map((item) => typed(item, type));
}

/** In the order in which they were chosen, which may have a meaning, as that of columns to sort by. */
const chosenIn = (field) =>
  all(':checked', field)
    .sort((a, b) => (a.dataset.turn ?? 0) - (b.dataset.turn ?? 0))
    .map(({ value }) => value);

export function noteTurn(box) {
  if (box.type === 'checkbox') box.dataset.turn = performance.now();
}

/** Shows the fields of the chosen media type alone. */
export function chooseType({ form, selectedIndex }) {
  for (const [index, part] of all('[data-sent]', form).entries())
    part.hidden = part.disabled = index !== selectedIndex;
}

export function chooseExample(choice) {
  const input = choice.closest('[data-sent]').querySelector('[data-body]');
  input.value = choice.value;
  clearFault(input);
}

/** A number stays text if parsing would change it, such as an integer above 2^53−1. */
function typed(text, type) {
  if (type === 'boolean') return text === 'true';
  if (type === 'json') return parsed(text);
  return /^(integer|number)$/.test(type) && String(Number(text)) === text ? Number(text) : text;
}

/** The body to send; throws a Fault. */
export function enteredBody(form, { bodyType, bodyKind, parameters }) {
  const [input] = all('[data-body]', bodyOf(form) ?? form);
  if (bodyKind === 'json' && input?.value) checkJson(input);
  if (bodyKind !== 'form') return input?.files?.[0] ?? (input?.value || undefined);
  const text = styledForm(parameters);
  if (text !== undefined) return text;
  const data = bodyType === 'multipart/form-data' ? new FormData() : new URLSearchParams();
  for (const { in: place, name, value } of parameters)
    if (place === 'form')
      for (const item of [value].flat()) data.append(name, item instanceof File ? item : writtenText(item));
  return data;
}

/** Engines say where the mistake is in different words, or not at all. */
function checkJson(input) {
  const { value } = input;
  try {
    JSON.parse(value);
  } catch {
    const at = mistakeIn(value);
    const before = value.slice(0, at).split('\n');
    const where = `line ${before.length}, column ${before.at(-1).length + 1}`;
    throw new Fault(input, `This is not valid JSON: see ${where}.`, at);
  }
}

/** A parameter as it is sent; throws a Fault if its place cannot carry it. */
export function checkedIn(form) {
  return (parameter) => {
    try {
      return written(parameter);
    } catch ({ message }) {
      throw new Fault(fieldOf(form, parameter), `Not sent: ${message}`);
    }
  };
}

const fieldOf = (form, { name, in: place }) =>
  fieldsOf(form).find(({ dataset }) => {
    const parameter = JSON.parse(dataset.parameter);
    return parameter.name === name && parameter.in === place;
  });

export function showSamples(form) {
  try {
    const request = requestOf(form, true);
    const [input] = all('[data-body]', bodyOf(form) ?? form);
    const text = input?.files?.[0]?.name ?? (input?.files ? 'file' : input?.value || undefined);
    const body = text && request.bodyKind === 'json' ? withoutSecrets(parsed(text), input) : text;
    const samples = samplesFor({ ...request, body }, JSON.parse(document.body.dataset.names));
    for (const tab of all('.samples input', form.closest('article'))) {
      const sample = samples.find(({ label }) => label === tab.value);
      showCode(
        tab.parentElement.nextElementSibling.firstChild,
        sample?.source ?? 'No sample for this media type.',
      );
    }
  } catch {
    // The JSON is incomplete: keep the last sample.
  }
}

/** A body with the example of each secret, as it was before the reader typed another. */
function withoutSecrets(body, { defaultValue, dataset }) {
  const secrets = JSON.parse(dataset.secrets ?? '[]').filter((name) => Object.hasOwn(Object(body), name));
  const shown = secrets.length > 0 && defaultValue ? JSON.parse(defaultValue) : {};
  return secrets.length > 0
    ? { ...body, ...Object.fromEntries(secrets.map((name) => [name, shown?.[name] ?? '…'])) }
    : body;
}
