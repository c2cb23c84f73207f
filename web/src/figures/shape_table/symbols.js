// Symbols of the catalogue, such as O_{concat}, as MathML: the page has no TeX.

/** @param {string} tex   a name, with or without an index */
export function symbol(tex) {
  const [, name, index] = /^(\w)(?:_\{?(\w+)\}?)?$/.exec(tex) ?? [];
  if (!name) throw new Error(`The symbol ${tex} is more than a name with an index.`);
  return `<math alttext="${tex}">${index ? `<msub><mi>${name}</mi><mi>${index}</mi></msub>` : `<mi>${name}</mi>`}</math>`;
}
