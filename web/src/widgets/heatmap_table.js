// The numbers of one attention matrix as a table, for those who do not see the canvas.

/** @typedef {import("./heatmap.js").HeatmapData} HeatmapData */

export class HeatmapTable {
  /** @type {Text[]} what stands in the cells, row by row */
  #cells = [];
  /** @type {Text[][]} what stands at the head of each column, and of each row */
  #heads = [];

  /** @param {string} name   the table's accessible name */
  constructor(name) {
    this.table = document.createElement("table");
    this.table.innerHTML = `<caption>${name}</caption><thead><tr><th scope="col">query \\ key</th></tr></thead><tbody></tbody>`;
    this.element = document.createElement("div"); // around the table: a table does not shrink to nothing
    this.element.className = "visually-hidden";
    this.element.append(this.table);
  }

  /** Write what has changed; the browser lays out anew whatever is written. @param {HeatmapData} data */
  update({ tokens, values, allowed }) {
    const T = tokens.length;
    if (this.#cells.length !== T * T) this.#build(T);
    for (const heads of this.#heads) heads.forEach((head, i) => write(head, `${tokens[i]} at ${i}`));
    this.#cells.forEach((cell, i) => {
      write(cell, allowed(Math.floor(i / T), i % T) ? values[i].toFixed(3) : "not allowed");
    });
  }

  /** @param {number} T */
  #build(T) {
    const [head, body] = [this.table.rows[0], this.table.tBodies[0]];
    while (head.cells.length > 1) head.lastChild?.remove();
    body.replaceChildren();
    const rows = Array.from({ length: T }, () => body.insertRow());
    const each = Array.from({ length: T });
    this.#heads = [each.map(() => cell(head, "col")), rows.map((row) => cell(row, "row"))];
    this.#cells = rows.flatMap((row) => each.map(() => cell(row)));
  }
}

/** The text of a new cell. @param {HTMLTableRowElement} row @param {string} [scope]   of a cell that heads others */
function cell(row, scope) {
  const element = document.createElement(scope ? "th" : "td");
  if (scope) element.setAttribute("scope", scope);
  const text = document.createTextNode("");
  element.append(text);
  row.append(element);
  return text;
}

/** @param {Text} node @param {string} text */
function write(node, text) {
  if (node.data !== text) node.data = text;
}
