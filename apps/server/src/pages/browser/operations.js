import { groupsOf } from './contract.js';

/** The operations in the contract's groups, with badges, and without the try-it panel where the contract hides it. */
export const operations = ({ React }) => ({
  wrapComponents: {
    operations: () => groups(React),
    operation: operation(React),
    OperationSummaryPath: summaryPath(React),
    headers: () => headers(React),
    response: response(React),
    Models: (Models) => (props) =>
      React.createElement('div', { id: 'schemas' }, React.createElement(Models, props)),
  },
});

function groups({ createElement: h }) {
  return ({ specSelectors, getComponent }) => {
    const Operation = getComponent('OperationContainer', true);
    const Markdown = getComponent('Markdown', true);
    const tagged = specSelectors.taggedOperations();

    const group = ({ id, name, description, operations, groups, elsewhere }, level) =>
      h(
        'section',
        { key: id, id, className: 'docs-group' },
        h(`h${Math.min(level, 6)}`, null, name),
        description && h(Markdown, { source: description }),
        elsewhere.map(pointer),
        operations.map(whole),
        groups.map((child) => group(child, level + 1)),
      );
    const pointer = ({ id, summary, deprecated }) =>
      h(
        'p',
        { key: id },
        'Outside this group: ',
        h('a', { href: `#${id}` }, summary),
        deprecated && ' (deprecated)',
        '.',
      );
    const whole = ({ id, tag, path, method }) => {
      const op = tagged
        .getIn([tag, 'operations'])
        ?.find((one) => one.get('path') === path && one.get('method') === method);
      return op && h(Operation, { key: id, specPath: op.get('specPath'), op, path, method, tag });
    };

    return h(
      'div',
      null,
      groupsOf(specSelectors.specJson().toJS()).map((top) => group(top, 2)),
    );
  };
}

/** The operation as the contract has it; Swagger UI's own copy is empty until the reader opens it. */
function inContract({ specSelectors }, props) {
  return specSelectors.specJson().getIn(['paths', props.get('path'), props.get('method')]);
}

function operation({ createElement: h }) {
  return (Operation, system) => (props) => {
    const contract = inContract(system, props.operation);
    const isTryItHidden = contract.get('x-hideTryItPanel') === true;
    return h(
      'div',
      { id: props.operation.get('operationId'), className: 'docs-operation' },
      h(
        Operation,
        isTryItHidden ? { ...props, operation: props.operation.set('allowTryItOut', false) } : props,
      ),
    );
  };
}

function summaryPath({ createElement: h }) {
  return (SummaryPath, system) => (props) => {
    const contract = inContract(system, props.operationProps);
    const stability = contract.get('x-stability');
    const since = contract.get('x-deprecated-since');
    const sunset = contract.get('x-deprecated-sunset');
    const date = (day) => h('time', { dateTime: day }, day);
    return h(
      'span',
      { className: 'docs-summary-path' },
      h(SummaryPath, props),
      stability && h('span', { className: `docs-badge docs-badge-${stability}` }, stability),
      contract.get('deprecated') === true &&
        h('span', { className: 'docs-badge' }, 'deprecated', since && [' since ', date(since)]),
      sunset && h('span', { className: 'docs-badge' }, 'sunset ', date(sunset)),
    );
  };
}

/** The description of an error ends with its codes. */
function response({ createElement: h }) {
  return (Response) => (props) => {
    const codes = props.response.get('x-error-codes')?.map((code) => `\`${code}\``);
    const describe = (description) => `${description}\n\nCode: ${codes.join(' or ')}`;
    return h(
      Response,
      codes ? { ...props, response: props.response.update('description', describe) } : props,
    );
  };
}

/** Every answer has a handful of headers: one line that opens, instead of a table each. */
function headers({ createElement: h }) {
  return ({ headers, getComponent }) => {
    const Markdown = getComponent('Markdown', true);
    return h(
      'details',
      { className: 'docs-headers' },
      h('summary', null, `Headers (${headers.size})`),
      h(
        'dl',
        null,
        headers
          .entrySeq()
          .map(([name, header]) => [
            h('dt', { key: name }, h('code', null, name)),
            h(
              'dd',
              { key: `${name} meaning` },
              h(Markdown, { source: header.get('description') }),
              header.has('example') &&
                h('p', null, 'Example: ', h('code', null, String(header.get('example')))),
            ),
          ]),
      ),
    );
  };
}
