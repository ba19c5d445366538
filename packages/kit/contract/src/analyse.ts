// A bundle's chunk of this CommonJS package has no named exports, so it is not imported dynamically itself.
export { analyse } from 'scslre';
