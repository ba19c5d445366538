/* The docs page: Swagger UI on this server's own document. */
const hideTryIt = () => ({
  wrapComponents: {
    TryItOutButton: (Original) => Original,
    operation: (Original, { React }) => {
      return (props) => {
        const hidden = props.operation.getIn(['op', 'x-hideTryItPanel']) === true;
        return React.createElement(
          Original,
          hidden ? { ...props, operation: props.operation.set('allowTryItOut', false) } : props,
        );
      };
    },
  },
});

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null,
  plugins: [hideTryIt],
});
