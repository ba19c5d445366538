// Runs before the first paint: Swagger UI's dark colours hang on a class, the reader's wish on a media query.
const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', follow);
follow();
