// The page's entry: one custom element per figure.
import { MicroTrainer } from "./trainer/element.js";

customElements.define("micro-trainer", MicroTrainer);
