export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const one = (id) => document.getElementById(id);
export const make = (tag, properties, ...content) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
};
