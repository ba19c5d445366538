// Runs before Swagger UI is read and before the first paint.

// A library in Swagger UI's bundle would take over clicks on links within the page.
window.noZensmooth = true;

// Swagger UI's dark colours hang on a class, the reader's wish on a media query.
const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', follow);
follow();
