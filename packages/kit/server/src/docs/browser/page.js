// Loaded in the head: the reader's colours stand before the first paint.
const root = document.documentElement;
root.style.colorScheme = stored((storage) => storage.getItem('theme')) ?? '';

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (id) => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

addEventListener('DOMContentLoaded', () => {
  one('page-theme').value = root.style.colorScheme;
  search(one('page-search'), one('page-found'));
  markSection(one('page-contents'));
  document.addEventListener('change', ({ target }) => {
    if (target.id === 'page-theme') chooseColours(target.value);
    if (target.matches('.samples input')) chooseLanguage(target);
  });
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.copy'))
      copy(target, target.parentElement.querySelector('label:has(:checked) + pre'));
  });
  document.addEventListener('submit', (event) => {
    if (event.target.method === 'dialog') return;
    event.preventDefault();
    if (event.target.dataset.path) tryOut(event.target, event.target.nextElementSibling);
  });
});

function chooseColours(theme) {
  root.style.colorScheme = theme;
  stored((storage) => storage.setItem('theme', theme));
}

/** What `use` makes of the storage; undefined where the reader lets no site have one. */
function stored(use) {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** One choice for the whole page, which stays where it is on the screen. */
function chooseLanguage(chosen) {
  const { top } = chosen.parentElement.getBoundingClientRect();
  for (const radio of all(`.samples input[value="${chosen.value}"]`)) radio.checked = true;
  scrollBy(0, chosen.parentElement.getBoundingClientRect().top - top);
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without a clipboard, as on plain http, or the right to use it, the reader copies what is selected.
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

function search(input, found) {
  const entries = all('article, main section:not(:has(article)), tr[id]').map((element) => ({
    href: `#${element.id}`,
    textContent: element.querySelector('h1, h2, h3, h4, h5, code').textContent,
    within: element.textContent.toLowerCase(),
  }));
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const among = (text) => words.every((word) => text.includes(word));
    const hits = entries.filter(({ within }) => words.length > 0 && among(within));
    hits.sort((a, b) => among(b.textContent.toLowerCase()) - among(a.textContent.toLowerCase()));
    const items = hits.slice(0, 12).map(({ href, textContent }) => {
      const item = make('li');
      item.append(make('a', { href, textContent }));
      return item;
    });
    found.replaceChildren(...(items.length > 0 ? items : [make('li', { textContent: 'Nothing found.' })]));
    found.hidden = words.length === 0;
  };
  input.addEventListener('input', show);
  document.addEventListener('focusin', ({ target }) => {
    if (target === input) show();
    else found.hidden ||= !found.contains(target);
  });
  found.addEventListener('click', () => (found.hidden = true));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true;
    if (event.key === 'Enter' && event.target === input) found.querySelector('a')?.click();
    const stops = [input, ...all('a', found)];
    const place = stops.indexOf(event.target) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN);
    if (!found.hidden && stops[place]) {
      event.preventDefault();
      stops[place].focus();
    }
    if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
}

/** Marks in the contents what is being read, and closes them when they were opened to go somewhere. */
function markSection(contents) {
  const links = all('a', contents);
  const mark = () => {
    const isPassed = ({ hash }) => one(hash.slice(1)).getBoundingClientRect().top < 120;
    const link = links.findLast(isPassed) ?? links[0];
    if (link.ariaCurrent) return;
    for (const other of links) other.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    contents.scrollTop = link.offsetTop - contents.clientHeight / 2;
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
  contents.addEventListener('click', ({ target }) => {
    if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
}

async function tryOut(form, panel) {
  const { method, title, security } = form.dataset;
  const alternatives = JSON.parse(security);
  const headers = credentials(alternatives);
  if (!headers) {
    const link = make('a', { href: `#key-${alternatives[0][0]}`, textContent: 'Enter the key' });
    panel.replaceChildren(link, ' at the top first: every request on this page is sent with it.');
    return;
  }
  const fields = all('[data-in]', form).filter(({ value }) => value !== '');
  const at = (place) => fields.filter(({ dataset }) => dataset.in === place);
  const encoded = ({ value, dataset: { list } }) =>
    (list ? value.split(/\s*,\s*/) : [value]).map((each) => encodeURIComponent(each));
  const query = at('query').flatMap((field) => {
    const values = encoded(field);
    return (field.dataset.list === 'joined' ? [values.join()] : values).map(
      (each) => `${field.name}=${each}`,
    );
  });
  const path = at('path').reduce(
    (text, field) => text.replace(`{${field.name}}`, encoded(field)[0]),
    form.dataset.path,
  );
  const target = document.body.dataset.base + path + (query.length > 0 ? `?${query.join('&')}` : '');
  for (const { name, value } of at('header')) headers.set(name, value);
  const body = form.elements.body?.value || undefined;
  if (body) headers.set('Content-Type', 'application/json');
  if (method !== 'GET' && !(await isConfirmed(`${title}?`, `${method} ${target}`))) return;
  // Each has its own, so that an answer that comes late does not replace that of a later request.
  const answer = make('div', { textContent: 'Sending …' });
  panel.replaceChildren(answer);
  try {
    const response = await fetch(target, { method, headers, body, cache: 'no-store', credentials: 'omit' });
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    answer.replaceChildren(
      make('p', { textContent: `${response.status} ${method} ${target}` }),
      make('pre', { tabIndex: 0, textContent: `${await contentOf(response)}\n\n${lines.join('\n')}`.trim() }),
    );
  } catch (error) {
    answer.replaceChildren(`There is no whole answer: ${error.message}`);
  }
}

/** The headers of the first alternative that all keys are there for; undefined where there is none. */
function credentials(alternatives) {
  const keyOf = (id) => one(`key-${id}`).value.trim();
  const ready = alternatives.find((ids) => ids.every((id) => one(`key-${id}`).matches(':valid')));
  const headers = ready?.map((id) => {
    const { header, prefix } = one(`key-${id}`).dataset;
    return [header, `${prefix} ${prefix === 'Basic' ? btoa(`:${keyOf(id)}`) : keyOf(id)}`.trim()];
  });
  return headers && new Headers(headers);
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

/** JSON is indented, its numbers as they were sent: a 64-bit id stays what it is. */
async function contentOf(response) {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|^text|^$/.test(type)) return `${(await response.blob()).size} bytes`;
  const text = await response.text();
  if (!type.includes('json') || !JSON.rawJSON) return text;
  const exact = (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  try {
    return JSON.stringify(JSON.parse(text, exact), undefined, 2);
  } catch {
    return text;
  }
}
