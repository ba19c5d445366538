/* global URL */
import { keyText, urlWithKey } from '@contract-kit/core/http';
import { all, make, one } from './elements.js';
import { clearFaults, Fault, showFaults } from './fields.js';
import { faultsIn } from './faults.js';
import { credentials, withCookies } from './keys.js';
import { responseView } from './response-view.js';
import { requestUrl, written } from './samples.js';
import { bodyOf, checkedIn, enteredBody, fieldsOf, requestOf } from './try-form.js';

/** What ends the stream in a panel. */
const streams = new WeakMap();

export async function tryOut(form, panel) {
  clearFaults(form);
  const keys = credentials(form);
  if (!keys) {
    panel.textContent = 'Enter a key above first.';
    all('[data-key]', form)[0].focus();
    return;
  }
  let sending;
  try {
    sending = entered(form);
  } catch (error) {
    if (!(error instanceof Fault)) panel.textContent = `Not sent: ${error.message}`;
    else {
      panel.textContent = 'Not sent.';
      showFaults([error]);
    }
    return;
  }
  const { request, target, shown, headers, body } = sending;
  const { id, method } = request;
  // Added after `target`, which is shown.
  let url = target;
  for (const { in: place, name, prefix, key } of keys)
    if (place === 'query') url = urlWithKey(url, name, key);
    else if (place === 'header') headers.set(name, keyText(prefix, key));
  const title = form.closest('article').querySelector('[id^="title-"]').textContent;
  const isSafe = /^(GET|HEAD|OPTIONS|QUERY)$/.test(method);
  if (!isSafe && !(await isConfirmed(`${title}?`, `${method} ${shown}`))) return;
  for (const { href } of all('a[download]', panel)) URL.revokeObjectURL(href);
  // One per request, so that a late response does not replace a newer one.
  const answer = make('div', { textContent: 'Sending …' });
  panel.replaceChildren(answer);
  const start = performance.now();
  const stop = new AbortController();
  // A request that is sent again ends the stream of the one before.
  streams.get(panel)?.abort();
  streams.set(panel, stop);
  try {
    const { signal } = stop;
    const credentials = request.takesCookie ? 'same-origin' : 'omit';
    const response = await withCookies(
      keys.filter(({ in: place, key }) => place === 'cookie' && key),
      () => fetch(url, { method, headers, body, cache: 'no-store', credentials, signal }),
    );
    const summary = make(
      'p',
      {},
      make('span', { className: `status s${String(response.status)[0]}`, textContent: response.status }),
      ` ${method} ${shown} `,
      make('small', { textContent: `${Math.round(performance.now() - start)} ms` }),
    );
    const { view, error } = await responseView(response, id, stop);
    answer.replaceChildren(summary, ...view);
    // Unless another response has replaced it.
    if (error !== undefined && answer.isConnected) showFaults(faultsOf(form, error));
  } catch (error) {
    answer.replaceChildren(`There is no complete response: ${error.message}`);
  }
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
