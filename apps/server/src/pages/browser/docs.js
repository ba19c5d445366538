/* The docs page: Swagger UI on this server's own document. */
import { navigation } from './navigation.js';
import { operations } from './operations.js';
import { overview } from './overview.js';

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  layout: 'DocsLayout',
  plugins: [overview, operations, navigation],
  // Of its themes the one whose every colour can be read on its background.
  syntaxHighlight: { theme: 'obsidian' },
  // No outside host, and a key that is typed in is forgotten with the page.
  validatorUrl: null,
  persistAuthorization: false,
  queryConfigEnabled: false,
});
