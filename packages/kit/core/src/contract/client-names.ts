/** The names of a service's client, all derived from the service: `my-shop` has `createMyShop`. */
export interface ClientNames {
  readonly package: string;
  readonly contractPackage: string;
  readonly mcpPackage: string;
  /** The function that creates a client. */
  readonly factory: string;
  /** The variable for the client in samples. */
  readonly variable: string;
  /** The environment variable of the API key. */
  readonly keyVariable: string;
  /** The environment variable of the API's address. */
  readonly baseUrlVariable: string;
}

export function clientNames(service: string): ClientNames {
  const words = service.split('-').filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return {
    package: `@${service}/client`,
    contractPackage: `@${service}/contract`,
    mcpPackage: `@${service}/mcp`,
    factory: `create${pascal}`,
    variable: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    keyVariable: variableOf(service, 'API_KEY'),
    baseUrlVariable: variableOf(service, 'BASE_URL'),
  };
}

/** An environment variable of a service: `my-shop` has `MY_SHOP_API_KEY`. */
export function variableOf(service: string, suffix: string): string {
  return `${service.toUpperCase().replace(/-+/g, '_')}_${suffix}`;
}
