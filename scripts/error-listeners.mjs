// A rule of ESLint: a stream, a connection or a process has a listener for `error` where it is made or given, because
// without one an error ends the process.

/** @typedef {import('@typescript-eslint/utils').TSESTree.Node} Node */
/** @typedef {import('@typescript-eslint/utils').TSESTree.CallExpression} CallExpression */
/** @typedef {import('@typescript-eslint/utils').TSESTree.NewExpression} NewExpression */
/** @typedef {import('@typescript-eslint/utils').TSESLint.Scope.Variable} Variable */
/** @typedef {import('typescript').Type} Type */

/** These never emit an error, or only to those who listen. */
const HARMLESS =
  /^(IncomingMessage|ServerResponse|Request|Response|Express|Application|Hash|Hmac|Logger|SingleBar)$/;
const LISTENING = /^(on|once|addListener|prependListener)$/;
/** Functions that listen to their arguments. */
const CONSUMING = /^(pipeline|finished|once|toWeb)$/;
/** Events that hand over something new. */
const GIVING = /^(connection|connect|secureConnection|upgrade|file)$/;

/** @type {import('@typescript-eslint/utils').TSESLint.RuleModule<'missing'>} */
export const errorListeners = {
  defaultOptions: [],
  meta: {
    type: 'problem',
    schema: [],
    messages: { missing: 'Without a listener for `error`, an error of this {{type}} ends the process.' },
  },
  create(context) {
    const { parserServices, scopeManager } = context.sourceCode;
    const services = /** @type {import('@typescript-eslint/utils').ParserServicesWithTypeInformation} */ (
      parserServices
    );
    const checker = services.program.getTypeChecker();
    const typeOf = services.getTypeAtLocation;

    /** @param {Type} type */
    function isEmitter(type) {
      const parts = type.isUnionOrIntersection() ? type.types : [type];
      const names = [type.aliasSymbol, ...parts.map(({ symbol }) => symbol)];
      return (
        ['on', 'emit', 'removeListener'].every((name) => type.getProperty(name)) &&
        !names.some((symbol) => symbol && HARMLESS.test(symbol.name))
      );
    }

    /**
     * Whether code that gets the value of `node` listens.
     *
     * @param {Node} node
     * @returns {boolean}
     */
    function isHeard(node) {
      const { parent } = node;
      switch (parent?.type) {
        case 'MemberExpression': {
          const call = parent.parent;
          if (parent.object !== node || call.type !== 'CallExpression' || call.callee !== parent)
            return false;
          const [name, event] = [nameOf(parent), textOf(call.arguments[0])];
          if (LISTENING.test(name) && event === 'error') return true;
          // Without `listen`, a server has nothing that may fail.
          if (name === 'emit' && event === 'connection') return true;
          return isEmitter(typeOf(call)) && isHeard(call);
        }
        case 'CallExpression':
          return CONSUMING.test(nameOf(parent.callee));
        case 'ForOfStatement':
          return parent.await && parent.right === node;
        case 'YieldExpression':
          return parent.delegate;
        case 'VariableDeclarator':
          return variablesOf(parent.id, parent).every(isVariableHeard);
        case 'AssignmentExpression':
          return (
            parent.right === node &&
            parent.left.type === 'Identifier' &&
            isVariableHeard(variableOf(parent.left, parent.left.name))
          );
        case 'TSAsExpression':
        case 'TSNonNullExpression':
        case 'ConditionalExpression':
        case 'LogicalExpression':
          return isHeard(parent);
        default:
          return false;
      }
    }

    /** @param {Variable | undefined} variable */
    function isVariableHeard(variable) {
      return variable?.references.some((use) => use.isRead() && isHeard(use.identifier)) === true;
    }

    /**
     * @param {Node} pattern
     * @param {Node} declaration
     */
    function variablesOf(pattern, declaration) {
      const names = pattern.type === 'ArrayPattern' ? pattern.elements : [pattern];
      const declared = scopeManager?.getDeclaredVariables(declaration) ?? [];
      return names.map((name) =>
        declared.find(({ identifiers }) => identifiers.some((item) => item === name)),
      );
    }

    /**
     * @param {Node} node
     * @param {string} name
     */
    function variableOf(node, name) {
      let scope = /** @type {import('@typescript-eslint/utils').TSESLint.Scope.Scope | null} */ (
        context.sourceCode.getScope(node)
      );
      while (scope && !scope.set.has(name)) scope = scope.upper;
      return scope?.set.get(name);
    }

    /**
     * @param {Node} node
     * @param {Type} type
     */
    function report(node, type) {
      context.report({ node, messageId: 'missing', data: { type: checker.typeToString(type) } });
    }

    /** @param {CallExpression | NewExpression} node */
    function isOfLibrary(node) {
      const declaration = checker.getResolvedSignature(services.esTreeNodeToTSNodeMap.get(node))?.declaration;
      return declaration === undefined || /\/node_modules\//.test(declaration.getSourceFile().fileName);
    }

    /**
     * Checks what a function of a library makes, unless it is a method that returns its object.
     *
     * @param {CallExpression | NewExpression} node
     */
    function checkMade(node) {
      const { callee } = node;
      if (callee.type === 'Super' || nameOf(callee) === 'assign') return;
      if (callee.type === 'MemberExpression' && isEmitter(typeOf(callee.object))) return;
      const type = typeOf(node);
      const parts = checker.isTupleType(type)
        ? checker.getTypeArguments(/** @type {import('typescript').TypeReference} */ (type))
        : [type];
      if (parts.some(isEmitter) && isOfLibrary(node) && !isHeard(node)) report(node, type);
    }

    /**
     * Checks what a listener gets, such as a connection.
     *
     * @param {CallExpression} node
     */
    function checkGiven({ callee, arguments: given }) {
      const isGiving = LISTENING.test(nameOf(callee)) && GIVING.test(textOf(given[0]));
      if (!isGiving && nameOf(callee) !== 'createServer') return;
      for (const listener of given) {
        if (listener.type !== 'ArrowFunctionExpression' && listener.type !== 'FunctionExpression') continue;
        for (const parameter of listener.params) {
          const type = typeOf(parameter);
          if (isEmitter(type) && !variablesOf(parameter, listener).every(isVariableHeard))
            report(parameter, type);
        }
      }
    }

    return {
      NewExpression: checkMade,
      CallExpression(node) {
        checkMade(node);
        checkGiven(node);
      },
    };
  },
};

/** @param {Node} node */
function nameOf(node) {
  const name = node.type === 'MemberExpression' ? node.property : node;
  return name.type === 'Identifier' ? name.name : '';
}

/** @param {Node | undefined} node */
function textOf(node) {
  return node?.type === 'Literal' ? String(node.value) : '';
}
