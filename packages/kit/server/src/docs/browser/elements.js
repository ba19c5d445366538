export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const one = (id) => document.getElementById(id);
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
