/* global URL */
import { keyText, urlWithKey } from '@contract-kit/core/http';
import { all, make, one } from './elements.js';
import { clearFaults, Fault, showFaults } from './fields.js';
import { faultsIn } from './faults.js';
import { credentials, withCookies } from './keys.js';
import { responseView } from './response-view.js';
import { requestUrl, written } from './samples.js';
import { bodyOf, checkedIn, enteredBody, fieldsOf, requestOf } from './try-form.js';

/** What ends the request of a panel. */
const stops = new WeakMap();

export async function tryOut(form, panel) {
  clearFaults(form);
  const keys = credentials(form);
  if (!keys) {
    say(panel, 'Enter a key above first.');
    all('[data-key]', form)[0].focus();
    return;
  }
  let sending;
  try {
    sending = entered(form);
  } catch (error) {
    const isFault = error instanceof Fault;
    say(panel, isFault ? 'Not sent.' : `Not sent: ${error.message}`);
    if (isFault) showFaults([error]);
    return;
  }
  const { request, shown } = sending;
  const title = form.closest('article').querySelector('[id^="title-"]').textContent;
  const isSafe = /^(GET|HEAD|OPTIONS|QUERY)$/.test(request.method);
  if (!isSafe && !(await isConfirmed(`${title}?`, `${request.method} ${shown}`))) return;
  say(panel, 'Sending …');
  const stop = new AbortController();
  stops.set(panel, stop);
  const isCurrent = () => stops.get(panel) === stop;
  try {
    const { summary, view, error } = await responseTo(sending, keys, stop);
    if (!isCurrent()) return;
    const [status, result] = panel.children;
    status.replaceChildren(...summary);
    result.replaceChildren(...view);
    if (error !== undefined) showFaults(faultsOf(form, error));
  } catch ({ message }) {
    if (isCurrent()) say(panel, `There is no complete response: ${message}`);
  }
}

/** What the page shows of the response to a request. */
async function responseTo({ request, target, shown, headers, body }, keys, stop) {
  const { id, method, takesCookie } = request;
  // Added after `target`, which is shown.
  let url = target;
  for (const { in: place, name, prefix, key } of keys)
    if (place === 'query') url = urlWithKey(url, name, key);
    else if (place === 'header') headers.set(name, keyText(prefix, key));
  const { signal } = stop;
  const credentials = takesCookie ? 'same-origin' : 'omit';
  const cookies = keys.filter(({ in: place, key }) => place === 'cookie' && key);
  const start = performance.now();
  const response = await withCookies(cookies, () =>
    fetch(url, { method, headers, body, cache: 'no-store', credentials, signal }),
  );
  const shownResponse = await responseView(response, id, stop);
  const summary = [
    make('span', { className: `status s${String(response.status)[0]}`, textContent: response.status }),
    ` ${method} ${shown} `,
    make('small', { textContent: `${Math.round(performance.now() - start)} ms` }),
  ];
  return { ...shownResponse, summary };
}

/** Replaces what a panel shows, and ends its request. The status alone is read aloud, not a whole body. */
function say(panel, text) {
  stops.get(panel)?.abort();
  const [status, result] = panel.children;
  for (const { href } of all('a[download]', result)) URL.revokeObjectURL(href);
  result.replaceChildren();
  status.textContent = text;
}

/** The request to send, as its form describes it; throws a Fault. */
function entered(form) {
  for (const field of all('fieldset[data-required]:enabled', form))
    if (!field.querySelector(':checked')) throw new Fault(field, 'Choose at least one.');
  const request = requestOf(form, false);
  const target = requestUrl(request, checkedIn(form));
  const hidden = ({ isSecret, ...parameter }) =>
    written(isSecret ? { ...parameter, value: '***' } : parameter);
  const body = enteredBody(form, request);
  const headers = new Headers();
  for (const parameter of request.parameters) {
    const text = parameter.in === 'header' ? checkedIn(form)(parameter) : undefined;
    if (text !== undefined) headers.set(parameter.name, text);
  }
  const { bodyType, bodyKind, isRange } = request;
  if (body && (bodyKind !== 'form' || typeof body === 'string'))
    headers.set('Content-Type', (isRange && body.type) || bodyType);
  return { request, target, shown: requestUrl(request, hidden), headers, body };
}

/** What an error says of the fields of a form. */
function faultsOf(form, error) {
  const fields = fieldsOf(form).map((field) => ({ field, ...JSON.parse(field.dataset.parameter) }));
  const [input] = all('textarea[data-body]', bodyOf(form) ?? form);
  const names = input && [...JSON.parse(input.dataset.names ?? '[]'), ...namesIn(input.value)];
  return faultsIn(error, fields, names).flatMap(({ field: { field = input } = {}, message }) =>
    field && !field.disabled ? [{ field, message }] : [],
  );
}

function namesIn(text) {
  try {
    return Object.keys(JSON.parse(text));
  } catch {
    return [];
  }
}

function isConfirmed(title, request) {
  const dialog = one('page-confirm');
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('code').textContent = request;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true });
  });
}
