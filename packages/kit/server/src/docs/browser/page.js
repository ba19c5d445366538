import { all, one } from './elements.js';
import { clearFault } from './fields.js';
import { indexLoader, search } from './search.js';
import { chooseExample, chooseType, noteTurn, showSamples } from './try-form.js';
import { tryOut } from './try-out.js';

// Loaded in the head, so the reader's colours apply before the first paint.
const root = document.documentElement;
root.style.colorScheme = stored((storage) => storage.getItem('theme')) ?? '';

addEventListener('DOMContentLoaded', () => {
  const loadIndex = indexLoader();
  leaveForAnotherPage(loadIndex);
  chooseLanguage(stored((storage) => storage.getItem('language')));
  one('page-theme').value = root.style.colorScheme;
  search(one('page-search'), one('page-found'), one('page-hits'), loadIndex);
  markSection(one('page-contents'));
  document.addEventListener('change', ({ target }) => {
    if (target.id === 'page-theme') chooseColours(target.value);
    if (target.matches('.samples input')) {
      // Keeps the scroll position.
      const { top } = target.parentElement.getBoundingClientRect();
      chooseLanguage(target.value);
      scrollBy(0, target.parentElement.getBoundingClientRect().top - top);
      stored((storage) => storage.setItem('language', target.value));
    }
  });
  document.addEventListener('input', ({ target }) => {
    clearFault(target);
    noteTurn(target);
    if (target.matches('[data-types]')) chooseType(target);
    if (target.matches('[data-examples]')) chooseExample(target);
    for (const other of all('[data-key]'))
      if (other.dataset.key === target.dataset.key) other.value = target.value;
    if (target.form?.dataset.request) showSamples(target.form);
  });
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.copy'))
      copy(target, target.parentElement.querySelector('label:has(:checked) + pre'));
  });
  document.addEventListener('submit', (event) => {
    if (event.target.method === 'dialog') return;
    event.preventDefault();
    if (event.target.dataset.request) tryOut(event.target, event.target.nextElementSibling);
  });
});

function chooseColours(theme) {
  root.style.colorScheme = theme;
  stored((storage) => storage.setItem('theme', theme));
}

/** The result of `use` on the storage; undefined if the reader blocks it. */
function stored(use) {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** One choice applies to the whole page. */
function chooseLanguage(language) {
  for (const radio of all('.samples input')) if (radio.value === language) radio.checked = true;
}

/** A link to `/docs#operation` leads to the page that has it, if that is another one. */
async function leaveForAnotherPage(loadIndex) {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id || one(id)) return;
  const { entries } = await loadIndex().catch(() => ({ entries: [] }));
  const entry = entries.find((item) => item.id === id);
  if (entry && !entry.href.startsWith(`${location.pathname}#`)) location.replace(entry.href);
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without a clipboard, as on plain http, the text is selected for the reader to copy.
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

/** Marks the current section in the contents, and closes them after a click. */
function markSection(contents) {
  const links = all('a', contents).filter(({ hash }) => one(hash.slice(1)));
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
