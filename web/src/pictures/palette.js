// Colours of pictures: always those of the light theme, on white. A picture goes onto slides and paper, where a dark one
// would be a black box, and a file knows no theme that it could follow. The values are those of styles/site.css.

export const PALETTE = {
  "--paper": "#fff",
  "--panel": "#fff",
  "--field": "#fff",
  "--ink": "#1b1b20",
  "--ink-soft": "#5a5a6e",
  "--rule": "#dededa",
  "--run": "#0b5cc4",
  "--run-soft": "#6f9fdc",
  "--kept": "#7b3fa0",
  "--limit": "#a8480c",
  "--right": "#1a7a45",
  "--wrong": "#b3261e",
  "--hatch": "#b9b9b4",
  "--cursor": "#e0451f",
};

/** @typedef {keyof typeof PALETTE} Colour */
