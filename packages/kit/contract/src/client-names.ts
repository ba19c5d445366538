/** What the client of a service is called, all of it after the service: `my-shop` has `createMyShop`. */
export interface ClientNames {
  /** The npm package. */
  readonly package: string;
  /** The npm package of the MCP server. */
  readonly mcpPackage: string;
  /** The function that makes a client. */
  readonly factory: string;
  /** What samples call the client. */
  readonly variable: string;
  /** The environment variable that holds the API key. */
  readonly keyVariable: string;
  /** The environment variable that holds the address of the API. */
  readonly baseUrlVariable: string;
}

export function clientNames(service: string): ClientNames {
  const words = service.split('-').filter((word) => word !== '');
  const prefix = words.join('_').toUpperCase();
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return {
    package: `@${service}/client`,
    mcpPackage: `@${service}/mcp`,
    factory: `create${pascal}`,
    variable: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    keyVariable: `${prefix}_API_KEY`,
    baseUrlVariable: `${prefix}_BASE_URL`,
  };
}
