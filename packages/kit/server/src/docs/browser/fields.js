import { all, make } from './elements.js';

/** Why a request is not sent: what is wrong with a field. */
export class Fault extends Error {
  constructor(field, message, position) {
    super(message);
    Object.assign(this, { field, position });
  }
}

/** Shows what is wrong with each field beside it, and goes to the first. */
export function showFaults(found) {
  for (const { field, message } of found) {
    const known = messageOf(field);
    const shown = known ?? make('p', { id: idFor(field), className: 'fault' });
    shown.append(...(known ? [make('br', {})] : []), message);
    if (known) continue;
    field.closest('label, fieldset.field').after(shown);
    field.setAttribute('aria-describedby', shown.id);
    if (!field.matches('fieldset')) field.setAttribute('aria-invalid', 'true');
  }
  const [first] = found.toSorted(({ field: a }, { field: b }) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
  if (!first) return;
  const { field, position } = first;
  (field.matches('fieldset') ? all('input', field)[0] : field).focus();
  if (position !== undefined) field.setSelectionRange(position, position + 1);
}

const idFor = (field) => `fault-${field.closest('article').id}-${all('.field', field.form).indexOf(field)}`;

const messageOf = (field) => document.getElementById(field.getAttribute('aria-describedby'));

export function clearFault(field) {
  const described = field.closest('[aria-describedby^="fault-"]');
  if (!described) return;
  messageOf(described)?.remove();
  described.removeAttribute('aria-describedby');
  described.removeAttribute('aria-invalid');
}

export const clearFaults = (form) => all('[aria-describedby^="fault-"]', form).forEach(clearFault);
