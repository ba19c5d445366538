// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

/** The rate-limit plans. A custom plan has no quota: its two numbers are set with the key. */
export const plans = {
  free: { name: "Free", quota: {"perMinute":60,"perDay":1000} },
  pro: { name: "Pro", quota: {"perMinute":300,"perDay":10000} },
  business: { name: "Business", quota: {"perMinute":1000,"perDay":100000} },
  enterprise: { name: "Enterprise", quota: undefined },
} as const;
