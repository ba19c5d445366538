import { groupsOf, operationsOf, sectionsOf } from './contract.js';

/** The list of contents beside the page, and the addresses of its parts: `/docs#getPet` is the operation getPet. */
export const navigation = ({ React }) => ({
  components: { DocsLayout: layout(React), DocsContents: contents(React) },
  wrapComponents: { operations: followAddress(React), operation: stayAtAddress(React) },
});

/** Opens the operation that the address names, once there are operations and whenever the address changes. */
function followAddress({ createElement: h, useEffect }) {
  return (Operations, { specSelectors, layoutActions }) =>
    (props) => {
      useEffect(() => {
        const follow = () => {
          const id = location.hash.slice(1);
          const operation = operationsOf(specSelectors.specJson().toJS()).find((one) => one.id === id);
          if (operation) layoutActions.show(['operations', operation.tag, id], true);
          document.getElementById(id)?.scrollIntoView();
        };
        follow();
        addEventListener('hashchange', follow);
        return () => removeEventListener('hashchange', follow);
      }, []);
      return h(Operations, props);
    };
}

/** An operation is filled after it has been opened, and only then is the page long enough to scroll to it. */
function stayAtAddress({ createElement: h, useEffect }) {
  return (Operation) => (props) => {
    const id = props.operation.get('operationId');
    const isFilled = props.operation.get('op').size > 0;
    useEffect(() => {
      if (isFilled && location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
    }, [isFilled]);
    return h(Operation, props);
  };
}

function layout({ createElement: h }) {
  return ({ getComponent }) => {
    const Contents = getComponent('DocsContents', true);
    const BaseLayout = getComponent('BaseLayout', true);
    return h('div', { className: 'docs' }, h(Contents), h(BaseLayout));
  };
}

function contents({ createElement: h, useState }) {
  const link = (id, children, onClick) => h('a', { href: `#${id}`, onClick }, children);

  return ({ specSelectors, layoutActions }) => {
    // Matters on narrow screens alone: the style sheet always shows the list on wide ones.
    const [isOpen, setOpen] = useState(false);
    const contract = specSelectors.specJson().toJS();
    if (!contract.openapi) return null;

    const operation = ({ id, tag, method, summary, deprecated }) =>
      h(
        'li',
        { key: id },
        link(
          id,
          [
            h('span', { key: 'method', className: `docs-method docs-method-${method}` }, method),
            h(deprecated ? 's' : 'span', { key: 'summary' }, summary),
          ],
          () => layoutActions.show(['operations', tag, id], true),
        ),
      );
    const group = ({ id, name, operations, groups }) =>
      h(
        'li',
        { key: id },
        link(id, name),
        operations.length + groups.length > 0 && h('ul', null, operations.map(operation), groups.map(group)),
      );

    return h(
      'nav',
      { className: isOpen ? 'docs-contents is-open' : 'docs-contents', 'aria-label': 'Contents' },
      h('button', { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }, 'Contents'),
      h(
        'ul',
        { onClick: () => setOpen(false) },
        sectionsOf(contract)
          .filter(({ heading }) => heading)
          .map(({ id, heading }) => h('li', { key: id }, link(id, heading))),
        groupsOf(contract).map(group),
        h('li', null, link('schemas', 'Schemas')),
      ),
    );
  };
}
