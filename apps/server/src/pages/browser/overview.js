import { sectionsOf } from './contract.js';

/** What stands above the operations: the description with its tables, the addresses, and where the key goes. */
export const overview = ({ React }) => ({
  wrapComponents: {
    ServersContainer: () => servers(React),
    Input: keyInput(React),
  },
  components: { OAS31Info: info(React), DocsTable: table(React) },
});

function info({ createElement: h }) {
  return ({ getComponent, specSelectors }) => {
    const contract = specSelectors.specJson().toJS();
    const { title, version, summary } = contract.info;
    const url = specSelectors.url();
    const Markdown = getComponent('Markdown', true);
    const Table = getComponent('DocsTable', true);
    const Contact = getComponent('Contact', true);
    const License = getComponent('License', true);
    return h(
      'div',
      { className: 'info' },
      h('h1', null, title, ' ', h('small', null, version)),
      summary && h('p', { className: 'docs-lead' }, summary),
      sectionsOf(contract).map(({ id, heading, text, tables }) =>
        h(
          'section',
          { key: id ?? 'start', id },
          heading && h('h2', null, heading),
          h(Markdown, { source: text }),
          tables.map((extension) => h(Table, { key: extension, extension })),
        ),
      ),
      h(
        'ul',
        { className: 'docs-links' },
        h('li', null, h('a', { href: url }, 'The contract as JSON')),
        h('li', null, h('a', { href: url.replace('.json', '.yaml') }, 'The contract as YAML')),
        contract.info.contact && h('li', null, h(Contact)),
        contract.info.license && h('li', null, 'License: ', h(License)),
      ),
    );
  };
}

const TABLES = {
  'x-rate-limit-plans': {
    head: ['Plan', 'Requests per minute', 'Requests per day'],
    row: (id, { name, perMinute, perDay }) => [name, grouped(perMinute), grouped(perDay)],
  },
  'x-error-codes': {
    head: ['Code', 'Status', 'Meaning'],
    row: (code, { status, description }, { createElement: h }, Markdown) => [
      h('code', null, code),
      status,
      h(Markdown, { source: description }),
    ],
  },
};

function table(React) {
  const { createElement: h } = React;
  return ({ extension, specSelectors, getComponent }) => {
    const { head, row } = TABLES[extension];
    const Markdown = getComponent('Markdown', true);
    const entries = Object.entries(specSelectors.specJson().get(extension).toJS());
    const cells = (tag, values) => values.map((value, index) => h(tag, { key: index }, value));
    return h(
      'table',
      { className: 'docs-table', 'data-extension': extension },
      h('thead', null, h('tr', null, cells('th', head))),
      h(
        'tbody',
        null,
        entries.map(([key, value]) => h('tr', { key }, cells('td', row(key, value, React, Markdown)))),
      ),
    );
  };
}

/** Thousands separated; a word such as `custom` stays. */
function grouped(value) {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}

/** Addresses to read, none to choose: this page sends requests to its own server alone, so that keys stay there. */
function servers({ createElement: h }) {
  return ({ specSelectors, getComponent }) => {
    const Markdown = getComponent('Markdown', true);
    return h(
      'section',
      { className: 'docs-servers' },
      h('h2', null, 'Servers'),
      h(
        'ul',
        null,
        specSelectors.servers().map((server, index) => {
          const url = server.get('url');
          return h(
            'li',
            { key: url },
            h('code', null, new URL(url, location.href).href),
            ' ',
            h(Markdown, { source: server.get('description') }),
            index === 0 && ': "Try it out" on this page sends its requests here.',
          );
        }),
      ),
    );
  };
}

/** The browser neither remembers what is typed as a key nor sends it to a spelling service. */
function keyInput({ createElement: h }) {
  const props = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };
  return (Input) => (given) => h(Input, { ...given, ...(given.id?.startsWith('auth-') && props) });
}
