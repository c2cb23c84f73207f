// The numbers of one attention matrix as a table, for those who do not see the canvas.

/** @typedef {import("./heatmap.js").HeatmapData} HeatmapData */

export class HeatmapTable {
  /** @type {Text[]} the text of every cell, row by row */
  #cells = [];
  #axes = "";

  /** @param {string} name   the table's accessible name */
  constructor(name) {
    this.name = name;
    this.table = document.createElement("table");
    this.element = document.createElement("div"); // around the table: a table does not shrink to nothing
    this.element.className = "visually-hidden";
    this.element.append(this.table);
  }

  /** Write what has changed; the browser lays out anew whatever is written. @param {HeatmapData} data */
  update({ tokens, values, allowed }) {
    if (tokens !== this.#axes) this.#build((this.#axes = tokens));
    this.#cells.forEach((cell, i) => {
      const T = tokens.length;
      const text = allowed(Math.floor(i / T), i % T) ? values[i].toFixed(3) : "not allowed";
      if (cell.data !== text) cell.data = text;
    });
  }

  /** @param {string} tokens */
  #build(tokens) {
    const letters = [...tokens];
    const head = letters.map((token, i) => `<th scope="col">${token} at ${i}</th>`).join("");
    const rows = letters.map((token, i) => `<tr><th scope="row">${token} at ${i}</th></tr>`).join("");
    this.table.innerHTML =
      `<caption>${this.name}</caption><thead><tr><th scope="col">query \\ key</th>${head}</tr></thead>` +
      `<tbody>${rows}</tbody>`;
    this.#cells = [...this.table.tBodies[0].rows].flatMap((row) =>
      letters.map(() => {
        const text = document.createTextNode("");
        row.insertCell().append(text);
        return text;
      }),
    );
  }
}
